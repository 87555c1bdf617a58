# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache of compiled kernels under bad conditions: it may be slow, never wrong."""

import os
import shutil
import signal
import subprocess
import time

from cli import BUILD, HELLO, CliTest, main

EXPECTED = "thread 0 of 2\nthread 1 of 2\n"


class Cache(CliTest):
    def setUp(self):
        super().setUp()
        self.write("hello.cu", HELLO)
        # One entry a program: the SIMD engine makes one for each kind of block.
        self.env["HEDDLE_ENGINE"] = "reference"

    def entries(self):
        return sorted(self.cache.rglob("*.so"))

    def build(self):
        self.expect(self.heddlecc("hello.cu", "-o", "hello"), 0, "", "")

    def test_folder_cannot_be_made(self):
        for cache in ("/dev/null/x", "/proc/heddle"):
            self.expect(self.heddle("run", "hello.cu", env={"HEDDLE_CACHE": cache}), 0, EXPECTED, "")
            self.expect_clean()
            self.expect(self.heddle("cache", env={"HEDDLE_CACHE": cache}), 0, out_has="entries  0")
            self.expect(self.heddle("cache", "clear", env={"HEDDLE_CACHE": cache}), 0)

    def test_folder_given_by_xdg_and_home(self):
        env = {"HEDDLE_CACHE": "", "XDG_CACHE_HOME": str(self.folder / "xdg")}
        self.expect(self.heddle("cache", env=env), 0, out_has=f"folder   {self.folder}/xdg/heddle\n")
        env = {"HEDDLE_CACHE": "", "XDG_CACHE_HOME": "", "HOME": str(self.folder)}
        self.expect(self.heddle("cache", env=env), 0,
                    out_has=f"folder   {self.folder}/.cache/heddle\n")

    def test_nothing_ahead(self):
        lazy = {"HEDDLE_LAZY": "1"}
        self.expect(self.heddlecc("hello.cu", "-o", "hello", env=lazy), 0, "", "")
        self.assertEqual(self.entries(), [])
        self.expect(self.command("./hello", env=lazy), 0, EXPECTED, "")
        self.assertEqual(len(self.entries()), 1)

    def test_many_kernels(self):
        """Of a file with many kernels, as templates make them, only those that are launched are compiled, unless asked."""
        self.env["HEDDLE_ENGINE"] = "simd"  # the reference engine compiles all of a file
        self.write("many.cu", """template <int N> __global__ void k(int *p) { *p = N; }
            template <int N> void launch(int *p) { k<N><<<1, 256>>>(p); if constexpr (N > 0) { if (!p) launch<N - 1>(p); } }
            int main() { int *p; cudaMallocManaged(&p, 4); launch<40>(p); cudaDeviceSynchronize(); return *p - 40; }""")
        self.expect(self.heddlecc("many.cu", "-o", "many"), 0, "", "")
        self.assertEqual(self.entries(), [])
        self.expect(self.command("./many"), 0, "", "")
        self.assertEqual(len(self.entries()), 1)
        few = self.entries()[0].stat().st_size
        shutil.rmtree(self.cache)
        self.expect(self.heddlecc("many.cu", "-o", "many", env={"HEDDLE_LAZY": "0"}), 0, "", "")
        self.assertGreater(self.entries()[0].stat().st_size, 2 * few)
        self.expect(self.command("./many", env={"HEDDLE_LAZY": "1"}), 0, "", "")
        self.assertEqual(len(self.entries()), 1)

    def test_no_code_of_its_own_for_a_checked_program(self):
        self.env["HEDDLE_ENGINE"] = "simd"
        self.expect(self.heddle("check", "hello.cu"), 0)
        self.assertEqual(len(self.entries()), 1)

    def test_program_without_its_entry(self):
        self.build()
        shutil.rmtree(self.cache)
        self.expect(self.command("./hello"), 0, EXPECTED, "")
        self.assertEqual(len(self.entries()), 1)
        self.expect_clean()

    def test_many_programs_with_a_cold_cache(self):
        self.build()
        shutil.rmtree(self.cache)
        programs = [subprocess.Popen(["./hello"], cwd=self.work, env=self.env, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    for _ in range(6)]
        for program in programs:
            out, err = program.communicate(timeout=120)
            self.assertEqual((program.returncode, out, err), (0, EXPECTED, ""))
        self.assertEqual(len(self.entries()), 1)
        self.assertEqual([file for file in self.cache.rglob("*") if file.is_file()], self.entries())

    def test_limit(self):
        self.build()
        first = self.entries()
        past = time.time() - 1000
        os.utime(first[0], (past, past))
        # Nothing may stay under a limit of 0, and programs run all the same.
        self.expect(self.heddle("run", "-DOTHER", "hello.cu", env={"HEDDLE_CACHE_SIZE": "0"}), 0,
                    EXPECTED, "")
        self.expect(self.command("./hello", env={"HEDDLE_CACHE_SIZE": "0"}), 0, EXPECTED, "")

    def test_killed_compilation(self):
        self.build()
        whole = self.entries()[0].stat().st_size
        shutil.rmtree(self.cache)
        for delay in (0.005, 0.02, 0.05, 0.1, 0.2):
            program = subprocess.Popen(["./hello"], cwd=self.work, env=self.env,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)
            time.sleep(delay)
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
            # Whatever is in the cache is whole.
            self.assertLessEqual({entry.stat().st_size for entry in self.entries()}, {whole})
        self.expect(self.command("./hello"), 0, EXPECTED, "")
        self.expect(self.heddle("cache", "clear"), 0, out_has="removed 1 entry")
        self.assertEqual([file for file in self.cache.rglob("*") if file.is_file()], [],
                         "drafts of killed compilations are cleared too")


class FullDisk(CliTest):
    """A file system of 16 KiB, where one can be made: in a user and mount namespace."""

    def setUp(self):
        super().setUp()
        self.write("hello.cu", HELLO)
        self.small = self.folder / "small"
        self.small.mkdir()
        self.mount = f"mount -t tmpfs -o size=16k tmpfs {self.small}"
        if self.command("unshare", "-rm", "sh", "-c", self.mount).code != 0:
            self.skipTest("this machine does not let us mount a small file system")

    def with_little_room(self, room, command, env):
        fill = f"head -c {16384 - room} /dev/zero > {self.small}/fill"
        return self.command("unshare", "-rm", "sh", "-c", f"{self.mount} && {fill} && {command}",
                            env=env)

    def test_cache(self):
        result = self.with_little_room(4096, "heddle run hello.cu", {"HEDDLE_CACHE": self.small})
        self.expect(result, 0, EXPECTED, "")
        self.expect_clean()

    def test_cache_and_temporary_folder(self):
        # A launch that fails is cudaGetLastError's to tell, cudaDeviceSynchronize knows nothing.
        self.write("hello.cu", HELLO.replace("cudaDeviceSynchronize", "cudaGetLastError"))
        self.expect(self.heddlecc("hello.cu", "-o", "hello"), 0, "", "")
        for room in (0, 4096, 8192):
            result = self.with_little_room(
                room, "./hello", {"HEDDLE_CACHE": self.small, "TMPDIR": self.small})
            self.expect(result, 1, "", err_has=["heddle: ", "No space left on device"])


if __name__ == "__main__":
    main()
