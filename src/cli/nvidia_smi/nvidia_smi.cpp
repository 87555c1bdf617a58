// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvidia-smi's command line. Exit codes are its own: 2 for a wrong argument, 6 for a device that is
// not there (nvidia-smi(1), "RETURN VALUE").
#include "cli/commands.h"
#include "cli/nvidia_smi/fields.h"
#include "cli/nvidia_smi/table.h"
#include "device/platform.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace heddle::cli {
namespace {

constexpr int wrong_argument = 2, nothing_found = 6;

constexpr const char *help =
    "NVIDIA System Management Interface's place, taken by Heddle: shows the virtual devices.\n"
    "HEDDLE_GPU says which GPU they are, HEDDLE_DEVICES how many (heddle devices lists them).\n"
    "\n"
    "nvidia-smi [OPTION1 [ARG1]] [OPTION2 [ARG2]] ...\n"
    "\n"
    "    -h,   --help                Print this text\n"
    "          --version             Print versions\n"
    "    -L,   --list-gpus           One line for each device\n"
    "    -q,   --query               A list of properties\n"
    "    -i,   --id=                 Only this device: its index, UUID or PCI bus\n"
    "          --query-gpu=          The fields of --help-query-gpu, separated by commas\n"
    "          --query-compute-apps= No process is ever found\n"
    "          --format=             csv, with noheader and nounits\n"
    "    topo -m                     How devices reach each other\n"
    "          --help-query-gpu      The fields' names\n";

struct Arguments {
  bool list = false, query = false, apps = false;
  std::vector<std::string> fields;
  std::optional<std::string> format;
  std::vector<std::string> ids;
};

struct Refusal {
  std::string message;
  int code = wrong_argument;
};

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    const size_t start = part.find_first_not_of(' ');
    const size_t end = part.find_last_not_of(' ');
    parts.push_back(start == part.npos ? "" : part.substr(start, end - start + 1));
  }
  return parts;
}

Arguments parse(const std::vector<std::string> &words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    auto value = [&] {
      if (equals != std::string::npos)
        return words[i].substr(equals + 1);
      if (++i == words.size())
        throw Refusal{fmt::format("Option {} needs a value.", name)};
      return words[i];
    };
    if (name == "-L" || name == "--list-gpus")
      arguments.list = true;
    else if (name == "-q" || name == "--query")
      arguments.query = true;
    else if (name == "-i" || name == "--id")
      arguments.ids = split(value());
    else if (name == "--query-gpu")
      arguments.fields = split(value());
    else if (name == "--query-compute-apps") {
      arguments.apps = true;
      arguments.fields = split(value());
    } else if (name == "--format")
      arguments.format = value();
    else
      throw Refusal{
          fmt::format("Invalid combination of input arguments. Heddle's nvidia-smi has no option "
                      "'{}'. Please run 'nvidia-smi -h' for help.",
                      words[i])};
  }
  return arguments;
}

std::vector<Device *> chosenDevices(const std::vector<std::string> &ids) {
  Platform &platform = Platform::instance();
  if (platform.status() != cudaSuccess && platform.status() != cudaErrorNoDevice)
    throw Refusal{"Failed to initialize: see the message above", nothing_found};
  std::vector<Device *> all, chosen;
  for (int i = 0; i < platform.deviceCount(); ++i)
    all.push_back(&platform.device(i));
  if (all.empty())
    throw Refusal{"No devices were found", nothing_found};
  if (ids.empty())
    return all;
  for (const std::string &id : ids) {
    const auto found = std::find_if(all.begin(), all.end(), [&](Device *device) {
      return id == valueOf("index", *device) || id == valueOf("uuid", *device) ||
             id == valueOf("pci.bus_id", *device);
    });
    if (found == all.end())
      throw Refusal{fmt::format("No devices were found with id '{}'", id), nothing_found};
    chosen.push_back(*found);
  }
  return chosen;
}

struct Format {
  bool header = true, units = true;
};

