"""A scan of reduced images reads what its plan says, and little of it."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import ServerTest, test_data


class ScanBytesTest(ServerTest):
    def test_bytes_of_reduced_scans(self):
        photos = test_data("photos/imagenet500")
        self.server.run("dataset", "create", "photos")
        self.assertEqual(self.server.json("import", "photos", photos)["imported"], 500)
        self.server.run("admin", "flush")
        read = {}
        for k in (2, 8):
            plan = self.server.json("explain", "photos", "--scale", f"{k}/8", "--analyze")
            estimated = int(plan["estimated"]["column_bytes"])
            read[k] = int(plan["actual"]["column_bytes"])
            print(f"k={k}: planned {estimated}, read {read[k]} bytes of the columns family")
            self.assertEqual(int(plan["actual"]["rows"]), 500)
            self.assertLessEqual(abs(read[k] - estimated), 0.05 * estimated)
        self.assertLess(read[2], read[8] / 4)


if __name__ == "__main__":
    freqstore_process.run()
