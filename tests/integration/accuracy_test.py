"""Top-1 of pretrained networks over labelled validation images, through server and command line.

References (full decode with another decoder, another runtime): mobilenet_v2_1.0_224.dq 79.0, mobilenet_v1_0.25_128
50.3. A reduced read may cost what the decode definition allows.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import ServerTest, test_data

# model, fidelity, at least
EXPECTED = [
    ("mobilenet_v2_1.0_224.dq", "standard", 78.0),
    ("mobilenet_v2_1.0_224.dq", "exact", 78.6),
    ("mobilenet_v1_0.25_128.dq", "standard", 49.3),
    ("mobilenet_v1_0.25_128.dq", "exact", 49.8),
]


class AccuracyTest(ServerTest):
    def test_top_1(self):
        images = test_data("labeled/imagenet_val227/images")
        with open(test_data("labeled/imagenet_val227/labels.tsv")) as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        labels = {os.path.basename(row[0]): int(row[1]) for row in rows if row[1].isdigit()}
        self.assertEqual(len(labels), 1000)
        self.server.run("dataset", "create", "val")
        self.assertEqual(self.server.json("import", "val", images)["imported"], 1000)
        for model in sorted({model for model, _, _ in EXPECTED}):
            self.server.run("model", "register", model, test_data(f"models/imagenet/{model}.onnx"), "--preset",
                            "mobilenet", "--labels", test_data("models/imagenet/imagenet_labels_1000.txt"))
        for model, fidelity, least in EXPECTED:
            answers = self.server.jsonl("infer", "val", "--model", model, "--fidelity", fidelity)
            self.assertEqual(len(answers), 1000)
            right = sum(labels[answer["image"]] == answer["top"][0]["class"] for answer in answers)
            print(f"{model} {fidelity}: top-1 {right / 10:.1f} % (at least {least})")
            with self.subTest(model=model, fidelity=fidelity):
                self.assertGreaterEqual(right / 10, least)


if __name__ == "__main__":
    freqstore_process.run()
