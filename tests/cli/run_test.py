# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle run: what the program gets, what it gives back, and what is left behind."""

import os
import signal
import subprocess
import time

from cli import HELLO, CliTest, main

ARGUMENTS = """\
#include <cstdio>
__global__ void k() {}
int main(int argc, char **argv) {
  k<<<1, 1>>>();
  for (int i = 1; i < argc; ++i)
    std::printf("[%s]", argv[i]);
  const char *name = argv[0];
  for (const char *p = name; *p; ++p)
    if (*p == '/') name = p + 1;
  std::printf("%s\\n", name);
  return argc;
}
"""

# Says that it runs, then waits for a signal.
WAITING = """\
#include <csignal>
#include <cstdio>
#include <unistd.h>
__global__ void k() {}
void onTerm(int) { const char text[] = "got SIGTERM\\n"; (void)!write(1, text, sizeof text - 1); _exit(7); }
int main(int argc, char **argv) {
  if (argc > 1) std::signal(SIGTERM, onTerm);
  std::puts("ready");
  std::fflush(stdout);
  for (;;) pause();
}
"""


class Run(CliTest):
    def test_output_and_exit_code(self):
        self.write("hello.cu", HELLO)
        self.expect(self.heddle("run", "hello.cu"), 0, "thread 0 of 2\nthread 1 of 2\n", "")
        self.assertEqual(self.files(), ["hello.cu"])
        self.expect_clean()

    def test_arguments_after_dashes(self):
        self.write("arguments.cu", ARGUMENTS)
        self.expect(self.heddle("run", "arguments.cu", "-O2", "--", "-O3", "two words", "", "--", "*"),
                    6, "[-O3][two words][][--][*]arguments\n", "")
        self.expect(self.heddle("run", "arguments.cu"), 1, "arguments\n")

    def test_argument_without_dashes(self):
        self.write("arguments.cu", ARGUMENTS)
        self.expect(self.heddle("run", "arguments.cu", "100"), 2, "",
                    "heddle run: 100: no such file (arguments for the program go after --)\n")

    def test_stdin_is_the_programs(self):
        self.write("sum.cu", """\
#include <cstdio>
__global__ void add(int *sum, int value) { *sum += value; }
int main() {
  int *sum, value;
  cudaMallocManaged(&sum, sizeof *sum);
  *sum = 0;
  while (std::scanf("%d", &value) == 1)
    add<<<1, 1>>>(sum, value);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *sum);
}
""")
        self.expect(self.heddle("run", "sum.cu", stdin="1 2\n39\n"), 0, "42\n", "")

    def test_stdout_and_stderr_stay_apart(self):
        self.write("two.cu", """\
#include <cstdio>
int main() { std::puts("to stdout"); std::fputs("to stderr\\n", stderr); }
""")
        self.expect(self.heddle("run", "two.cu"), 0, "to stdout\n", "to stderr\n")

    def test_several_files_and_options(self):
        self.write("main.cu", """\
#include "parts/twice.h"
#include <cstdio>
#include <cmath>
__global__ void k(int *p) { *p = VALUE; }
extern "C" int from_c(int);
int main() {
  int *p;
  cudaMallocManaged(&p, 4);
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d %d\\n", twice(*p), from_c(1));
}
""")
        self.write("parts/twice.h", "int twice(int);\n")
        self.write("parts/twice.cpp", '#include "twice.h"\nint twice(int x) { return 2 * x; }\n')
        self.write("parts/part.c", "int from_c(int x) { int class = x + 4; return class; }\n")
        self.expect(self.heddle("run", "main.cu", "parts/twice.cpp", "parts/part.c", "-DVALUE=21",
                                "-std=c++20", "-arch=sm_80", "-lm"), 0, "42 5\n", "")
        self.assertEqual(self.files(), ["main.cu", "parts"])

    def test_kept_with_o(self):
        self.write("hello.cu", HELLO)
        self.expect(self.heddle("run", "hello.cu", "-o", "kept"), 0, "thread 0 of 2\nthread 1 of 2\n")
        self.assertEqual(self.files(), ["hello.cu", "kept"])
        self.expect(self.command("./kept"), 0, "thread 0 of 2\nthread 1 of 2\n")

    def test_verbose_shows_commands(self):
        self.write("hello.cu", HELLO)
        for flag in ("-v", "--verbose"):
            result = self.expect(self.heddle("run", flag, "hello.cu"), 0,
                                 "thread 0 of 2\nthread 1 of 2\n", err_has="heddlecc -v hello.cu"
                                 if flag == "-v" else "heddlecc --verbose hello.cu")
            self.assertIn("-lcudart", result.err)

    def test_program_keeps_its_environment(self):
        self.write("env.cu", '#include <cstdio>\n#include <cstdlib>\n'
                             'int main() { std::puts(std::getenv("TMPDIR")); }\n')
        self.expect(self.heddle("run", "env.cu"), 0, f"{self.tmp}\n", "")

    def test_wrong_command_lines(self):
        self.write("hello.cu", HELLO)
        for arguments, message in [
                (["hello.cu", "--no-such-option"], "heddle run: unknown option '--no-such-option'\n"),
                (["missing.cu"], "heddle run: missing.cu: no such file\n"),
                ([], "heddle run: no input files\n"),
                (["--", "1"], "heddle run: no input files\n"),
                (["hello.cu", "-o"], "heddle run: option '-o' needs a value\n"),
                (["hello.cu", "-Ox"], "heddle run: option -O: there is no level 'x'\n"),
                (["hello.cu", "-arch=turing"], "heddle run: unknown GPU architecture 'turing'\n"),
                (["hello.cu", "-c"], "heddle run: builds and runs a whole program; for parts of "
                                     "one use heddlecc\n")]:
            with self.subTest(arguments):
                self.expect(self.heddle("run", *arguments), 2, "", message)

    def test_does_not_compile(self):
        self.write("wrong.cu", "int main() { return nothing; }\n")
        result = self.expect(self.heddle("run", "wrong.cu"), 1, "")
        self.assertTrue(result.err.startswith("wrong.cu:1:21: error: "), result)
        self.expect_clean()

    def test_does_not_link(self):
        self.write("part.cu", "void elsewhere();\nint main() { elsewhere(); }\n")
        self.expect(self.heddle("run", "part.cu"), 1, "", err_has="elsewhere")

    def test_killed_program(self):
        self.write("crash.cu", "#include <cstdlib>\nint main() { std::abort(); }\n")
        self.expect(self.heddle("run", "crash.cu"), 128 + signal.SIGABRT, "",
                    "heddle: crash ended by a signal: Aborted\n")
        self.expect_clean()

    def test_bad_temporary_folder(self):
        self.write("hello.cu", HELLO)
        self.expect(self.heddle("run", "hello.cu", env={"TMPDIR": "/dev/null/x"}), 1, "",
                    err_has=["heddle run: cannot make a temporary folder", "TMPDIR"])


