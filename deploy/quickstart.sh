#!/usr/bin/env bash
# From a checkout to predictions: builds Freqstore, imports photos, runs a network over them, and compares the speed
# with reading the same photos as JPEG files.
#
#   deploy/quickstart.sh                          generated photos and the small network in deploy/sample
#   deploy/quickstart.sh DIR_OF_JPEGS             your photos, the small network (its answers mean nothing then)
#   deploy/quickstart.sh DIR_OF_JPEGS MODEL.onnx  your photos, your classifier
#
# Environment: FREQSTORE_PRESET        how your model wants its pixels (imagenet-torch)
#              FREQSTORE_LABELS        file with a class name a line, for your model
#              FREQSTORE_BUILD_DIR     where to build (build/ in the checkout)
#              FREQSTORE_QUICKSTART_DIR  where photos, database and results go (a new folder under /tmp)
#              FREQSTORE_PHOTOS        how many photos to generate (400)
set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly TOP
BUILD=${FREQSTORE_BUILD_DIR:-$TOP/build}
readonly PRESET=${FREQSTORE_PRESET:-imagenet-torch}
readonly PHOTO_COUNT=${FREQSTORE_PHOTOS:-400}
SERVER_PID=

heading() { printf '\n== %s\n\n' "$*"; }
die() { echo "quickstart: $*" >&2; exit 1; }

# quietly LOG COMMAND...: shows the end of the command's output only if it fails
quietly() {
  local log=$1
  shift
  "$@" > "$log" 2>&1 || { tail -n 40 "$log" >&2; die "failed: $* (all output: $log)"; }
}

client() { "$BUILD/bin/freqstore" --server "$ADDRESS" "$@"; }

stop_server() {
  [ -n "$SERVER_PID" ] || return 0
  kill "$SERVER_PID" 2> /dev/null || true
  wait "$SERVER_PID" 2> /dev/null || true
  SERVER_PID=
}

usage() { sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; }

