# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every folder of examples/ with CUDA C++ runs and prints what its expected.txt says."""

import re

from cli import SOURCE, CliTest, main


class Examples(CliTest):
    pass


def add_test(folder):
    def test(self):
        sources = sorted(folder.glob("*.cu")) + sorted(folder.glob("*.cpp"))
        # What a program says of how it is run: "//   heddle run FILE -lNAME".
        command = re.search(r"^// +heddle run \S+((?: -l\w+)+)$", sources[0].read_text(encoding="utf-8"), re.M)
        libraries = command.group(1).split() if command else []
        expected = (folder / "expected.txt").read_text(encoding="utf-8")
        self.expect(self.heddle("run", *sources, *libraries, env={"HEDDLE_QUIET": "1"}), 0, expected, "")
        self.expect_clean()
    setattr(Examples, f"test_{folder.name.replace('-', '_')}", test)


FOLDERS = sorted(path.parent for path in (SOURCE / "examples").glob("*/expected.txt")
                 if not any(path.parent.glob("*.py")))  # tests/python runs those
if not FOLDERS:
    raise SystemExit("there are no examples")
for example in FOLDERS:
    add_test(example)

if __name__ == "__main__":
    main()
