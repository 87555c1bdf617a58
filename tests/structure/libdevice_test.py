#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libdevice.10.bc is what compilers other than Heddle's link into their modules: the __nv_* functions, for any GPU,
without flags that could collide with those of the module.
"""
import os
import pathlib
import re
import subprocess
import unittest

BUILD = pathlib.Path(os.environ.get("HEDDLE_BUILD", "build")).resolve()
LIBDEVICE = BUILD / "share" / "heddle" / "toolkit" / "nvvm" / "libdevice" / "libdevice.10.bc"


class Libdevice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = subprocess.run([os.environ["LLVM_DIS"], "-o", "-", LIBDEVICE], check=True, capture_output=True,
                                  text=True).stdout

    def test_functions(self):
        names = re.findall(r"^define (?!internal)[^@]*@([\w.]+)\(", self.text, flags=re.M)
        self.assertGreater(len(names), 300)
        self.assertEqual([name for name in names if not name.startswith("__nv_")], [])

    def test_no_flags_of_modules(self):
        self.assertNotIn("!llvm.module.flags", self.text)

    def test_for_no_kind_of_gpu(self):
        self.assertNotIn('"target-cpu"', self.text)
        self.assertNotIn('"target-features"', self.text)


if __name__ == "__main__":
    unittest.main()
