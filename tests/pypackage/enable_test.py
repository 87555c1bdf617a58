# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.enable(): a process that was started without LD_LIBRARY_PATH finds Heddle as CUDA, and so do its children."""

import subprocess
import sys

from packaged import BUILD, PACKAGE, SOURCE, PackageTest, main, require_environment

PROGRAM = """\
import runpy, sys
import heddle
heddle.enable()
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Enable(PackageTest):
    def run_code(self, code, *arguments, **more):
        (self.work / "program.py").write_text(code)
        return self.python("program.py", *arguments, **more)

    def test_examples(self):
        for folder, program in (("13-python-numba", "kernels.py"), ("14-python-nvrtc", "saxpy.py")):
            with self.subTest(program):
                path = SOURCE / "examples" / folder
                # Without enable() there is nothing to be found, or the test would show nothing.
                self.assertNotEqual(self.python(path / program).returncode, 0)
                self.expect(self.run_code(PROGRAM, path / program), out=(path / "expected.txt").read_text())

    def test_libraries_by_name(self):
        names = ["libcuda.so.1", "libcudart.so.12", "libnvrtc.so.12", "libnvvm.so.4", "libnvJitLink.so.12"]
        # Those that this build has.
        names += [name for name in ("libcublas.so.12", "libcufft.so.11", "libcurand.so.10") if (BUILD / "lib" / name).exists()]
        done = self.expect(self.run_code(f"""
import ctypes, heddle
heddle.enable()
for name in {names}:
    ctypes.CDLL(name)
maps = open("/proc/self/maps").read()
print(sorted(name for name in {names} if "/lib/" + name in maps) == sorted({names}))
"""), err="")
        self.assertEqual(done.stdout, "True\n")

    def test_children_and_twice(self):
        done = self.expect(self.run_code("""
import os, subprocess, sys, heddle
home = heddle.enable()
first = dict(os.environ)
print(heddle.enable() == home, dict(os.environ) == first, os.environ["CUDA_HOME"] == str(home))
sys.stdout.flush()
subprocess.run("nvcc --version | grep release; nvidia-smi -L | cut -d: -f1", shell=True, check=True)
subprocess.run([sys.executable, "-c", "import ctypes; ctypes.CDLL('libcuda.so.1'); print('found')"], check=True)
""", env={"LD_LIBRARY_PATH": "/some/where"}), err="")
        self.assertEqual(done.stdout, "True True True\nCuda compilation tools, release 13.0, V13.0.88\nGPU 0\nfound\n")

    def test_as_heddle_env_says(self):
        names = "CUDA_HOME CUDA_PATH PATH LD_LIBRARY_PATH".split()
        show = "import os; print([os.environ[n] for n in %r])" % names
        shell = subprocess.run(["sh", "-ec", f'eval "$("{BUILD}/bin/heddle" env)"; exec "$0" -c "$1"', sys.executable, show],
                               env={**self.env, "LD_LIBRARY_PATH": "/some/where"}, capture_output=True, text=True, check=True)
        here = self.expect(self.run_code("import heddle; heddle.enable(); " + show, env={"LD_LIBRARY_PATH": "/some/where"}))
        self.assertEqual(here.stdout, shell.stdout)

    def test_jax_sees_a_device(self):
        """What JAX takes for one are device files; the modules here are named as JAX's are."""
        package = self.work / "jax" / "_src"
        package.mkdir(parents=True)
        for name in ("../__init__.py", "__init__.py"):
            (package / name).write_text("")
        (package / "hardware_utils.py").write_text("other = 3\ndef has_visible_nvidia_gpu(): return False\n")
        asked = "from jax._src import hardware_utils as h; print(h.has_visible_nvidia_gpu(), h.other)\n"
        self.assertEqual(self.run_code(asked).stdout, "False 3\n")
        self.assertEqual(self.expect(self.run_code("import heddle; heddle.enable(); " + asked), err="").stdout, "True 3\n")
        started = self.run_code(asked, env={"PYTHONPATH": str(BUILD / "share" / "heddle" / "python")}) # as heddle env sets it
        self.assertEqual(self.expect(started, err="").stdout, "True 3\n")
        late = self.run_code(asked + "import heddle; heddle.enable(); print(h.has_visible_nvidia_gpu())")
        self.assertEqual(late.stdout, "False 3\nTrue\n")
        (package / "hardware_utils.py").write_text("other = 3\n")  # a version that looks elsewhere
        self.expect(self.run_code("import heddle; heddle.enable(); from jax._src.hardware_utils import *; print(other)"),
                    out="3\n", err="")

    def test_another_driver(self):
        """A library of NVIDIA's name that is in the process already."""
        foreign = self.folder / "nvidia"
        foreign.mkdir()
        source = self.folder / "empty.c"
        source.write_text("int nothing;\n")
        for name, code, word in (("libcuda.so.1", 3, "HeddleError"), ("libnvrtc.so.12", 0, "warning")):
            subprocess.run(["cc", "-shared", "-fPIC", f"-Wl,-soname,{name}", source, "-o", foreign / name], check=True)
            done = self.run_code(f"""
import ctypes, sys, warnings
ctypes.CDLL({str(foreign / name)!r})
import heddle
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    try:
        heddle.enable()
    except heddle.HeddleError as error:
        print("HeddleError", error)
        sys.exit(3)
print(*("warning " + str(one.message) for one in told))
""")
            self.expect(done, code, out_has=[word, str(foreign / name), "restart Python"])

    def test_imported_before(self):
        code = "from cuda.bindings import driver\nimport heddle\nheddle.enable()\nprint(driver.cuInit(0))\n"
        done = self.expect(self.run_code(code), err_has=["cuda.bindings", "imported before heddle.enable()", "program.py:3"])
        self.assertIn("CUDA_SUCCESS", done.stdout) # it has not looked so far
        self.expect(self.run_code("import json, heddle\nheddle.enable()\n"), out="", err="")

    def test_no_heddle(self):
        code = "import heddle\ntry:\n  heddle.enable()\nexcept heddle.HeddleError as error:\n  print(error)\n"
        self.expect(self.run_code(code, env={"HEDDLE_HOME": str(self.work)}), out_has="no Heddle in it")


require_environment()
if __name__ == "__main__":
    main()
