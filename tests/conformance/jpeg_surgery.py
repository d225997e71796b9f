"""Takes JPEG files apart and puts them together wrongly."""

import struct

SOF0, DHT, SOI, EOI, SOS, DQT, APP1 = 0xC0, 0xC4, 0xD8, 0xD9, 0xDA, 0xDB, 0xE1


def segment(code, payload):
    return bytes([0xFF, code]) + struct.pack(">H", len(payload) + 2) + payload


class Jpeg:
    """A baseline file of one scan: `segments` are the (code, payload) before it, `scan` is SOS, data and EOI."""

    def __init__(self, file):
        self.segments = []
        at = 2
        while file[at + 1] != SOS:
            length = struct.unpack_from(">H", file, at + 2)[0]
            self.segments.append((file[at + 1], file[at + 4:at + 2 + length]))
            at += 2 + length
        self.scan = file[at:]

    def join(self):
        return b"\xff\xd8" + b"".join(segment(*each) for each in self.segments) + self.scan

    def payload(self, code):
        return next(payload for each, payload in self.segments if each == code)

    def with_payload(self, code, payload):
        """Another file, in which the first segment `code` has this payload."""
        changed = Jpeg(self.join())
        index = next(i for i, each in enumerate(changed.segments) if each[0] == code)
        changed.segments[index] = (code, payload)
        return changed.join()

    def with_byte(self, code, index, value):
        payload = bytearray(self.payload(code))
        payload[index] = value
        return self.with_payload(code, bytes(payload))

    def with_size(self, width, height):
        frame = self.payload(SOF0)
        return self.with_payload(SOF0, frame[:1] + struct.pack(">HH", height, width) + frame[5:])

    def with_components(self, count):
        frame = self.payload(SOF0)
        components = b"".join(bytes([i + 1]) + frame[7:9] for i in range(count))
        return self.with_payload(SOF0, frame[:5] + bytes([count]) + components)

    def with_extra(self, extra):
        """Another file, with more bytes right behind SOI."""
        return b"\xff\xd8" + extra + self.join()[2:]

    def with_scans(self, count):
        """Another file: progressive, with `count` scans more."""
        frame = segment(0xC2, self.payload(SOF0))
        tables = b"".join(segment(*each) for each in self.segments if each[0] in (DQT, DHT))
        scan = segment(SOS, b"\x01\x01\x00\x00\x00\x00") + bytes(28)
        return b"\xff\xd8" + tables + frame + scan * count + b"\xff\xd9"
