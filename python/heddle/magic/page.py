# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of heddle profile --html inside a notebook's output."""

import html


def iframe(page: str) -> str:
    """A frame with a page in it, which neither sees the notebook nor changes how it looks."""
    return (
        '<iframe title="heddle profile" sandbox="allow-scripts" '
        'style="display:block;box-sizing:border-box;width:100%;height:46em;border:1px solid #8886;border-radius:4px;resize:vertical" '
        f'srcdoc="{html.escape(page)}"></iframe>'
    )
