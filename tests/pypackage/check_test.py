# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle check and heddle profile of Python programs: found in PATH, with the places of Python code in findings."""

import json
import os
import shutil
import sys

from packaged import BUILD, SOURCE, PackageTest, main

sys.path.insert(0, str(SOURCE / "tests" / "cli"))
import browser

PROGRAM = SOURCE / "tests" / "pypackage" / "gpu_work.py"

HOST = """\
import ctypes, sys, threading
import gpu_work

cuda, function = gpu_work.kernel()
core = ctypes.CDLL("libheddle_core.so.0")
memory, out = ctypes.c_void_p(), (ctypes.c_uint8 * 4)()
enter = getattr(core, "__heddleHostScope")
cuda.cuMemAlloc_v2(ctypes.byref(memory), 400)
if sys.argv[1:] == ["scope"]:
    enter(0)  # without its 1 it means nothing
    enter(1)
thread = threading.Thread(target=ctypes.memset, args=(memory, 7, 400))
thread.start()
thread.join()
if sys.argv[1:] == ["scope"]:
    enter(0)
cuda.cuMemcpyDtoH_v2(out, memory, 4)
print(out[0])
"""


def line_of(mark):
    return next(number for number, line in enumerate(PROGRAM.read_text().splitlines(), 1) if line.endswith(mark))


class Check(PackageTest):
    def setUp(self):
        super().setUp()
        shutil.copy(PROGRAM, self.work)
        (self.work / "bin").mkdir()
        os.symlink(sys.executable, self.work / "bin" / "snake")
        self.env["PATH"] = f"{self.work / 'bin'}:{self.env['PATH']}"

    def heddle(self, *arguments):
        return self.run_program(BUILD / "bin" / "heddle", *arguments)

    def test_right_program(self):
        # What follows a program's name is its own.
        self.expect(self.heddle("check", "snake", "gpu_work.py", "100", "--json"), out="done 100 --json\n",
                    err_has="heddle check: nothing found")

    def test_places_of_python_code(self):
        done = self.expect(self.heddle("check", "--json", "snake", "gpu_work.py", "101", "twice"), 1)
        access, free = json.loads(done.stdout.splitlines()[-1])["findings"]
        self.assertEqual(access["kind"], "out-of-bounds")
        launched = [(place["function"], os.path.basename(place["file"]), place["line"]) for place in access["launched"]]
        self.assertIn(launched[0][0], ("Work.run", "run"))  # before Python 3.11
        self.assertEqual(launched[0][1:], ("gpu_work.py", line_of("# launched")))
        self.assertEqual(launched[1][0], "<module>")
        self.assertIn(f"gpu_work.py:{line_of('# allocated')}", access["object"])
        self.assertEqual(free["kind"], "wrong-free")
        self.assertIn(f"gpu_work.py:{line_of('# freed again')}", free["what"])

    def test_scripts(self):
        script = self.work / "bin" / "my-tool"
        script.write_text(f"#!{sys.executable}\nimport gpu_work\ngpu_work.Work().run(101)\n")
        script.chmod(0o755)
        self.env["PYTHONPATH"] = str(self.work)
        if " " in sys.executable:
            self.skipTest("the kernel has no #! lines with spaces")
        self.expect(self.heddle("check", "my-tool"), 1, err_has="called from <module> at bin/my-tool:3")
        self.expect(self.heddle("check", "bin/my-tool"), 1, err_has="called from <module> at bin/my-tool:3")

    def test_host_code_of_the_platform(self):
        """As ATen's CPU kernels compute CUDA tensors: in a scope, on any thread."""
        (self.work / "host.py").write_text(HOST)
        self.expect(self.heddle("check", "--only", "memory,init", "snake", "host.py", "scope"), out="7\n",
                    err_has="nothing found")
        self.expect(self.heddle("check", "--only", "memory", "snake", "host.py"), 1, out="7\n",
                    err_has=["host code writes memory of a device", "by cuMemAlloc_v2 in <module> at host.py:8"])

    def test_profile(self):
        place = f"at gpu_work.py:{line_of('# launched')}, called from <module> at gpu_work.py:{line_of('# the first')}: 1 launch, "
        self.expect(self.heddle("profile", "--html", "page.html", "snake", "gpu_work.py", "100"), out="done 100\n",
                    err_has=["fill: 1 launch,", place])
        done = self.expect(self.heddle("profile", "--json", "snake", "gpu_work.py", "100"))
        kernel, = json.loads(done.stdout.splitlines()[-1])["kernels"]
        launcher, = kernel["launchers"]
        self.assertEqual((launcher["launches"], launcher["nanoseconds"]), (1, kernel["nanoseconds"]))
        self.assertEqual([call["line"] for call in launcher["calls"]], [line_of("# launched"), line_of("# the first")])
        if not browser.program():
            self.skipTest("chromium is not installed (Debian package chromium; ./dev setup)")
        page = browser.Browser(self.folder / "browser")
        self.addCleanup(page.close)
        page.open(self.work / "page.html")
        page.wait("document.querySelector('.launchers li') !== null")
        self.assertIn(place, page.value("document.querySelector('.launchers li').textContent"))
        self.assertEqual(page.complaints(), [])

    def test_no_such_program(self):
        for command in ("check", "profile"):
            self.expect(self.heddle(command, "no-snake", "x.py"), 2,
                        err=f"heddle {command}: no-snake: no such file here, and no such program in PATH\n")
            self.expect(self.heddle(command, "gpu_work.py"), 2, err_has="gpu_work.py is not executable; Python runs it")


if __name__ == "__main__":
    main()
