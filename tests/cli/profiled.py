# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle profile --json, for tests of what it tells."""

import json

from cli import CliTest


def metric(kernel, name):
    return kernel["metrics"][name]


def branch(kernel, source, comment):
    """The branches of the line with this comment, which are one in these kernels."""
    lines = [i for i, line in enumerate(source.splitlines(), 1) if f"// {comment}" in line]
    found = [b for b in kernel["branches"] if b["place"]["line"] in lines]
    assert len(found) == 1, (comment, found)
    return found[0]


class Profile(CliTest):
    def profile(self, *arguments, code=0, env=None):
        result = self.heddle("profile", "--json", *arguments, env=env)
        self.expect(result, code)
        return json.loads(result.out.splitlines()[-1])
