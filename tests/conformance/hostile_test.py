"""Files that ask for too much or make no sense, through an import stream: what they cost, and how they are refused.

README.md says which other tests look at such files.
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from jpeg_surgery import APP1, DHT, DQT, SOF0, Jpeg, segment
from round_trip import RoundTripTest, peak_resident_bytes, read, resident_bytes

BAD_FILES = 20_000
# 2 KB a file: more than the allocator's and gRPC's own steps (measured: up to 26 MB, none after 120,000 files), less
# than what a decoder that is not given back takes.
GROWTH_BYTES_MAX = 40 << 20
# Refusing takes no memory that depends on what a header says. The largest file here has 20 MB.
REFUSAL_BYTES_MAX = 100 << 20


def is_baseline_photo(file):
    frame = file.find(bytes([0xFF, SOF0]))
    return frame > 0 and file[frame + 9] == 3


def hostile_files(good):
    """Name: (file, reason, what the message says)."""
    second_frame = bytearray(good.payload(SOF0))
    second_frame[0] = 12
    return {
        "pixels.jpg": (good.with_size(65500, 65500), "LIMIT_PIXELS", "178000000"),
        "little_data.jpg": (good.with_size(13000, 13000), "CORRUPT_JPEG", "too few for 13000 x 13000"),
        "scans.jpg": (good.with_scans(1000), "LIMIT_SCANS", "100 scans"),
        "markers.jpg": (good.with_extra(segment(APP1, b"") * 5000), "LIMIT_MARKERS", "4096"),
        "marker_bytes.jpg": (good.with_extra(segment(APP1, bytes(65533)) * 300), "LIMIT_MARKER_BYTES", "16777216"),
        "zero_step.jpg": (good.with_byte(DQT, 9, 0), "CORRUPT_JPEG", "quantiser step of component 0 is zero"),
        "no_components.jpg": (good.with_components(0), "CORRUPT_JPEG", ""),
        "five_components.jpg": (good.with_components(5), "LIMIT_COMPONENTS", "up to 4"),
        "two_frames.jpg": (good.with_extra(segment(SOF0, bytes(second_frame))), "CORRUPT_JPEG", "two SOF"),
        "overfull_codes.jpg": (good.with_byte(DHT, 1, 200), "CORRUPT_JPEG", ""),
        "no_width.jpg": (good.with_size(0, 100), "CORRUPT_JPEG", ""),
        "no_scan.jpg": (good.join()[:len(good.join()) - len(good.scan)], "CORRUPT_JPEG", ""),
        "text.jpg": (b"not an image", "NOT_A_JPEG", ""),
        "empty.jpg": (b"", "EMPTY_FILE", ""),
    }


class HostileTest(RoundTripTest):
    def setUp(self):
        super().setUp()
        photos = self.draw_photos(30, os.path.join(self.folder, "photos"))
        paths = (os.path.join(folder, name) for folder, _, names in os.walk(photos) for name in sorted(names))
        self.photo = next(path for path in paths if path.endswith(".jpg") and is_baseline_photo(read(path)))
        self.hostile = hostile_files(Jpeg(read(self.photo)))
        self.sources = os.path.join(self.folder, "sources")
        os.makedirs(self.sources)
        self.server.run("dataset", "create", "d")

    def write_hostile_files(self):
        for name, (file, _, _) in self.hostile.items():
            with open(os.path.join(self.sources, name), "wb") as out:
                out.write(file)

    def test_each_is_refused_by_name_and_the_stream_goes_on(self):
        self.write_hostile_files()
        for name in ("a_good.jpg", "z_good.jpg"):
            os.link(self.photo, os.path.join(self.sources, name))
        outcomes = {line["image"]: line for line in self.server.jsonl("import", "d", self.sources, expect=1)}
        self.assertEqual({name: line["status"] for name, line in outcomes.items()},
                         {"a_good.jpg": "OK", "z_good.jpg": "OK"}
                         | {name: reason for name, (_, reason, _) in self.hostile.items()})
        for name, (_, _, words) in self.hostile.items():
            self.assertIn(words, outcomes[name]["message"])
        self.check_export_everywhere("d", dict.fromkeys(["a_good.jpg", "z_good.jpg"], self.photo), "compact")

    def test_refusing_is_cheap(self):
        self.write_hostile_files()
        before = peak_resident_bytes(self.server)
        for name, (_, reason, _) in self.hostile.items():
            started = time.monotonic()
            refused = self.server.run("import", "d", os.path.join(self.sources, name), expect=1)
            self.assertRegex(refused.stderr, rf"(?s)refused {name}: .+ \[{reason}\]")
            print(f"{name}: {time.monotonic() - started:.2f} s", end="; ")
        growth = peak_resident_bytes(self.server) - before
        print(f"{growth >> 20} MiB at the peak")
        self.assertLess(growth, REFUSAL_BYTES_MAX)

    def test_bad_files_leave_no_memory_behind(self):
        self.write_hostile_files()
        self.hostile.pop("marker_bytes.jpg")  # whose 20 MB would take a while
        links = os.path.join(self.folder, "links")
        os.makedirs(links)
        names = list(self.hostile)
        for i in range(BAD_FILES):
            os.link(os.path.join(self.sources, names[i % len(names)]), os.path.join(links, f"{i}.jpg"))
        resident = []
        for _ in range(3):
            self.assertEqual(self.server.json("import", "d", links, expect=1)["refused"], BAD_FILES)
            resident.append(resident_bytes(self.server))
        print("resident MiB after", BAD_FILES, "bad files, again and again:", [bytes_ >> 20 for bytes_ in resident])
        self.assertLess(resident[2] - resident[1], GROWTH_BYTES_MAX)
        self.assertEqual(self.server.json("dataset", "describe", "d")["images"], 0)


if __name__ == "__main__":
    freqstore_process.run()
