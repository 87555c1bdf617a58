# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle toolkit and heddle env: what makefiles and notebooks take for /usr/local/cuda."""

import json
import os
import shutil

from cli import BUILD, HELLO, CliTest, main

MAKEFILE = """\
CUDA_HOME ?= /usr/local/cuda
NVCC := $(CUDA_HOME)/bin/nvcc
VERSION := $(shell $(NVCC) --version | grep release | sed 's/.*release \\([0-9]*\\).*/\\1/')
ifneq ($(VERSION),13)
$(error no CUDA 13)
endif
all: hello host
hello: hello.cu
\tnvcc -O2 -o $@ $<
host: host.cpp
\t$(CXX) -I$(CUDA_HOME)/include -o $@ $< -L$(CUDA_HOME)/lib64 -lcudart_static -lcudadevrt -lrt -ldl
"""

HOST = """\
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  int version;
  if (cudaRuntimeGetVersion(&version) != cudaSuccess) return 1;
  std::printf("%d\\n", version);
}
"""


class Toolkit(CliTest):
    def make(self, name="cuda"):
        self.expect(self.heddle("toolkit", name), 0, err="", out_has=str(self.work / name))
        return self.work / name

    def test_shape(self):
        folder = self.make()
        for name in ("bin/nvcc", "bin/ptxas", "bin/nvdisasm", "bin/nvidia-smi", "include/cuda_runtime.h", "lib64/libcudart.so",
                     "lib64/stubs/libcuda.so",
                     "targets/x86_64-linux/include/cuda.h", "targets/x86_64-linux/lib/libcudart.so"):
            self.assertTrue((folder / name).exists(), name)
        version = json.loads((folder / "version.json").read_text())
        self.assertEqual(version["cuda"]["version"], "13.0.88")
        self.expect(self.command(folder / "bin/nvcc", "--version"), 0,
                    out_has="Cuda compilation tools, release 13.0, V13.0.88\n")
        self.expect(self.command(folder / "bin/nvidia-smi", "-L"), 0, out_has="GPU 0: Tesla T4")

    def test_makefile(self):
        folder = self.make("a folder/cuda")
        link = self.work / "cuda" # a makefile takes no path with spaces
        os.symlink(folder, link)
        self.write("hello.cu", HELLO)
        self.write("host.cpp", HOST)
        self.write("Makefile", MAKEFILE)
        self.expect(self.command("make", "-j2", "-s", env={
            "CUDA_HOME": str(link), "PATH": f"{link}/bin:{os.environ['PATH']}"}), 0, "", "")
        self.expect(self.command("./hello"), 0, "thread 0 of 2\nthread 1 of 2\n", "")
        # Linked by g++ with -lcudart_static: it finds the library by itself, from anywhere.
        self.expect(self.command(self.work / "host", cwd="/"), 0, "13000\n", "")

    def test_env(self):
        self.write("hello.cu", HELLO)
        # Heddle's own folder, and one with letters that a shell could take for its own.
        for arguments, folder in [("", None), ("\"it's a \\$folder\"", "it's a $folder")]:
            if folder:
                self.make(folder)
            script = f'eval "$(heddle env {arguments})" && echo "$CUDA_HOME" && nvcc hello.cu -o h' \
                     ' && ./h && nvidia-smi -L >/dev/null && test -e "$CUDA_PATH/version.json"'
            result = self.expect(self.command("sh", "-ec", script), 0, err="",
                                 out_has="thread 1 of 2\n")
            if folder:
                self.assertTrue(result.out.startswith(str(self.work / folder) + "\n"), result)
        self.expect(self.heddle("env", "nowhere"), 1, "", err_has="not made by heddle toolkit")
        answer = self.heddle("env", "--json")
        self.expect(answer, 0, err="")
        names = json.loads(answer.out)
        shown = self.command("sh", "-ec", 'PATH=/bin; unset LD_LIBRARY_PATH; eval "$("$0" env)"; echo "$CUDA_HOME:$CUDA_PATH:$LD_LIBRARY_PATH:$PATH"',
                             shutil.which("heddle", path=self.env["PATH"]))
        self.assertEqual(shown.out, ":".join([names["set"]["CUDA_HOME"], names["set"]["CUDA_PATH"], names["before"]["LD_LIBRARY_PATH"],
                                              names["before"]["PATH"], "/bin\n"]))
        self.expect(self.heddle("env", "--json", "--lib"), 2, "", err_has="exclude each other")
        libraries = self.heddle("env", "--lib")
        self.expect(libraries, 0, err="")
        self.assertTrue(os.path.exists(os.path.join(libraries.out.strip(), "libcuda.so.1")))

    def test_again(self):
        folder = self.make()
        (folder / "bin/nvcc").unlink()
        self.write("cuda/bin/mine", "kept")
        self.make()
        self.assertTrue((folder / "bin/nvcc").exists())
        self.assertEqual((folder / "bin/mine").read_text(), "kept")
        self.assertEqual(self.files(folder / "bin"), ["bin2c", "compute-sanitizer", "cuda-memcheck", "cuobjdump", "mine",
                                                       "ncu", "nsys", "nvc", "nvc++", "nvcc", "nvdisasm", "nvidia-cuda-mps-control", "nvidia-smi",
                                                       "nvprof", "nvprune", "pgc++", "pgcc", "ptxas"])
        for part in ("lib64/libnvrtc.so.12", "lib64/libnvJitLink.so.12", "nvvm/lib64/libnvvm.so.4",
                     "nvvm/include/nvvm.h", "include/cccl/cuda/atomic", "nvvm/libdevice/libdevice.10.bc"):
            self.assertTrue((folder / part).exists(), part)
        self.expect(self.command(folder / "bin/cuobjdump", "--help"), 0, out_has="--dump-ptx")

    def test_headers_named_by_makefiles(self):
        """-I$CUDA_HOME/include: Heddle's own headers are not the program's, whose mistakes are refused."""
        folder = self.make()
        self.write("k.cu", "#include <cuda_fp16.h>\n#include <cub/cub.cuh>\ntexture<float> t;\n"
                   "__global__ void k(float *p) { *p = tex1Dfetch(t, 0); }\nint main() {}\n")
        for include in (folder, BUILD / "share/heddle/toolkit"):
            self.expect(self.command(folder / "bin/nvcc", f"-I{include}/include", f"-I{include}/include/cccl", "-c", "k.cu"), 0, "", "")

    def test_not_ours(self):
        self.write("other/version.json", '{"cuda": {"name": "CUDA SDK"}}')
        self.write("other/bin/nvcc", "theirs")
        self.expect(self.heddle("toolkit", "other"), 1, "",
                    err_has=["was not made by heddle toolkit", "left as it is"])
        self.assertEqual((self.work / "other/bin/nvcc").read_text(), "theirs")
        self.assertEqual(self.files(self.work / "other"), ["bin", "version.json"])
        self.write("file", "content")
        self.expect(self.heddle("toolkit", "file"), 1, "", err_has="is not a folder")
        self.assertEqual((self.work / "file").read_text(), "content")
        # Ours, but a file of the user's is where a link should be.
        folder = self.make()
        (folder / "bin/nvcc").unlink()
        self.write("cuda/bin/nvcc", "mine")
        self.expect(self.heddle("toolkit", "cuda"), 1, "", err_has="in the way")
        self.assertEqual((folder / "bin/nvcc").read_text(), "mine")

    def test_not_writable(self):
        self.expect(self.heddle("toolkit", "/proc/cuda"), 1, "", err_has="/proc/cuda")
        self.expect(self.heddle("toolkit"), 2, "", err_has="FOLDER")

    def test_disk_full(self):
        # A file system with room for folders and links only in part: nothing stays behind.
        full = self.folder / "full"
        full.mkdir()
        script = f'mount -t tmpfs -o nr_inodes=8 none "{full}" && cd "{full}" && ' \
                 'if heddle toolkit cuda; then exit 9; fi; ls -A'
        result = self.command("unshare", "-rm", "sh", "-c", script)
        if "unshare" in result.err or "mount" in result.err:
            self.skipTest("no file system of our own here")
        self.expect(result, 0, "", err_has="No space left on device")


if __name__ == "__main__":
    main()
