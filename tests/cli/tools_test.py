# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle devices, doctor, cache, --help and --version."""

import json
import os
import re
import shutil

from cli import BUILD, HELLO, CliTest, main


class Help(CliTest):
    def test_version(self):
        result = self.expect(self.heddle("--version"), 0, err="")
        self.assertRegex(result.out, r"^Heddle \d+\.\d+\.\d+ \(CUDA 13\.0 and 12\.9\)\n$")

    def test_help_everywhere(self):
        result = self.expect(self.heddle("--help"), 0, err="")
        for word in ("run", "devices", "doctor", "cache", "toolkit", "env", "HEDDLE_GPU", "HEDDLE_DEVICES",
                     "HEDDLE_CACHE", "HEDDLE_CACHE_SIZE", "HEDDLE_ENGINE", "HEDDLE_QUIET",
                     "HEDDLE_HOME", "CUDA_LAUNCH_BLOCKING"):
            self.assertIn(word, result.out)
        for command in ("run", "devices", "doctor", "cache", "toolkit", "env"):
            for arguments in ([command, "--help"], [command, "-h"], ["help", command]):
                result = self.expect(self.heddle(*arguments), 0, err="")
                self.assertIn(f"heddle {command}", result.out)
        self.expect(self.heddle("cache", "clear", "--help"), 0, err="", out_has="cache clear")
        # What follows -- is the program's.
        self.expect(self.heddle("run", "--", "--help"), 2)

    def test_where_something_has_our_name(self):
        self.write("hello.cu", HELLO)
        for name in ("heddle", "heddlecc", "nvcc"):
            (self.work / name).mkdir()
        self.expect(self.heddle("devices"), 0, err="", out_has="Device 0: Tesla T4")
        self.expect(self.heddlecc("hello.cu"), 0, "", "")
        tools = BUILD / "share/heddle/toolkit/bin"
        self.expect(self.command("nvcc", "hello.cu", env={"PATH": f"{tools}:{os.environ['PATH']}"}),
                    0, "", "")

    def test_wrong_command_lines(self):
        self.expect(self.heddle(), 2, "", err_has="doctor")
        for arguments, message in [
                (["rnu"], "heddle: unknown command 'rnu'; did you mean 'run'?\n"),
                (["device"], "heddle: unknown command 'device'; did you mean 'devices'?\n"),
                (["frobnicate"], "heddle: unknown command 'frobnicate'; see heddle --help\n"),
                (["a.cu"], "heddle: unknown command 'a.cu'; did you mean 'heddle run a.cu'?\n")]:
            with self.subTest(arguments):
                self.expect(self.heddle(*arguments), 2, "", message)
        for arguments, names in [(["--frobnicate"], "--frobnicate"),
                                 (["devices", "--xml"], "--xml"), (["doctor", "now"], "now"),
                                 (["cache", "claer"], "claer")]:
            with self.subTest(arguments):
                self.expect(self.heddle(*arguments), 2, "", err_has=names)


class Devices(CliTest):
    def json(self, **env):
        return json.loads(self.expect(self.heddle("devices", "--json", env=env), 0, err="").out)

    def test_default(self):
        result = self.expect(self.heddle("devices"), 0, err="")
        self.assertIn("Device 0: Tesla T4 (t4)\n", result.out)
        self.assertRegex(result.out, r"compute capability +7\.5 \(Turing\)\n")
        self.assertNotIn("Device 1", result.out)
        for name in ("t4", "v100", "a100", "h200"):
            self.assertRegex(result.out, rf"(?m)^  {name} ")

    def test_chosen(self):
        result = self.expect(self.heddle("devices", env={"HEDDLE_GPU": "a100", "HEDDLE_DEVICES": "2"}))
        self.assertIn("Device 0: NVIDIA A100-SXM4-40GB (a100)\n", result.out)
        self.assertIn("Device 1: NVIDIA A100-SXM4-40GB (a100)\n", result.out)

    def test_json(self):
        report = self.json(HEDDLE_GPU="h200", HEDDLE_DEVICES="3")
        self.assertEqual([device["id"] for device in report["devices"]], ["h200"] * 3)
        device = report["devices"][0]
        self.assertEqual((device["name"], device["compute_capability"], device["multiprocessors"]),
                         ("NVIDIA H200", "9.0", 132))
        self.assertLessEqual({"t4", "v100", "a100", "h200"}, {gpu["id"] for gpu in report["known"]})

    def test_none(self):
        self.assertEqual(self.json(HEDDLE_DEVICES="0")["devices"], [])
        self.expect(self.heddle("devices", env={"HEDDLE_DEVICES": "0"}), 0, out_has="No device")

    def test_wrong_names(self):
        self.expect(self.heddle("devices", env={"HEDDLE_GPU": "gtx9999"}), 1, "",
                    err_has=["unknown GPU 'gtx9999'", "a100", "t4"])
        self.expect(self.heddle("devices", env={"HEDDLE_DEVICES": "many"}), 1, "",
                    err_has="HEDDLE_DEVICES=many")

    def test_program_sees_the_same(self):
        self.write("name.cu", """\
#include <cstdio>
int main() {
  int count;
  cudaDeviceProp prop;
  if (cudaGetDeviceCount(&count) || cudaGetDeviceProperties(&prop, count - 1)) return 1;
  std::printf("%d %s\\n", count, prop.name);
}
""")
        self.expect(self.heddle("run", "name.cu", env={"HEDDLE_GPU": "v100", "HEDDLE_DEVICES": "4"}),
                    0, "4 Tesla V100-SXM2-16GB\n", "")
        self.expect(self.heddle("run", "name.cu", env={"HEDDLE_GPU": "gtx9999"}), 1, "",
                    err_has="unknown GPU 'gtx9999'")