Format parseFormat(const Arguments &arguments) {
  Format format;
  bool csv = false;
  for (const std::string &word : split(arguments.format.value_or("")))
    if (word == "csv")
      csv = true;
    else if (word == "noheader")
      format.header = false;
    else if (word == "nounits")
      format.units = false;
    else
      throw Refusal{fmt::format("Unknown format '{}': use csv, noheader, nounits.", word)};
  if (!csv)
    throw Refusal{"\"--format=\" switch is missing. Please run 'nvidia-smi -h' for help."};
  return format;
}

void printCsv(const Arguments &arguments) {
  const Format format = parseFormat(arguments);
  std::vector<const Field *> columns;
  for (const std::string &name : arguments.fields) {
    columns.push_back(findField(name));
    if (!columns.back())
      throw Refusal{fmt::format("Field \"{}\" is not a valid field to query.\n", name)};
  }
  std::string text;
  for (size_t i = 0; i < columns.size() && format.header; ++i)
    text += (i ? ", " : "") + arguments.fields[i] +
            (columns[i]->unit.empty() ? "" : " [" + columns[i]->unit + "]");
  text += format.header ? "\n" : "";
  for (Device *device : chosenDevices(arguments.ids)) {
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string value = columns[i]->value(*device);
      const bool unit = format.units && !columns[i]->unit.empty() && value != "[N/A]";
      text += (i ? ", " : "") + value + (unit ? " " + columns[i]->unit : "");
    }
    text += "\n";
  }
  std::fputs(text.c_str(), stdout);
}

void printApplications(const Arguments &arguments) {
  if (!parseFormat(arguments).header)
    return;
  fmt::print("{}\n", fmt::join(arguments.fields, ", "));
}

void printFieldNames() {
  std::string text = "Fields of --query-gpu; [N/A] where only a real board has a value:\n\n";
  for (const Field &field : fields())
    text += fmt::format("\"{}\"\n", fmt::join(field.names, "\" or \""));
  std::fputs(text.c_str(), stdout);
}

void listDevices(const std::vector<Device *> &devices) {
  for (Device *device : devices)
    fmt::print("GPU {}: {} (UUID: {})\n", device->ordinal, device->gpu.name,
               valueOf("uuid", *device));
}

void answer(const std::vector<std::string> &words) {
  auto asked = [&](std::string_view name) {
    return std::find(words.begin(), words.end(), name) != words.end();
  };
  if (asked("-h") || asked("--help"))
    return (void)std::fputs(help, stdout);
  if (asked("--help-query-gpu"))
    return printFieldNames();
  if (asked("--version"))
    return fmt::print("NVIDIA-SMI version  : {0} (Heddle)\nDRIVER version      : {0}\n"
                      "CUDA Version        : {1}\n",
                      driver_version, driver_cuda_release);
  if (words == std::vector<std::string>{"topo", "-m"} ||
      words == std::vector<std::string>{"topo", "--matrix"})
    return (void)std::fputs(smiTopology(chosenDevices({})).c_str(), stdout);
  const Arguments arguments = parse(words);
  if (arguments.apps)
    return printApplications(arguments);
  if (!arguments.fields.empty())
    return printCsv(arguments);
  if (arguments.list)
    return listDevices(chosenDevices(arguments.ids));
  const std::string text = arguments.query ? smiList(chosenDevices(arguments.ids))
                                           : smiTable(chosenDevices(arguments.ids));
  std::fputs(text.c_str(), stdout);
}

} // namespace

int nvidiaSmi(const std::vector<std::string> &arguments) {
  unsetenv("CUDA_VISIBLE_DEVICES"); // it shows the machine
  unsetenv("CUDA_DEVICE_ORDER");
  try {
    answer(arguments);
    return 0;
  } catch (const Refusal &refusal) {
    std::printf("%s\n", refusal.message.c_str()); // on stdout, as nvidia-smi does
    return refusal.code;
  }
}

} // namespace heddle::cli
