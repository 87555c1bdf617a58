# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packaging/wheel/pack.py on a small tree: what becomes of links, and that the wheel is one."""
import base64
import csv
import hashlib
import io
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE"])


class Pack(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle pack test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = self.folder / "tree"
        self.write("bin/heddle", "program", 0o755)
        self.write("lib/libcublas.so.12", "cublas")
        self.link("lib/libcublas.so", "libcublas.so.12")
        self.write("lib/libcudnn.so.9", "cudnn")
        self.link("lib/libcudnn.so.8", "libcudnn.so.9")
        self.write("lib/libcuda.so.1", "cuda")
        self.link("lib/libcuda.so", "libcuda.so.1")
        self.link("lib/stubs/libcuda.so", "../libcuda.so")
        self.write("include/cuda.h", "header")
        toolkit = "share/heddle/toolkit"
        self.write(f"{toolkit}/bin/nvcc", "launcher", 0o755)
        self.write(f"{toolkit}/version.json", "{}")
        self.link(f"{toolkit}/include/cuda.h", "../../../../include/cuda.h")
        self.link(f"{toolkit}/lib64", "../../../lib")
        self.link(f"{toolkit}/targets/x86_64-linux/lib", "../../../../../lib")
        self.link(f"{toolkit}/targets/x86_64-linux/include", "../../include")

    def write(self, name, text, mode=0o644):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def link(self, name, target):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def pack(self):
        result = subprocess.run(
            [sys.executable, SOURCE / "packaging/wheel/pack.py", "--version", "1.2", "--tree", self.tree, "--packages",
             SOURCE / "python", "--readme", SOURCE / "packaging/wheel/README.md", "--licence", SOURCE / "LICENSE",
             self.folder], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return zipfile.ZipFile(self.folder / "heddle-1.2-py3-none-manylinux_2_31_x86_64.whl")

    def test_every_file_is_in_the_record_with_its_hash(self):
        wheel = self.pack()
        rows = list(csv.reader(io.StringIO(wheel.read("heddle-1.2.dist-info/RECORD").decode())))
        self.assertEqual(sorted(row[0] for row in rows), sorted(wheel.namelist()))
        for name, digest, size in rows:
            if not name.endswith("RECORD"):
                content = wheel.read(name)
                want = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, int(size)), (f"sha256={want}", len(content)), name)

    def test_links_become_what_stands_for_them(self):
        wheel = self.pack()
        read = lambda name: wheel.read(f"heddle/_tree/{name}").decode()
        self.assertEqual(read("lib/libcublas.so"), "INPUT(-l:libcublas.so.12)\n")
        self.assertEqual(read("lib/libcudnn.so.8"), "cudnn")
        links = dict(line.split("\t") for line in read("share/heddle/toolkit.links").splitlines())
        self.assertEqual(links["bin/nvcc"], "share/heddle/toolkit/bin/nvcc")
        self.assertEqual(links["include/cuda.h"], "include/cuda.h")
        self.assertEqual(links["lib64/libcublas.so"], "lib/libcublas.so.12")
        self.assertEqual(links["lib64/stubs/libcuda.so"], "lib/libcuda.so.1")
        self.assertEqual(links["targets/x86_64-linux/lib"], "../../lib64")
        self.assertEqual(links["targets/x86_64-linux/include"], "../../include")
        self.assertIn("version.json", links)
        self.assertFalse([name for name in wheel.namelist() if "toolkit/include" in name or "lib/stubs" in name])

    def test_programs_can_be_run(self):
        wheel = self.pack()
        for name, mode in (("bin/heddle", 0o755), ("share/heddle/toolkit/bin/nvcc", 0o755), ("include/cuda.h", 0o644)):
            self.assertEqual(stat.S_IMODE(wheel.getinfo(f"heddle/_tree/{name}").external_attr >> 16), mode, name)

    def test_the_same_tree_gives_the_same_wheel(self):
        first = pathlib.Path(self.pack().filename).read_bytes()
        self.assertEqual(first, pathlib.Path(self.pack().filename).read_bytes())

    def test_a_link_out_of_the_tree_is_refused(self):
        self.link("share/heddle/toolkit/bin/outside", "/etc/passwd")
        with self.assertRaisesRegex(AssertionError, "leads out of the tree"):
            self.pack()
        self.assertEqual([path.name for path in self.folder.iterdir()], ["tree"])


if __name__ == "__main__":
    unittest.main()
