# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m heddle and the console scripts: they become Heddle's programs, or say why not."""

import os
import shutil
import sys
import unittest

from packaged import BUILD, PACKAGE, PackageTest, main

sys.path.insert(0, str(PACKAGE))
from heddle import _machine  # noqa: E402

SCRIPT = "import sys; from heddle._launch import {0}; sys.argv[0] = '{0}'; {0}()"


class Launch(PackageTest):
    def test_module_is_the_command(self):
        done = self.expect(self.python("-m", "heddle", "env"), err="")
        self.assertIn(f"export CUDA_HOME='{BUILD}/share/heddle/toolkit'\n", done.stdout)
        self.expect(self.python("-m", "heddle", "no-such-command"), 2, "", err_has="unknown command 'no-such-command'")

    def test_console_scripts(self):
        self.expect(self.python("-c", SCRIPT.format("heddle"), "--version"), out_has="Heddle ", err="")
        self.expect(self.python("-c", SCRIPT.format("heddlecc"), "--version"), out_has="release 13.0", err="")
        # Words stay as they are, and so does the exit code.
        program = '#include <cstdio>\nint main(int n, char **v) { for (int i = 1; i < n; ++i) std::puts(v[i]); return 7; }\n'
        (self.work / "words.cu").write_text(program)
        self.expect(self.python("-c", SCRIPT.format("heddle"), "run", "words.cu", "--", "a b", "", "*"), 7, "a b\n\n*\n", err="")

    def test_home_in_another_folder(self):
        relative = os.path.relpath(BUILD, self.work)
        self.expect(self.python("-m", "heddle", "env", env={"HEDDLE_HOME": relative}),
                    out_has=f"'{BUILD}/share/heddle/toolkit'", err="")

    def test_in_the_wheel(self):
        """_tree beside the modules, as the wheel has it; the folder's name has a space."""
        shutil.copytree(PACKAGE / "heddle", self.folder / "site" / "heddle", ignore=shutil.ignore_patterns("__pycache__"))
        os.symlink(BUILD, self.folder / "site" / "heddle" / "_tree")
        env = {"PYTHONPATH": str(self.folder / "site"), "HEDDLE_HOME": ""}
        done = self.expect(self.python("-c", "import heddle; print(heddle.root())", env=env), err="")
        self.assertEqual(done.stdout, f"{self.folder.resolve() / 'site/heddle/_tree'}\n")
        self.expect(self.python("-m", "heddle", "--version", env=env), out_has="Heddle ", err="")


class Refusals(PackageTest):
    """Each is a sentence and an exit code."""

    def fake_home(self, text="", mode=0o755):
        home = self.folder / "home"
        (home / "share" / "heddle").mkdir(parents=True)
        (home / "bin").mkdir()
        program = home / "bin" / "heddle"
        program.write_text(text)
        program.chmod(mode)
        return {"HEDDLE_HOME": str(home)}

    def refused(self, code, words, **settings):
        done = self.expect(self.python("-m", "heddle", "env", **settings), code, "", err_has=words)
        self.assertTrue(done.stderr.startswith("heddle: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_no_heddle(self):
        self.refused(127, "install the wheel with pip, or set HEDDLE_HOME", env={"HEDDLE_HOME": ""})
        self.refused(127, "HEDDLE_HOME is /nowhere, but", env={"HEDDLE_HOME": "/nowhere"})

    def test_program_missing(self):
        env = self.fake_home()
        (self.folder / "home/bin/heddle").unlink()
        self.refused(127, "bin/heddle is missing", env=env)

    def test_not_executable(self):
        self.refused(126, "is not executable", env=self.fake_home(mode=0o644))

    def test_no_program(self):
        self.refused(126, "Exec format error", env=self.fake_home("\x7fELF"))

    def test_no_loader(self):
        self.refused(126, "glibc", env=self.fake_home("#!/no/such/loader\n"))

    @unittest.skipUnless(shutil.which("setarch"), "setarch is not installed")
    def test_another_machine(self):
        self.refused(126, "for x86-64, and this machine is i686", before=["setarch", "i686"])

    def test_old_processor(self):
        # An Athlon 64 of 2004, and a core that QEMU calls qemu64.
        old = "processor\t: 0\nflags\t\t: fpu vme mmx sse sse2 syscall nx lm pni\n\nprocessor\t: 1\nflags\t\t: fpu\n"
        self.assertEqual(_machine.missing_flags(old), ["cx16", "lahf_lm", "popcnt", "ssse3", "sse4_1", "sse4_2"])
        new = "flags\t\t: " + " ".join(("cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2", "avx2"))
        self.assertEqual(_machine.missing_flags(new), [])
        self.assertEqual(_machine.missing_flags("nothing of the kind"), [])


if __name__ == "__main__":
    main()
