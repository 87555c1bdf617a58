// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvidia-smi prints for people: its table, and -q's list.
#pragma once

#include "device/device.h"

#include <string>
#include <vector>

namespace heddle::cli {

std::string smiTable(const std::vector<Device *> &devices);
std::string smiList(const std::vector<Device *> &devices);
/// `nvidia-smi topo -m`: how devices reach each other, and the cores that this process may use.
std::string smiTopology(const std::vector<Device *> &devices);

} // namespace heddle::cli
