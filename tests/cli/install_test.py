# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An installed Heddle works by itself: it needs nothing of the build folder or the repository."""

import os
import shutil

from cli import BUILD, HELLO, SOURCE, CliTest, main


class Install(CliTest):
    def alone(self, *command):
        """Runs a command while the build folder and the repository are empty, if we may do that."""
        hide = " && ".join(f"mount -t tmpfs none '{folder}'" for folder in (BUILD, SOURCE))
        if self.command("unshare", "-rm", "sh", "-c", hide).code != 0:
            return self.command(*command)
        return self.command("unshare", "-rm", "sh", "-c", f'{hide} && cd "$PWD" && exec "$@"', "sh",
                            *command)

    def test_installed(self):
        prefix = self.folder / "first"
        self.expect(self.command("cmake", "--install", BUILD, "--prefix", prefix), 0)
        # Moved, so that nothing can rest on where it was installed.
        place = self.folder / "moved to here"
        shutil.move(prefix, place)
        self.env["PATH"] = f"{place}/bin:{os.environ['PATH']}"
        self.write("hello.cu", HELLO)
        self.expect(self.alone("heddle", "run", "hello.cu"), 0, "thread 0 of 2\nthread 1 of 2\n", "")
        self.write("atomic.cu", "#include <cuda/atomic>\n__device__ cuda::atomic<int> i;\nint main() {}\n")
        self.expect(self.alone("heddlecc", "-c", "atomic.cu"), 0, "", "")
        self.assertTrue((place / "share/doc/heddle/cccl/License.txt").exists())
        self.expect(self.alone("heddle", "doctor"), 0, err="",
                    out_has=[f"{place}/lib/libcudart.so", f"{place}/include/cuda_runtime.h"])
        self.expect(self.heddle("devices", env={"HEDDLE_GPU": "h200"}), 0, out_has="NVIDIA H200")
        self.expect(self.heddlecc("hello.cu", "-o", "hello"), 0, "", "")
        libraries = self.expect(self.command("ldd", "hello"), 0).out
        self.assertIn(f"{place}/lib/libcudart.so.13", libraries)
        self.assertNotIn(str(BUILD), libraries)


if __name__ == "__main__":
    main()
