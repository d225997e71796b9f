"""Attributes, filters and deletions, as a user types them."""

import json
import os
import pty
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import ServerTest

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "deploy", "sample")
PHOTOS = 60


class AttributesTest(ServerTest):
    SERVER_ARGUMENTS = ("--segment-images", "16")

    @classmethod
    def setUpClass(cls):
        cls.photos = cls.draw_photos(PHOTOS, labels=False)
        cls.ids = sorted(os.path.relpath(os.path.join(folder, name), cls.photos)
                         for folder, _, names in os.walk(cls.photos) for name in names)

    def setUp(self):
        super().setUp()
        self.server.run("dataset", "create", "photos")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def label_of(self, image):
        return image.split("/")[0]

    def import_with_attributes(self):
        """label and number of every image; taken of every second one."""
        lines = ["image\tlabel\tnumber\ttaken"]
        for i, image in enumerate(self.ids):
            lines.append(f"{image}\t{self.label_of(image)}\t{i}\t{'2026-01-31' if i % 2 == 0 else ''}")
        path = self.write("labels.tsv", "\n".join(lines) + "\n")
        return self.server.json("import", "photos", self.photos, "--recursive", "--attributes", path)

    def register_model(self):
        self.server.run("model", "register", "shapes", os.path.join(SAMPLE, "shapes.onnx"), "--labels",
                        os.path.join(SAMPLE, "shapes_labels.txt"), "--input-spec", os.path.join(SAMPLE, "shapes.json"))

    def listed(self, filter_text):
        return sorted(image["image"] for image in self.server.jsonl("image", "list", "photos", "--filter", filter_text))

    def test_import_with_tsv(self):
        summary = self.import_with_attributes()
        self.assertEqual(summary["imported"], PHOTOS)
        self.assertEqual(summary["images_without_attributes"], 0)
        self.assertEqual(summary["attributes_without_image"], 0)
        described = self.server.json("dataset", "describe", "photos")
        self.assertEqual(described["attributes"], {"label": "string", "number": "integer", "taken": "timestamp"})
        self.assertIn("number (integer)", self.server.run("dataset", "describe", "photos").stdout)
        image = self.server.json("image", "get", "photos", self.ids[4])
        self.assertEqual(image["attributes"],
                         {"label": self.label_of(self.ids[4]), "number": 4, "taken": "2026-01-31T00:00:00Z"})
        self.assertNotIn("taken", self.server.json("image", "get", "photos", self.ids[5])["attributes"])
        self.assertIn("attributes.number", self.server.run("image", "get", "photos", self.ids[4]).stdout)

    def test_import_with_json_lines(self):
        path = self.write("labels.jsonl", "".join(
            json.dumps({"image": image, "label": self.label_of(image), "score": i / 4, "good": i > 5, "code": str(i),
                        "taken:timestamp": "2026-01-31T12:00:00Z"}) + "\n"
            for i, image in enumerate(self.ids[:10] + ["nowhere.jpg"])))
        summary = self.server.json("import", "photos", self.photos, "--recursive", "--attributes", path)
        self.assertEqual(summary["images_without_attributes"], PHOTOS - 10)
        self.assertEqual(summary["attributes_without_image"], 1)
        self.assertEqual(self.server.json("dataset", "describe", "photos")["attributes"],
                         {"code": "string", "good": "bool", "label": "string", "score": "double", "taken": "timestamp"})
        self.assertEqual(self.listed("good = true"), self.ids[6:10])

    def test_faulty_files_send_nothing(self):
        for name, text, place in (("a.tsv", "image\tlabel\na.jpg\n", "a.tsv:2: "),
                                  ("b.tsv", "image\tn:integer\na.jpg\t1\nb.jpg\tx\n", "b.tsv:3: "),
                                  ("c.tsv", "image\twidth\na.jpg\t1\n", "c.tsv:1: "),
                                  ("d.jsonl", '{"image": "a.jpg"}\n{"image": }\n', "d.jsonl:2: ")):
            path = self.write(name, text)
            for command in (("import", "photos", self.photos, "--recursive"), ("image", "set", "photos")):
                self.assertIn(place, self.server.run(*command, "--attributes", path, expect=2).stderr)
        self.assertEqual(self.server.json("dataset", "describe", "photos")["images"], 0)
        self.server.run("import", "photos", self.photos, "--attributes", "/nowhere.tsv", expect=1)

    def test_filters(self):
        self.import_with_attributes()
        self.server.run("admin", "flush")
        label = self.label_of(self.ids[0])
        of_label = [image for image in self.ids if self.label_of(image) == label]
        condition = f"label = {label}"
        self.assertEqual(self.listed(condition), of_label)
        self.assertEqual(self.listed("number < 7"), self.ids[:7])
        self.assertEqual(self.listed("taken:*"), self.ids[::2])
        self.assertEqual(self.listed("taken > 2026-02-01"), [])
        self.assertEqual(self.listed("width > 0 AND NOT truncated = true"), self.ids)
        self.assertEqual(self.listed(f'image_id:"{label}/" AND number >= 0'), of_label)

        self.register_model()
        answers = self.server.jsonl("infer", "photos", "--model", "shapes", "--filter", condition)
        self.assertEqual(sorted(answer["image"] for answer in answers), of_label)
        scanned = self.server.jsonl("scan", "photos", "--scale", "1/8", "--out", os.path.join(self.folder, "scan"),
                                    "--filter", condition)
        self.assertEqual(sorted(row["image"] for row in scanned), of_label)
        exported = self.server.jsonl("export", "photos", "--out", os.path.join(self.folder, "out"), "--filter", condition)
        self.assertEqual(sorted(row["image"] for row in exported), of_label)
        for row in exported:
            with open(row["file"], "rb") as got, open(os.path.join(self.photos, row["image"]), "rb") as photo:
                self.assertEqual(got.read(), photo.read())
        plan = self.server.json("explain", "photos", "--model", "shapes", "--filter", condition)
        self.assertEqual(int(plan["images"]), len(of_label))
        self.assertIn(label, plan["filter"])
        self.assertIn("Filter", self.server.run("explain", "photos", "--scale", "1/8", "--filter", condition).stdout)
        self.assertEqual(self.server.json("explain", "photos", "--scale", "1/8", "--image", self.ids[0])["images"], "1")

    def test_faulty_filters_show_the_place(self):
        self.import_with_attributes()
        self.register_model()
        for command in (("image", "list", "photos"), ("infer", "photos", "--model", "shapes"),
                        ("export", "photos", "--out", self.folder), ("explain", "photos", "--scale", "1/8"),
                        ("scan", "photos", "--scale", "1/8", "--out", self.folder),
                        ("image", "delete", "photos", "--yes"), ("image", "set", "photos", "a=1")):
            errors = self.server.run(*command, "--filter", "number = 1 AND lable = dog", expect=1).stderr
            lines = errors.splitlines()
            self.assertRegex(lines[0], r"^error: column 16: .*label.* \[UNKNOWN_ATTRIBUTE\]$")
            self.assertEqual(lines[1], "  number = 1 AND lable = dog")
            self.assertEqual(lines[2], " " * 17 + "^")
        self.assertIn("[FILTER_TYPE]",
                      self.server.run("image", "list", "photos", "--filter", "number = x", expect=1).stderr)
        self.assertIn("[INVALID_FILTER]",
                      self.server.run("image", "list", "photos", "--filter", "number =", expect=1).stderr)
        self.server.run("scan", "photos", "--scale", "1/8", "--out", self.folder, "--image", "a", "--filter", "b:*",
                        expect=2)

    def test_set(self):
        self.import_with_attributes()
        one, two = self.ids[0], self.ids[1]
        result = self.server.json("image", "set", "photos", one, two, "label=odd", "score:double=1", "taken=")
        self.assertEqual(result, {"images": 2, "missing": []})
        self.assertEqual(self.server.json("image", "get", "photos", one)["attributes"],
                         {"label": "odd", "number": 0, "score": 1.0})
        self.assertEqual(self.listed("label = odd"), [one, two])

        # Filters, also over what was just set; types are the dataset's.
        result = self.server.json("image", "set", "photos", "--filter", "label = odd", "score=2", "label=123")
        self.assertEqual(result["images"], 2)
        self.assertEqual(self.server.json("image", "get", "photos", two)["attributes"]["label"], "123")
        self.assertEqual(self.listed("score >= 2"), [one, two])

        # A file: empty cells take away. What is missing is named.
        path = self.write("set.tsv", f"id\tlabel\tnumber\n{one}\tfile\t\nnobody.jpg\tx\t1\n")
        result = self.server.json("image", "set", "photos", "--attributes", path, expect=1)
        self.assertEqual(result, {"images": 1, "missing": ["nobody.jpg"]})
        self.assertEqual(self.server.json("image", "get", "photos", one)["attributes"], {"label": "file", "score": 2.0})
        self.assertIn("there is no image nobody.jpg",
                      self.server.run("image", "set", "photos", "nobody.jpg", "label=x", expect=1).stderr)

        for arguments in ((one,), ("label=x",), (one, "label=x", "--filter", "label:*"), (one, "number=x"),
                          (one, "width=1"), (one, "a:int=1"), (one, "label=x", "--attributes", path)):
            self.server.run("image", "set", "photos", *arguments, expect=2)

    def test_set_from_a_long_file(self):
        self.import_with_attributes()
        strangers = [f"nobody/{i}.jpg" for i in range(21000)]
        path = self.write("long.tsv", "id\tseen\n" + "".join(f"{image}\ttrue\n" for image in strangers + self.ids))
        result = self.server.json("image", "set", "photos", "--attributes", path, expect=1)
        self.assertEqual(result["images"], PHOTOS)
        self.assertEqual(result["missing"], strangers)
        self.assertEqual(self.listed("seen = true"), self.ids)

    def test_delete(self):
        self.import_with_attributes()
        self.server.run("admin", "flush")
        result = self.server.json("image", "delete", "photos", self.ids[0], self.ids[1])
        self.assertEqual((result["images"], result["missing"]), (2, []))
        ids = self.write("ids.txt", f"{self.ids[2]}\nnobody.jpg\n")
        result = self.server.json("image", "delete", "photos", "--ids-from", ids, expect=1)
        self.assertEqual((result["images"], result["missing"]), (1, ["nobody.jpg"]))
        asks = self.server.run("image", "delete", "photos", "--filter", "number < 10", expect=2)
        self.assertIn("--yes", asks.stderr)
        text = self.server.run("image", "delete", "photos", "--filter", "number < 10", "--yes").stdout
        self.assertRegex(text, r"deleted 7 images, deletion \d+")
        self.assertEqual(sorted(image["image"] for image in self.server.jsonl("image", "list", "photos")), self.ids[10:])
        self.server.run("image", "delete", "photos", expect=2)
        self.server.run("image", "delete", "photos", self.ids[20], "--filter", "number = 1", expect=2)

        deletions = self.server.jsonl("dataset", "deletions", "photos")
        self.assertEqual(sorted(deletion["images"] for deletion in deletions), [1, 2, 7])
        self.assertIn("number < 10", {deletion["selection"] for deletion in deletions})
        compacted = self.server.json("admin", "compact", "photos")
        self.assertTrue(compacted["purged"])
        self.assertEqual(compacted["damaged"], [])
        for deletion in self.server.jsonl("dataset", "deletions", "photos"):
            self.assertIsNotNone(deletion["purged"])
        described = self.server.json("dataset", "describe", "photos")
        self.assertEqual((described["images"], described["deleted_images"]), (PHOTOS - 10, 0))
        self.assertIn("nothing of what was deleted is on disk", self.server.run("admin", "compact", "photos").stdout)
        status = self.server.json("admin", "status")
        self.assertEqual(status["alarms"], [])
        self.assertIn("segments_compacted", status["maintenance"])

    def answer_on_terminal(self, answer):
        """Deletes by a filter on a terminal; gives what was shown, and the exit code."""
        ours, theirs = pty.openpty()
        command = self.server.command("image", "delete", "photos", "--filter", "number < 10")
        process = subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        shown = b""
        while not shown.endswith(b"[y/N] "):
            shown += os.read(ours, 1000)
        os.write(ours, answer)
        code = process.wait()
        os.close(ours)
        return shown.decode(), code

    def test_deletion_by_filter_asks_first(self):
        self.import_with_attributes()
        shown, code = self.answer_on_terminal(b"\n")
        self.assertIn("delete 10 images of photos", shown)
        self.assertEqual(code, 1)
        self.assertEqual(len(self.listed("number:*")), PHOTOS)
        self.assertEqual(self.answer_on_terminal(b"y\n")[1], 0)
        self.assertEqual(len(self.listed("number:*")), PHOTOS - 10)

    def test_help_teaches(self):
        for command in (["import"], ["export"], ["image", "list"], ["image", "set"], ["image", "delete"], ["infer"],
                        ["scan"], ["explain"], ["dataset", "deletions"], ["dataset", "describe"], ["admin", "compact"],
                        ["admin", "status"], ["admin", "flush"]):
            text = self.server.run(*command, "--help").stdout
            self.assertIn("Examples:\n  freqstore ", text)


if __name__ == "__main__":
    freqstore_process.run()
