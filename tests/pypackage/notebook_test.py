# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notebook of examples/ in a Jupyter kernel, what a browser makes of its outputs, and interrupts."""

import json
import os
import pathlib
import re
import sys
import tempfile
import time

from packaged import LIMIT, SOURCE, PackageTest, main, require_environment

require_environment()

import nbclient  # noqa: E402
import nbformat  # noqa: E402
from jupyter_client.manager import start_new_kernel  # noqa: E402

sys.path.insert(0, str(SOURCE / "tests" / "cli"))
import browser  # noqa: E402

NOTEBOOK = SOURCE / "examples" / "notebook" / "first_kernels.ipynb"

ENDLESS = """\
%%cuda
#include <cstdio>
__global__ void wait(volatile int *flag) { while (!*flag) {} }
int main() {
  int *flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  printf("waiting\\n");
  wait<<<1, 1>>>(flag);
  return cudaDeviceSynchronize();
}
"""


class NotebookTest(PackageTest):
    """Kernels have the environment of this process."""

    def setUp(self):
        super().setUp()
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.clear()
        os.environ.update(self.env)


class Course(NotebookTest):
    def run_notebook(self):
        notebook = nbformat.read(NOTEBOOK, 4)
        nbformat.validate(notebook)
        for cell in notebook.cells:
            self.assertFalse(cell.get("outputs"), "the notebook has outputs; clear them")
        nbclient.NotebookClient(notebook, timeout=LIMIT, kernel_name="python3",
                                resources={"metadata": {"path": str(self.work)}}).execute()
        return {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}

    @staticmethod
    def text(outputs, name="stdout"):
        return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == name)

    def test_course(self):
        outputs = self.run_notebook()
        with self.subTest("programs"):
            self.assertEqual(outputs["load"], [])
            self.assertIn("GPU 0: Tesla T4", self.text(outputs["tools"]))
            self.assertIn("release 13.0", self.text(outputs["tools"]))
            self.assertEqual(self.text(outputs["hello"]), "".join(f"Hello from thread {i} of block 0\n" for i in range(3)))
            self.assertEqual(self.text(outputs["vectors"]), "100000 of 100000 sums are right\n")
            self.assertEqual(self.text(outputs["use"]), "0 + 1 + … + 31 = 496\n")
            self.assertEqual(self.text(outputs["shell"]).strip(), "144")
            self.assertEqual(self.text(outputs["numba"]), "[     0      2      4 ... 199994 199996 199998]\n")
        with self.subTest("a mistake"):
            error = re.sub(r"\x1b\[[0-9;]*m", "", self.text(outputs["mistake"], "stderr"))
            self.assertRegex(error, r"^cell\.cu:3:22: error: use of undeclared identifier 'treadIdx'")
            failure = outputs["mistake"][-1]
            self.assertEqual((failure.ename, failure.traceback), ("CellFailed", ["CellFailed: exit code 1"]))
        with self.subTest("a browser"):
            self.browse(outputs)

    def data(self, outputs, kind="text/html"):
        shown, = [output.data[kind] for output in outputs if output.output_type == "display_data"]
        return shown

    def browse(self, outputs):
        """The reports, each in a page as a notebook has it."""
        check, profile = self.data(outputs["race"]), self.data(outputs["profile"])
        self.assertIn("heddle check: race", self.data(outputs["race"], "text/plain"))
        if not browser.program():
            self.skipTest("chromium is not installed (Debian package chromium; ./dev setup)")
        folder = tempfile.TemporaryDirectory(prefix="heddle-browser-")
        self.addCleanup(folder.cleanup)
        page = browser.Browser(pathlib.Path(folder.name))
        self.addCleanup(page.close)
        self.open(page, check)
        self.assertEqual(page.value("[...document.querySelectorAll('.heddle-check summary b')].map(e => e.textContent).join()"), "race")
        marked = page.value("[...document.querySelectorAll('.heddle-check .here')].map(e => e.textContent)")
        self.assertTrue(any("part[t] += part[t + stride];" in line for line in marked), marked)
        # Light or dark, text has the notebook's colour.
        self.assertEqual(page.value("getComputedStyle(document.querySelector('.heddle-check p')).color"), "rgb(1, 2, 3)")
        self.open(page, profile)
        with page.in_frame():
            page.wait("document.querySelectorAll('nav .name').length === 2")
            names = page.value("[...document.querySelectorAll('nav .name')].map(e => e.textContent)")
            self.assertEqual(sorted(names), ["naive", "tiled"])
            for i in (1, 0):
                page.value(f"document.querySelectorAll('nav a')[{i}].click()")
                page.wait(f"document.querySelector('#kernel')?.textContent === {json.dumps(names[i])}")
            page.press("j")
            page.wait(f"document.querySelector('#kernel').textContent === {json.dumps(names[1])}")
            page.value("document.querySelector('tr.counted').click()")
            self.assertIn("transpose.cu", page.value("document.querySelector('aside h3').textContent"))
            self.assertNotIn("heddle-notebook-", page.value("document.body.textContent"))
        self.assertEqual(page.complaints(), [])

    def open(self, page, text):
        file = self.folder / "page.html"
        file.write_text(f'<!doctype html><meta charset="utf-8"><body style="color:rgb(1,2,3)">{text}' if not text.startswith("<!") else text)
        page.open(file)


class Interrupt(NotebookTest):
    def setUp(self):
        super().setUp()
        self.manager, self.client = start_new_kernel(kernel_name="python3", cwd=str(self.work))
        self.addCleanup(self.manager.shutdown_kernel, now=True)
        self.addCleanup(self.client.stop_channels)

    def run_cell(self, code, on_output=lambda text: None):
        """The reply to a cell, and what it has printed."""
        printed = []

        def hook(message):
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])
                on_output("".join(printed))
        reply = self.client.execute_interactive(code, timeout=LIMIT, output_hook=hook)
        return reply["content"], "".join(printed)

    def children(self):
        """What runs in the test's folder besides the kernel."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if (process / "cwd").resolve() == self.work.resolve() and "ipykernel" not in command:
                    found.append(command)
            except OSError:
                continue
        return found

    def test_interrupt(self):
        self.assertEqual(self.run_cell("%load_ext heddle")[0]["status"], "ok")
        for magic in ("%%cuda", "%%cuda check"):
            sent = []

            def interrupt(text):
                # Its first line comes while the program still runs.
                if "waiting" in text and not sent:
                    sent.append(time.monotonic())
                    self.manager.interrupt_kernel()
            reply, printed = self.run_cell(ENDLESS.replace("%%cuda", magic, 1), interrupt)
            self.assertTrue(sent, printed)
            self.assertEqual((reply["status"], reply["ename"]), ("error", "CellInterrupted"), reply)
            self.assertLess(time.monotonic() - sent[0], 60)
            self.assertEqual(self.children(), [])
        # The kernel is as good as before.
        reply, printed = self.run_cell('%%cuda\n#include <cstdio>\nint main() { puts("still there"); }')
        self.assertEqual((reply["status"], printed), ("ok", "still there\n"))

    def test_kernel_is_ended(self):
        self.run_cell("%load_ext heddle")
        self.client.execute(ENDLESS)
        end = time.monotonic() + LIMIT
        while not any("heddle-" in command for command in self.children()) and time.monotonic() < end:
            time.sleep(0.2)
        self.assertTrue(self.children())
        self.manager.shutdown_kernel(now=True)
        end = time.monotonic() + 60
        while self.children() and time.monotonic() < end:
            time.sleep(0.2)
        self.assertEqual(self.children(), [])


if __name__ == "__main__":
    main()
