// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the commands of `heddle` do; heddle.cpp finds out which one is meant.
//
// Each returns the process's exit code and throws std::exception with a message for the user where
// it cannot do its work. UsageError is for a command line that makes no sense: exit code 2.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::cli {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// heddle run: builds the program and runs it. `arguments` are all after the word run.
int runCommand(const std::vector<std::string> &arguments);

/// heddle check: runs a program and reports what its kernels do wrong. `arguments` as above.
int checkCommand(const std::vector<std::string> &arguments);

/// heddle profile: runs a program and tells what a GPU would do. `arguments` as above.
int profileCommand(const std::vector<std::string> &arguments);

/// heddle expect FILE: the same, and only tells which of the file's expectations do not hold.
int expectCommand(const std::vector<std::string> &arguments);

/// heddle occupancy: how many blocks of a program's kernels an SM holds. `arguments` as above.
int occupancyCommand(const std::vector<std::string> &arguments);

/// heddle under the names compute-sanitizer and cuda-memcheck.
int sanitizerCommand(const std::vector<std::string> &arguments);

/// heddle under the names nvprof, ncu and nsys.
int nvprofCommand(const std::vector<std::string> &arguments);
int ncuCommand(const std::vector<std::string> &arguments);
int nsysCommand(const std::vector<std::string> &arguments);

/// heddle devices: what HEDDLE_GPU and HEDDLE_DEVICES choose, and what there is to choose from.
int devicesCommand(bool json);

/// heddle doctor: checks everything that Heddle needs, to a real compilation.
int doctorCommand();

/// heddle cache and heddle cache clear.
int cacheStatusCommand();
int cacheClearCommand();

/// heddle toolkit [--cuda RELEASE] FOLDER: makes a folder in the shape of /usr/local/cuda.
/// `release`: "12" or "13"; empty: support/release.h's choice.
int toolkitCommand(const std::string &folder, const std::string &release);

/// heddle env [--lib | --json] [--cuda RELEASE] [FOLDER]: prints what a shell must export to use a
/// toolkit, Heddle's own by default; or only the folder of its libraries; or the same for a
/// program.
int environmentCommand(const std::string &folder, const std::string &release, bool libraries_only,
                       bool json);

/// The same with PATH and LD_LIBRARY_PATH as they become, as NAME=value; none if the toolkit is not
/// where Heddle lies.
std::vector<std::string> toolkitSettings();

/// heddle under the name bin2c.
int bin2c(const std::vector<std::string> &arguments);

/// heddle under the name nvidia-smi; `arguments` are all after that name.
int nvidiaSmi(const std::vector<std::string> &arguments);
/// The same for nvidia-cuda-mps-control.
int mpsControl(const std::vector<std::string> &arguments);

} // namespace heddle::cli