read_arguments() {
  case "${1:-}" in -h | --help) usage; exit 0 ;; esac
  [ $# -le 2 ] || { usage >&2; exit 2; }
  PHOTOS=${1:-}
  MODEL=${2:-$TOP/deploy/sample/shapes.onnx}
  [ -z "$PHOTOS" ] || [ -d "$PHOTOS" ] || die "$PHOTOS is not a folder"
  [ -f "$MODEL" ] || die "there is no model file $MODEL"
  OWN_PHOTOS=$([ -z "$PHOTOS" ] && echo no || echo yes)
  OWN_MODEL=$([ $# -lt 2 ] && echo no || echo yes)
  WORK=${FREQSTORE_QUICKSTART_DIR:-$(mktemp -d "${TMPDIR:-/tmp}/freqstore-quickstart.XXXXXX")}
  mkdir -p "$WORK"
}

build() {
  heading "Build (the first time takes minutes)"
  "$TOP/deploy/install-deps.sh" --check 2> /dev/null || quietly "$WORK/install.log" "$TOP/deploy/install-deps.sh"
  quietly "$WORK/configure.log" cmake -S "$TOP" -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=Release
  quietly "$WORK/build.log" ninja -C "$BUILD" freqstored freqstore freqstore-sample bench_main_job
  echo "programs: $BUILD/bin"
}

make_photos() {
  if [ "$OWN_PHOTOS" = no ]; then
    PHOTOS=$WORK/photos
    heading "Photos"
    "$BUILD/bin/freqstore-sample" photos "$PHOTOS" --count "$PHOTO_COUNT" --seed 1
    echo "$PHOTO_COUNT generated photos of ten classes: $PHOTOS"
  fi
  JPEG_COUNT=$(find -L "$PHOTOS" -type f \( -iname '*.jpg' -o -iname '*.jpeg' \) | wc -l)
  [ "$JPEG_COUNT" -gt 0 ] || die "there are no .jpg or .jpeg files in $PHOTOS"
}

start_server() {
  heading "Server"
  local port attempt
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  ADDRESS=127.0.0.1:$port
  "$BUILD/bin/freqstored" --data-dir "$WORK/data" --listen "$ADDRESS" > "$WORK/freqstored.log" 2>&1 &
  SERVER_PID=$!
  for ((attempt = 0; attempt < 150; ++attempt)); do
    if client admin status > "$WORK/status.txt" 2> "$WORK/status.err"; then
      echo "freqstored listens on $ADDRESS, data in $WORK/data, log in $WORK/freqstored.log"
      return
    fi
    kill -0 "$SERVER_PID" 2> /dev/null || { cat "$WORK/freqstored.log" >&2; die "the server ended"; }
    sleep 0.2
  done
  cat "$WORK/status.err" "$WORK/freqstored.log" >&2
  die "the server did not answer within 30 s"
}

import_photos() {
  heading "Import"
  local started ended status=0
  client dataset create photos
  started=$(date +%s%N)
  client import photos "$PHOTOS" --recursive --rejects "$WORK/rejects.tsv" || status=$?
  ended=$(date +%s%N)
  # 1 also means that some files were refused, which a folder of real photos may well contain.
  [ "$status" -le 1 ] || die "import failed"
  client admin flush
  awk -v n="$JPEG_COUNT" -v ns=$((ended - started)) \
    'BEGIN { printf "%d files in %.1f s: %.0f images/s (decoded, verified and stored durably)\n", n, ns / 1e9, n * 1e9 / ns }'
}

register_model() {
  heading "Model"
  if [ "$OWN_MODEL" = no ]; then
    MODEL_ARGUMENTS=(--labels "$TOP/deploy/sample/shapes_labels.txt" --input-spec "$TOP/deploy/sample/shapes.json")
    BENCH_ARGUMENTS=(--input-spec "$TOP/deploy/sample/shapes.json")
  else
    MODEL_ARGUMENTS=(--preset "$PRESET")
    BENCH_ARGUMENTS=(--preset "$PRESET")
    [ -z "${FREQSTORE_LABELS:-}" ] || MODEL_ARGUMENTS+=(--labels "$FREQSTORE_LABELS")
  fi
  client model register classifier "$MODEL" "${MODEL_ARGUMENTS[@]}"
}

infer() {
  heading "Predictions"
  client --format jsonl infer photos --model classifier --top 3 > "$WORK/predictions.jsonl" ||
    echo "Some images got no answer; their lines say why."
  python3 - "$WORK/predictions.jsonl" "$PHOTOS/labels.tsv" "$OWN_PHOTOS" << 'PYTHON'
import json, sys

answers = {}
with open(sys.argv[1]) as lines:
    for line in lines:
        row = json.loads(line)
        if row.get("top"):
            answers[row["image"]] = row["top"]
for image in sorted(answers)[:: max(1, len(answers) // 8)][:8]:
    top = ", ".join(f"{c.get('label') or c['class']} {c['score']:.2f}" for c in answers[image])
    print(f"  {image:32} {top}")
print(f"\nall {len(answers)} answers: {sys.argv[1]}")
if not answers:
    sys.exit("no image got an answer")
if sys.argv[3] == "no":
    with open(sys.argv[2]) as lines:
        truth = {name: int(index) for name, index, _ in (line.split("\t") for line in list(lines)[1:])}
    right = sum(answers[name][0]["class"] == index for name, index in truth.items() if name in answers)
    print(f"accuracy: {right} of {len(truth)} right ({100 * right / len(truth):.1f} %)")
PYTHON
  if [ "$OWN_PHOTOS" = yes ] && [ "$OWN_MODEL" = no ]; then
    echo "These answers mean nothing: the small network knows ten shapes, not your photos. Give a model of yours to see more."
  fi
}

explain() {
  heading "What the query read"
  client explain photos --model classifier
  client --format json explain photos --model classifier --analyze > "$WORK/explain.json"
  python3 - "$WORK/explain.json" "$PHOTOS" << 'PYTHON'
import json, pathlib, sys

with open(sys.argv[1]) as file:
    plan = json.load(file)
actual = plan["actual"]
read = int(actual["column_bytes"]) + int(actual["delta_bytes"])
photos = [path for path in pathlib.Path(sys.argv[2]).rglob("*") if path.suffix.lower() in (".jpg", ".jpeg")]
files = sum(path.stat().st_size for path in photos)
print(f"\nread {read / 1e6:.1f} MB; the JPEG files are {files / 1e6:.1f} MB ({100 * read / files:.0f} %)")
PYTHON
}

compare() {
  heading "Images per second: Freqstore against JPEG files, same photos, model and processor"
  "$BUILD/bin/bench_main_job" --photos "$PHOTOS" --model "$MODEL" "${BENCH_ARGUMENTS[@]}" --json "$WORK/bench.json"
}

next_steps() {
  heading "Next"
  cat << NEXT
The server stops now; photos, database and results stay in
  $WORK
Start it again and ask more:
  $BUILD/bin/freqstored --data-dir $WORK/data --listen 127.0.0.1:8001
  $BUILD/bin/freqstore --server 127.0.0.1:8001 infer photos --model classifier --top 3
  $BUILD/bin/freqstore --server 127.0.0.1:8001 explain photos --model classifier --analyze
Your own photos and model:
  deploy/quickstart.sh DIR_OF_JPEGS MODEL.onnx
NEXT
}

main() {
  read_arguments "$@"
  trap stop_server EXIT
  build
  make_photos
  start_server
  import_photos
  register_model
  infer
  explain
  compare
  next_steps
}

main "$@"
