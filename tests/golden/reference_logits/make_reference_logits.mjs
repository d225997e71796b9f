// Writes the reference logits next to this file: what an independent runtime makes of synthetic images.
//
//   npm install onnxruntime-node@1.20.1 --ignore-scripts
//   node make_reference_logits.mjs MODELS_DIR OUT_DIR
//
// MODELS_DIR holds imagenet/*.onnx and other/*.onnx. The images are made by the same integer arithmetic as in
// tests/gpu/model/synthetic_image.h; change both or neither.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ort from 'onnxruntime-node';

const IMAGES = 4;
const SAMPLES = 64;

class Lcg {
  constructor(seed) { this.state = seed >>> 0; }
  next() {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state >>> 8;
  }
  below(limit) { return this.next() % limit; }
}

// A gradient a channel, six soft blobs, and noise of +-8: channels x size x size integers in 0..255.
function syntheticImage(seed, size) {
  const random = new Lcg(seed);
  const gradients = [];
  for (let c = 0; c < 3; ++c) {
    gradients.push({ base: 64 + random.below(128), x: random.below(129) - 64, y: random.below(129) - 64 });
  }
  const blobs = [];
  for (let b = 0; b < 6; ++b) {
    const blob = { x: random.below(size), y: random.below(size), radius: Math.trunc(size / 8) + random.below(Math.trunc(size / 3)) };
    blob.amplitude = [random.below(257) - 128, random.below(257) - 128, random.below(257) - 128];
    blobs.push(blob);
  }
  const pixels = new Uint8Array(3 * size * size);
  for (let c = 0; c < 3; ++c) {
    for (let y = 0; y < size; ++y) {
      for (let x = 0; x < size; ++x) {
        let value = gradients[c].base + Math.trunc((gradients[c].x * x + gradients[c].y * y) / size);
        for (const blob of blobs) {
          const reach = blob.radius * blob.radius;
          const distance = (x - blob.x) * (x - blob.x) + (y - blob.y) * (y - blob.y);
          if (distance < reach) value += Math.trunc((blob.amplitude[c] * (reach - distance)) / reach);
        }
        value += random.below(17) - 8;
        pixels[(c * size + y) * size + x] = Math.min(255, Math.max(0, value));
      }
    }
  }
  return pixels;
}

function preprocess(name, pixels, size, out, offset) {
  const plane = size * size;
  const mean = name.startsWith('squeezenet') ? [123, 117, 104] : [128, 128, 128];
  const scale = name.startsWith('squeezenet') ? 1 : 1 / 128;
  for (let i = 0; i < 3 * plane; ++i) out[offset + i] = (pixels[i] - mean[Math.trunc(i / plane)]) * scale;
}

async function run(path, name, images) {
  const session = await ort.InferenceSession.create(path, { intraOpNumThreads: 1 });
  const size = { mobilenet_v1_0_25_128: 128, mobilenet_v1_0_5_160: 160, mobilenet_v1_0_75_192: 192, squeezenet1_0_dc: 227,
                 deeplabv3_mnv2_dm05_pascal21: 513 }[name.replaceAll('.', '_').replace(/_(dq|fp32)$/, '')] ?? 224;
  const input = new Float32Array(images * 3 * size * size);
  for (let i = 0; i < images; ++i) preprocess(name, syntheticImage(1000 + i, size), size, input, i * 3 * size * size);
  const results = await session.run({ input: new ort.Tensor('float32', input, [images, 3, size, size]) });
  return results.logits.data;
}

function write(path, values) {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeFloatLE(value, 4 * i));
  writeFileSync(path, bytes);
}

const [models, out] = process.argv.slice(2);
for (const file of readdirSync(join(models, 'imagenet')).filter((f) => f.endsWith('.onnx'))) {
  const name = file.slice(0, -'.onnx'.length);
  write(join(out, `${name}.f32`), Array.from(await run(join(models, 'imagenet', file), name, IMAGES)));
}
for (const file of readdirSync(join(models, 'other')).filter((f) => f.endsWith('.onnx'))) {
  const name = file.slice(0, -'.onnx'.length);
  const logits = await run(join(models, 'other', file), name, 1);
  const step = Math.trunc(logits.length / SAMPLES);
  write(join(out, `${name}.samples.f32`), Array.from({ length: SAMPLES }, (_, i) => logits[i * step]));
}
