# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest --heddle-check."""

import shutil

from packaged import BUILD, SOURCE, PackageTest, main, require_environment

TESTS = """\
import pytest
from gpu_work import Work

def test_right():
    Work().run(100)

def test_wrong():
    Work().run(101)

def test_wrong_again():
    Work().run(102)

def test_host():
    assert 1 + 1 == 2

@pytest.fixture
def cleaned():
    yield
    Work().run(103)

def test_fixture(cleaned):
    pass
"""


class Plugin(PackageTest):
    def setUp(self):
        super().setUp()
        shutil.copy(SOURCE / "tests" / "pypackage" / "gpu_work.py", self.work)
        self.write(TESTS)
        self.env["PYTHONPATH"] = str(BUILD / "share" / "heddle" / "python")  # as heddle env sets it

    def write(self, tests):
        (self.work / "test_gpu.py").write_text(tests)

    def pytest(self, *arguments, env=None):
        return self.python("-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *arguments, env=env)

    def test_wrong_tests_fail(self):
        done = self.expect(self.pytest("--heddle-check"), 1, out_has=[
            "PASSED test_gpu.py::test_right", "FAILED test_gpu.py::test_wrong -", "FAILED test_gpu.py::test_wrong_again",
            "PASSED test_gpu.py::test_host", "PASSED test_gpu.py::test_fixture", "ERROR test_gpu.py::test_fixture",
            "2 failed, 3 passed, 1 error", "write of 4 bytes just past the end of an allocation", "fill.cu:3",
            "called from test_wrong at"])
        self.assertIn("wrong in an earlier test, too", done.stdout)

    def test_right_tests_pass(self):
        self.write(TESTS.replace("101", "1").replace("102", "2").replace("103", "3"))
        self.expect(self.pytest("--heddle-check"), out_has="5 passed", err_has="heddle check: nothing found")

    def test_choice_of_tests_and_checks(self):
        self.expect(self.pytest("--heddle-check=sync", "-k", "wrong"), out_has="2 passed, 3 deselected")
        self.expect(self.pytest("--heddle-check=colours"), 2, err_has="there is no such check")

    def test_without_heddle(self):
        (self.work / "empty").mkdir()
        self.expect(self.pytest("--heddle-check", env={"HEDDLE_HOME": str(self.work / "empty")}), 4,
                    err_has="--heddle-check: HEDDLE_HOME is")


if __name__ == "__main__":
    require_environment()
    main()