class Doctor(CliTest):
    def test_well(self):
        result = self.expect(self.heddle("doctor"), 0, err="")
        for check in ("Clang's headers", "libLLVM", "linker", "OpenMP", "heddle-jit",
                      "runtime library", "device library", "CUDA headers", "GPU descriptions",
                      "cache folder", "processor", "cores", "memory", "compile a program", "run it"):
            self.assertRegex(result.out, rf"(?m)^(ok|note) +{re.escape(check)} ")
        self.assertTrue(result.out.endswith("\nAll is well.\n"), result)
        self.expect_clean()

    def test_cache_not_writable(self):
        self.expect(self.heddle("doctor", env={"HEDDLE_CACHE": "/dev/null/x"}), 0,
                    out_has=["note    cache folder", "HEDDLE_CACHE"])

    def test_parts_missing(self):
        # A copy of the installation by links, from which things are then taken away.
        home = self.folder / "home"
        for name in ("bin", "lib", "lib/heddle", "libexec/heddle", "share/heddle"):
            (home / name).mkdir(parents=True, exist_ok=True)
            for file in (BUILD / name).iterdir():
                if file.is_file() or file.name == "gpus":
                    os.symlink(file, home / name / file.name)
        os.symlink(BUILD / "include", home / "include")
        env = {"HEDDLE_HOME": str(home)}
        self.expect(self.heddle("doctor", env=env), 0)
        (home / "lib/heddle/devicelib.bc").unlink()
        self.expect(self.heddle("doctor", env=env), 1,
                    out_has=["MISSING device library", "./dev build", "MISSING compile a program"])
        shutil.rmtree(home / "libexec")
        self.expect(self.heddle("doctor", env=env), 1, out_has=["MISSING heddle-jit", "problems"])

    def test_no_linker(self):
        # heddle itself by its path; nothing else is to be found. Heddle's own linker makes the program.
        result = self.command(BUILD / "bin" / "heddle", "doctor", env={"PATH": str(self.work)})
        self.expect(result, 0, out_has=["Heddle's own (lld)", "the result is right"])


class Cache(CliTest):
    def entries(self):
        result = self.expect(self.heddle("cache"), 0, err="")
        self.assertIn(f"folder   {self.cache}\n", result.out)
        return int(re.search(r"entries  (\d+)", result.out)[1])

    def test_status_and_clear(self):
        self.env["HEDDLE_ENGINE"] = "reference"  # makes one entry a program
        self.assertEqual(self.entries(), 0)
        self.write("hello.cu", HELLO)
        self.write("other.cu", HELLO.replace("thread %d", "lane %d"))
        self.expect(self.heddle("run", "hello.cu"), 0)
        self.assertEqual(self.entries(), 1)
        self.expect(self.heddle("run", "hello.cu"), 0)
        self.assertEqual(self.entries(), 1, "the second run finds what the first made")
        self.expect(self.heddle("run", "other.cu"), 0)
        self.assertEqual(self.entries(), 2)
        status = self.expect(self.heddle("cache", "status", env={"HEDDLE_CACHE_SIZE": "7"}), 0)
        self.assertIn("limit    7.0 MB", status.out)
        self.expect(self.heddle("cache", "clear"), 0, err="", out_has="removed 2 entries")
        self.assertEqual(self.entries(), 0)
        self.expect(self.heddle("cache", "clear"), 0, err="", out_has="removed 0 entries")


if __name__ == "__main__":
    main()
