# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shell steps of a CI configuration in a guide: what a runner would give to a shell, and how.

A block ```yaml ci=github, ```yaml ci=gitlab or ```dockerfile ci=docker is read as its own tool reads it. What cannot be
run here is returned with a reason: actions, and commands that install Heddle, in whose place the tests use the build."""
import dataclasses
import re

# Needs the network and root, and would install another Heddle than the one to be tested.
INSTALLS = re.compile(r"\b(pip3? install .*heddle|apt-get (-\S+ )*(install|update))")


@dataclasses.dataclass
class Step:
    text: str  # for bash -c
    left_out: str = ""  # why, if it is not run
    environment: dict[str, str] = dataclasses.field(default_factory=dict)


def step(text, shell_options, environment):
    """GitHub and GitLab stop a script at its first error."""
    if INSTALLS.search(text):
        return Step(text, "it installs Heddle; the build is tested instead", environment)
    return Step(f"set {shell_options}\n{text}", "", environment)


def only_strings(values):
    return {name: str(value) for name, value in (values or {}).items()}


def github(text):
    import yaml

    found = []
    for job in yaml.safe_load(text)["jobs"].values():
        for one in job["steps"]:
            if "uses" in one:
                found.append(Step(one["uses"], "an action of GitHub's"))
            else:
                environment = only_strings(job.get("env")) | only_strings(one.get("env"))
                found.append(step(one["run"], "-e", environment))
    return found


def gitlab(text, project):
    import yaml

    found = []
    for job in yaml.safe_load(text).values():
        variables = {name: value.replace("$CI_PROJECT_DIR", project)
                     for name, value in only_strings(job.get("variables")).items()}
        for line in job.get("before_script", []) + job["script"]:
            found.append(step(line, "-eo pipefail", variables))
    return found


def docker(text):
    found = []
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        instruction, _, rest = line.partition(" ")
        if instruction == "RUN":
            found.append(step(rest, "-e", {}))
        elif instruction == "CMD":
            found.append(step(" ".join(re.findall(r'"([^"]*)"', rest)), "-e", {}))
        elif instruction in ("FROM", "COPY", "WORKDIR"):
            found.append(Step(line, "no image is made"))
        else:
            raise ValueError(f"a Dockerfile's instruction that is not known here: {instruction}")
    return found


def steps(kind, text, project):
    """The steps of a block, in order. `project` is the folder that is checked out."""
    found = gitlab(text, project) if kind == "gitlab" else {"github": github, "docker": docker}[kind](text)
    if all(one.left_out for one in found):
        raise ValueError(f"no step of this {kind} configuration can be run")
    return found
