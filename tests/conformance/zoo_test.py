"""Odd and hostile files: each is taken or refused as zoo_reasons.tsv says, and what was taken comes back.

See README.md for what the columns and reasons mean.
"""

import collections
import csv
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import test_data
from round_trip import RoundTripTest, peak_resident_bytes

TABLE = os.path.join(os.path.dirname(__file__), "zoo_reasons.tsv")
# Of a file's import, the start of the command included; measured: below 0.2.
SECONDS_MAX = 5


def read_table():
    with open(TABLE, newline="") as file:
        return {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}


class ZooTest(RoundTripTest):
    def import_file(self, path):
        """The status of one file, and the seconds that it took."""
        started = time.monotonic()
        command = self.server.command("--format", "jsonl", "import", "zoo", path)
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
        outcome = json.loads(done.stdout)
        self.assertEqual(outcome["image"], os.path.basename(path))
        self.assertEqual(done.returncode, 0 if outcome["status"] == "OK" else 1)
        return outcome["status"], time.monotonic() - started

    def test_every_file_is_taken_or_refused_as_the_table_says(self):
        zoo = test_data("zoo")
        table = read_table()
        self.assertEqual(len(table), 209)
        self.server.run("dataset", "create", "zoo", "--layout", "balanced")
        statuses = {}
        seconds = {}
        for name in table:
            statuses[name], seconds[name] = self.import_file(os.path.join(zoo, name))
        self.assertEqual(statuses, {name: row["result"] for name, row in table.items()})

        accepted = {name: row for name, row in table.items() if row["result"] == "OK"}
        self.assertEqual(self.server.json("dataset", "describe", "zoo")["images"], len(accepted))
        print(f"{len(accepted)} of {len(table)} taken, peak {peak_resident_bytes(self.server) >> 20} MiB; slowest:",
              ", ".join(f"{name} {seconds[name]:.2f} s" for name in sorted(seconds, key=seconds.get)[-3:]))
        originals = {os.path.basename(name): os.path.join(zoo, name) for name in accepted}
        self.check_export_everywhere("zoo", originals, "compact")
        kept = collections.Counter(row["original"] for row in accepted.values())
        del kept["REBUILT"]
        self.assertEqual(self.kept_images("zoo"), kept)
        print("refused:", dict(collections.Counter(row["result"] for row in table.values() if row["result"] != "OK")),
              "kept whole:", dict(kept))

    def test_refused_files_end_no_stream(self):
        zoo = test_data("zoo")
        table = read_table()
        self.server.run("dataset", "create", "zoo")
        outcomes = {line["image"]: line for line in self.server.jsonl("import", "zoo", zoo, "--recursive", expect=1)}
        for name, row in table.items():
            self.assertEqual(outcomes[name]["status"], row["result"], name)
            self.assertEqual("message" in outcomes[name], row["result"] != "OK")
        self.check_peak_memory()


if __name__ == "__main__":
    freqstore_process.run()