class Signals(CliTest):
    def start(self, *arguments):
        process = subprocess.Popen(["heddle", "run", *arguments], cwd=self.work, env=self.env,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def wait_until_ready(self, process):
        self.assertEqual(process.stdout.readline(), "ready\n")

    def expect_nobody_left(self, session):
        for _ in range(100):
            try:
                os.killpg(session, 0)
            except ProcessLookupError:
                return
            time.sleep(0.05)
        self.fail("a process is left running")

    def test_passed_on(self):
        self.write("waiting.cu", WAITING)
        process = self.start("waiting.cu", "--", "handle")
        self.wait_until_ready(process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.stdout.readline(), "got SIGTERM\n")
        self.assertEqual(process.wait(20), 7)
        self.expect_clean()

    def test_terminated(self):
        self.write("waiting.cu", WAITING)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.start("waiting.cu")
            self.wait_until_ready(process)
            process.send_signal(number)
            self.assertEqual(process.wait(20), 128 + number)
            self.assertEqual(process.stderr.read(), "")
            self.expect_nobody_left(process.pid)
            self.expect_clean()

    def test_interrupted_as_by_the_terminal(self):
        self.write("waiting.cu", WAITING)
        process = self.start("waiting.cu")
        self.wait_until_ready(process)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(20), 128 + signal.SIGINT)
        self.expect_clean()

    def test_killed_takes_the_program_with_it(self):
        self.write("waiting.cu", WAITING)
        process = self.start("waiting.cu")
        self.wait_until_ready(process)
        process.kill()
        process.wait(20)
        self.expect_nobody_left(process.pid)

    def test_interrupted_while_compiling(self):
        self.write("slow.cu", HELLO)
        for delay in (0.05, 0.3, 0.6):
            process = self.start("slow.cu")
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(20), (0, 128 + signal.SIGINT))
            self.expect_nobody_left(process.pid)
            self.expect_clean()
        self.expect(self.heddle("run", "slow.cu"), 0, "thread 0 of 2\nthread 1 of 2\n", "")


if __name__ == "__main__":
    main()
