// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/nvidia_smi/table.h"

#include "cli/nvidia_smi/fields.h"
#include "device/platform.h"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>

namespace heddle::cli {
namespace {

std::string rule(char left, char line, char right, char joint) {
  return std::string(1, left) + std::string(41, line) + joint + std::string(24, line) + joint +
         std::string(22, line) + right + "\n";
}

// A row of the three columns, each with its margins.
std::string row(const std::string &first, const std::string &second, const std::string &third) {
  return fmt::format("|{:<41.41}|{:<24.24}|{:<22.22}|\n", first, second, third);
}

// "0-3,6": the cores that this process may use.
std::string coresOfProcess() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0)
    return "N/A";
  std::string text;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &cores))
      continue;
    const int first = core;
    while (core + 1 < CPU_SETSIZE && CPU_ISSET(core + 1, &cores))
      ++core;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (core > first)
      text += "-" + std::to_string(core);
  }
  return text;
}

std::string wide(const std::string &text) { return fmt::format("|{:<89.89}|\n", text); }

std::string deviceRows(Device &device) {
  const std::string name = device.gpu.name.substr(0, 28);
  const std::string memory = fmt::format("{:>10} / {:>9}", valueOf("memory.used", device) + "MiB",
                                         valueOf("memory.total", device) + "MiB");
  const std::string ecc = device.gpu.ecc_enabled ? "0" : "N/A";
  return row(fmt::format(" {:>3}  {:<30} {:>3} ", device.ordinal, name, "Off"),
             fmt::format(" {:>18} {:>3} ", valueOf("pci.bus_id", device), "Off"),
             fmt::format(" {:>20} ", ecc)) +
         row(fmt::format(" {:<4} {:>4}  {:>4} {:>21} ", "N/A", "N/A", "N/A", "N/A /  N/A"),
             fmt::format(" {:>22} ", memory), fmt::format(" {:>7} {:>12} ", "N/A", "Default")) +
         row("", "", fmt::format(" {:>20} ", "N/A"));
}

} // namespace

std::string smiTable(const std::vector<Device *> &devices) {
  const std::string full = "+" + std::string(89, '-') + "+\n";
  std::string text =
      fmt::format("{:%a %b %e %H:%M:%S %Y}       \n", fmt::localtime(std::time(nullptr)));
  text += full;
  text += wide(fmt::format(" NVIDIA-SMI {:<22}Driver Version: {:<15}CUDA Version: {:<9}",
                           fmt::format("{} (Heddle)", driver_version), driver_version,
                           driver_cuda_release));
  text += rule('|', '-', '|', '+');
  text += row(" GPU  Name                 Persistence-M ", " Bus-Id          Disp.A ",
              " Volatile Uncorr. ECC ");
  text += row(" Fan  Temp   Perf          Pwr:Usage/Cap ", "           Memory-Usage ",
              " GPU-Util  Compute M. ");
  text += row("", "", "               MIG M. ");
  text += rule('|', '=', '|', '+');
  for (Device *device : devices)
    text += deviceRows(*device) + rule('+', '-', '+', '+');
  text += std::string(91, ' ') + "\n" + full;
  text += wide(" Processes:");
  text += wide("  GPU   GI   CI        PID   Type   Process name                              GPU "
               "Memory ");
  text += wide("        ID   ID                                                               Usage"
               "      ");
  text += "|" + std::string(89, '=') + "|\n";
  text += wide("  Each process has virtual devices of its own, which are not seen from here");
  return text + full;
}

// All devices are in one computer and joined by no NVLink, as NVML says, too.
std::string smiTopology(const std::vector<Device *> &devices) {
  std::string text;
  for (const Device *device : devices)
    text += fmt::format("\tGPU{}", device->ordinal);
  text += "\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n";
  for (const Device *device : devices) {
    text += fmt::format("GPU{}", device->ordinal);
    for (const Device *other : devices)
      text += other == device ? "\t X " : "\tNODE";
    text += fmt::format("\t{}\t{}\t\tN/A\n", coresOfProcess(), device->gpu.host_numa_id);
  }
  return text + "\nLegend:\n\n  X    = Self\n  NODE = Connection within a computer, as Heddle's "
                "devices share its memory\n";
}

std::string smiList(const std::vector<Device *> &devices) {
  std::string text = "\n==============NVSMI LOG==============\n\n";
  auto line = [&](int indent, const std::string &name, const std::string &value) {
    text +=
        fmt::format("{}{:<{}} : {}\n", std::string(size_t(indent), ' '), name, 42 - indent, value);
  };
  line(0, "Timestamp", fmt::format("{:%a %b %e %H:%M:%S %Y}", fmt::localtime(std::time(nullptr))));
  line(0, "Driver Version", std::string(driver_version));
  line(0, "CUDA Version", std::string(driver_cuda_release));
  text += "\n";
  line(0, "Attached GPUs", std::to_string(Platform::instance().deviceCount()));
  for (Device *device : devices) {
    auto value = [&](const char *field) { return valueOf(field, *device); };
    text += "GPU " + value("pci.bus_id") + "\n";
    line(4, "Product Name", value("name"));
    line(4, "Product Architecture", device->gpu.architecture);
    line(4, "GPU UUID", value("uuid"));
    line(4, "Minor Number", value("index"));
    line(4, "Compute Mode", value("compute_mode"));
    text += "    PCI\n";
    line(8, "Bus", value("pci.bus"));
    line(8, "Device", value("pci.device"));
    line(8, "Domain", value("pci.domain"));
    line(8, "Device Id", value("pci.device_id"));
    line(8, "Bus Id", value("pci.bus_id"));
    text += "    FB Memory Usage\n";
    for (const auto &[name, field] : {std::pair{"Total", "memory.total"},
                                      {"Reserved", "memory.reserved"},
                                      {"Used", "memory.used"},
                                      {"Free", "memory.free"}})
      line(8, name, value(field) + " MiB");
    text += "    ECC Mode\n";
    line(8, "Current", value("ecc.mode.current"));
    text += "    Max Clocks\n";
    line(8, "SM", value("clocks.max.sm") + " MHz");
    line(8, "Memory", value("clocks.max.mem") + " MHz");
    text += "    Processes : each has virtual devices of its own, which are not seen from here\n\n";
  }
  return text;
}

} // namespace heddle::cli
