"""The command line against a server, as a user types it."""

import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import ServerTest

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "deploy", "sample")


class CommandLineTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        cls.photos = cls.draw_photos(30)

    def photo_files(self):
        return sorted(os.path.join(folder, name) for folder, _, names in os.walk(self.photos) for name in names
                      if name.endswith(".jpg"))

    def import_photos(self):
        self.server.run("dataset", "create", "photos")
        # labels.tsv lies among the photos and is refused, so the command partly fails.
        return self.server.json("import", "photos", self.photos, "--recursive", expect=1)

    def register_model(self):
        self.server.run("model", "register", "shapes", os.path.join(SAMPLE, "shapes.onnx"), "--labels",
                        os.path.join(SAMPLE, "shapes_labels.txt"), "--input-spec", os.path.join(SAMPLE, "shapes.json"))

    def test_main_job(self):
        self.assertEqual(self.import_photos()["imported"], 30)
        self.register_model()
        answers = self.server.jsonl("infer", "photos", "--model", "shapes", "--top", "3")
        self.assertEqual(len(answers), 30)
        right = 0
        for answer in answers:
            self.assertEqual(len(answer["top"]), 3)
            scores = [entry["score"] for entry in answer["top"]]
            self.assertEqual(scores, sorted(scores, reverse=True))
            right += answer["top"][0]["label"] == answer["image"].split("/")[0]
        self.assertGreaterEqual(right, 24)

        before = {a["image"]: a["top"][0]["class"] for a in answers}
        self.server.run("admin", "flush")
        again = self.server.jsonl("infer", "photos", "--model", "shapes")
        self.assertEqual({a["image"]: a["top"][0]["class"] for a in again}, before)

        self.assertEqual(self.server.terminate(), 0)
        self.server = freqstore_process.Server(self.BIN_DIR, self.server.data_dir)
        self.assertEqual(len(self.server.jsonl("infer", "photos", "--model", "shapes")), 30)

    def test_import_reports_each_refused_file(self):
        folder = os.path.join(self.folder, "mixed")
        os.makedirs(folder)
        with open(os.path.join(folder, "notes.txt"), "w") as file:
            file.write("not an image")
        open(os.path.join(folder, "empty.jpg"), "w").close()
        with open(os.path.join(folder, "picture.png"), "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + bytes(100))
        self.server.run("dataset", "create", "d")
        rejects = os.path.join(self.folder, "rejects.tsv")
        lines = self.server.jsonl("import", "d", folder, "--rejects", rejects, expect=1)
        self.assertEqual({line["image"]: line["status"] for line in lines},
                         {"notes.txt": "NOT_A_JPEG", "empty.jpg": "EMPTY_FILE", "picture.png": "NOT_A_JPEG"})
        with open(rejects) as file:
            self.assertEqual(len(file.readlines()), 3)

    def test_damaged_files_are_kept_or_rejected(self):
        folder = os.path.join(self.folder, "damaged")
        os.makedirs(folder)
        whole = self.photo_files()[0]
        with open(whole, "rb") as file:
            content = file.read()
        shutil.copy(whole, os.path.join(folder, "whole.jpg"))
        with open(os.path.join(folder, "cut.jpg"), "wb") as file:
            file.write(content[:len(content) // 2])
        self.server.run("dataset", "create", "d")
        lines = self.server.jsonl("import", "d", folder, "--on-damage", "reject", expect=1)
        self.assertEqual({line["image"]: line["status"] for line in lines},
                         {"whole.jpg": "OK", "cut.jpg": "DAMAGED_JPEG"})
        self.server.jsonl("import", "d", folder)
        image = self.server.json("image", "get", "d", "cut.jpg")
        self.assertTrue(image["truncated"])
        self.assertGreater(image["warnings"], 0)
        out = os.path.join(self.folder, "damaged-out")
        self.server.run("export", "d", "--out", out)
        with open(os.path.join(out, "cut.jpg"), "rb") as file:
            self.assertEqual(file.read(), content[:len(content) // 2])
        kept = self.server.json("dataset", "describe", "d")["kept_files"]
        self.assertEqual(kept, {"DAMAGED_SCAN": {"images": 1, "bytes": len(content) // 2}})

    def test_names_that_are_not_utf8_cost_only_their_file(self):
        folder = os.fsencode(os.path.join(self.folder, "odd"))
        os.makedirs(folder)
        with open(os.path.join(folder, b"\xff.jpg"), "wb") as file:
            file.write(b"x")
        self.server.run("dataset", "create", "d")
        lines = self.server.jsonl("import", "d", os.fsdecode(folder), expect=1)
        self.assertEqual([line["status"] for line in lines], ["INVALID_IMAGE_ID"])

    def test_images(self):
        self.import_photos()
        images = self.server.jsonl("image", "list", "photos")
        self.assertEqual(len(images), 30)
        self.assertEqual(len(self.server.jsonl("image", "list", "photos", "--limit", "7")), 7)
        image = images[0]["image"]
        self.assertEqual(self.server.json("image", "get", "photos", image)["sha256"], images[0]["sha256"])
        copy = os.path.join(self.folder, "copy.jpg")
        self.server.run("image", "get", "photos", image, "--original", copy)
        with open(copy, "rb") as got, open(os.path.join(self.photos, image), "rb") as original:
            self.assertEqual(got.read(), original.read())
        self.server.run("image", "get", "photos", "nobody.jpg", expect=1)

    def test_export(self):
        self.import_photos()
        self.server.run("admin", "flush")
        out = os.path.join(self.folder, "out")
        lines = self.server.jsonl("export", "photos", "--out", out)
        self.assertEqual(len(lines), 30)
        for line in lines:
            self.assertEqual(line["status"], "OK")
            with open(os.path.join(self.photos, line["image"]), "rb") as before, open(line["file"], "rb") as after:
                self.assertEqual(before.read(), after.read())

        # What is there is left alone; what is missing or wrong comes again.
        first, second = lines[0]["file"], lines[1]["file"]
        os.remove(first)
        with open(second, "ab") as file:
            file.write(b"more")
        again = self.server.jsonl("export", "photos", "--out", out)
        self.assertEqual({line["file"] for line in again}, {first, second})
        self.assertEqual(self.server.jsonl("export", "photos", "--out", out), [])

        one = os.path.join(self.folder, "one")
        self.assertEqual(len(self.server.jsonl("export", "photos", "--out", one, "--image", lines[5]["image"])), 1)
        kept = self.server.json("dataset", "describe", "photos")["kept_files"]
        self.assertEqual(kept, {})

    def test_scan(self):
        self.import_photos()
        out = os.path.join(self.folder, "out")
        rows = self.server.jsonl("scan", "photos", "--scale", "2/8", "--out", out)
        self.assertEqual(len(rows), 30)
        for row in rows:
            with open(row["files"][0], "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        rows = self.server.jsonl("scan", "photos", "--coefficients", "--side", "2", "--out", out)
        for row in rows:
            self.assertEqual(row["components"][0]["frequencies"], [0, 1, 2, 4])
            with open(row["files"][0], "rb") as file:
                self.assertEqual(file.read(6), b"\x93NUMPY")

    def test_explain(self):
        self.import_photos()
        self.server.run("admin", "flush")
        self.register_model()
        text = self.server.run("explain", "photos", "--model", "shapes", "--analyze").stdout
        for word in ("datasets/photos", "models/shapes", "standard", "estimated", "actual", "storage", "decode",
                     "render", "model", "send"):
            self.assertIn(word, text)
        plan = self.server.json("explain", "photos", "--model", "shapes", "--analyze")
        self.assertEqual(plan["actual"]["rows"], plan["estimated"]["rows"])
        self.assertEqual(plan["actual"]["column_bytes"], plan["estimated"]["column_bytes"])
        self.assertLess(int(plan["estimated"]["column_bytes"]), int(plan["stored_bytes"]))

    def test_errors_name_cause_and_way_out(self):
        missing = self.server.run("infer", "nothing", "--model", "none", expect=1)
        self.assertIn("[MODEL_NOT_FOUND]", missing.stderr)
        self.assertIn("freqstore model list", missing.stderr)
        self.server.run("dataset", "create", "bad/name", expect=1)
        self.server.run("dataset", "create", "d")
        self.assertIn("[DATASET_EXISTS]", self.server.run("dataset", "create", "d", expect=1).stderr)
        self.server.run("import", "d", expect=2)
        self.server.run("scan", "d", "--scale", "9/8", "--out", "x", expect=2)
        self.server.run("infer", "d", "--model", "m", "--fidelity", "fine", expect=2)
        garbage = os.path.join(self.folder, "garbage.onnx")
        with open(garbage, "wb") as file:
            file.write(b"garbage")
        register = self.server.run("model", "register", "m", garbage, "--preset", "raw", expect=1)
        self.assertRegex(register.stderr, r"\[(NOT_AN_ONNX_FILE|INVALID_MODEL)\]")
        unreachable = subprocess.run([os.path.join(self.BIN_DIR, "freqstore"), "--server", "127.0.0.1:1", "dataset",
                                      "list"], capture_output=True, text=True)
        self.assertEqual(unreachable.returncode, 1)
        self.assertIn("--server", unreachable.stderr)

    def test_help_teaches_by_example(self):
        for command in ([], ["import"], ["infer"], ["scan"], ["explain"], ["model", "register"]):
            text = self.server.run(*command, "--help").stdout
            self.assertIn("freqstore ", text)

    def test_list_formats(self):
        for name in ("one", "two"):
            self.server.run("dataset", "create", name)
        self.assertEqual([d["dataset"] for d in self.server.json("dataset", "list")], ["datasets/one", "datasets/two"])
        self.assertEqual(len(self.server.run("dataset", "list").stdout.splitlines()), 3)
        self.server.run("dataset", "delete", "one")
        self.assertEqual(len(self.server.jsonl("dataset", "list")), 1)
        status = json.loads(self.server.run("--format", "json", "admin", "status").stdout)
        self.assertEqual(status["datasets"], 1)


if __name__ == "__main__":
    freqstore_process.run()
