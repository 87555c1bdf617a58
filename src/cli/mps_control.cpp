// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvidia-cuda-mps-control, whose place heddle takes under that name (NVIDIA's "Multi-Process
// Service", "nvidia-cuda-mps-control"). Processes share the CPU's cores without a server, so the
// daemon is only a file that says that it was started, and what it was told.
#include "cli/commands.h"
#include "support/replace_file.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

using Settings = std::map<std::string, std::string>;
using Words = std::vector<std::string>;

constexpr const char *explanation =
    "Heddle: there is no MPS server, as processes share this machine's cores without one. "
    "Settings are remembered and have no effect.\n";

constexpr const char *help =
    "get_server_list                                    no server ever runs\n"
    "get_server_status PID, get_client_list PID, get_device_client_list [PID], ps [-p PID]\n"
    "start_server -uid UID, shutdown_server PID [-f], terminate_client SERVER CLIENT\n"
    "set_default_active_thread_percentage PERCENTAGE, get_default_active_thread_percentage\n"
    "set_active_thread_percentage PID PERCENTAGE, get_active_thread_percentage PID\n"
    "set_default_device_pinned_mem_limit DEVICE LIMIT, get_default_device_pinned_mem_limit DEVICE\n"
    "set_device_pinned_mem_limit PID DEVICE LIMIT, get_device_pinned_mem_limit PID DEVICE\n"
    "set_default_client_priority PRIORITY, get_default_client_priority\n"
    "quit [-t TIMEOUT]\n";

fs::path stateFile() {
  const char *folder = std::getenv("CUDA_MPS_PIPE_DIRECTORY");
  return fs::path(folder && *folder ? folder : "/tmp/nvidia-mps") / "heddle-mps";
}

Settings load(const fs::path &file) {
  Settings settings;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (const size_t space = line.rfind(' '); space != std::string::npos)
      settings[line.substr(0, space)] = line.substr(space + 1);
  return settings;
}

bool save(const fs::path &file, const Settings &settings) {
  std::string text;
  for (const auto &[name, value] : settings)
    text += name + ' ' + value + '\n';
  return !replaceFile(file, text);
}

bool isNumber(const std::string &text) {
  char *end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

/// A command that sets or gets a value, which may be that of a device.
struct Value {
  const char *name, *initial;
  size_t parameters; // before the value
  double least, most;
};
constexpr Value values[] = {{"default_active_thread_percentage", "100.0", 0, 0, 100},
                            {"default_client_priority", "0", 0, 0, 1},
                            {"default_device_pinned_mem_limit", "", 1, 0, 0}};

/// Answers set_NAME and get_NAME; false if the words are neither.
bool answerValue(const Words &words, Settings &settings, std::string &answer) {
  for (const Value &value : values) {
    const bool set = words[0] == std::string("set_") + value.name;
    if (!set && words[0] != std::string("get_") + value.name)
      continue;
    if (words.size() != 1 + value.parameters + set) {
      answer = fmt::format("{}: wrong number of arguments\n", words[0]);
      return true;
    }
    const std::string key = value.parameters ? value.name + (" " + words[1]) : value.name;
    if (set) {
      const std::string &given = words.back();
      const double number = std::strtod(given.c_str(), nullptr);
      if (value.most > 0 && (!isNumber(given) || number < value.least || number > value.most)) {
        answer =
            fmt::format("{}: {} is not from {} to {}\n", words[0], given, value.least, value.most);
        return true;
      }
      settings[key] = value.most > 1 ? fmt::format("{:.1f}", number) : given;
    }
    const auto found = settings.find(key);
    answer = (found != settings.end() ? found->second : value.initial) + "\n";
    return true;
  }
  return false;
}

/// The answer to a command other than quit.
std::string answerTo(const Words &words, Settings &settings) {
  std::string answer;
  if (answerValue(words, settings, answer))
    return answer;
  constexpr const char *of_server[] = {"get_server_status",
                                       "get_client_list",
                                       "set_active_thread_percentage",
                                       "shutdown_server",
                                       "terminate_client",
                                       "get_active_thread_percentage",
                                       "set_client_priority",
                                       "get_client_priority",
                                       "set_device_pinned_mem_limit",
                                       "get_device_pinned_mem_limit"};
  if (words[0] == "get_server_list" || words[0] == "get_device_client_list")
    return "";
  if (words[0] == "ps")
    return "PID ID SERVER DEVICE NAMESPACE COMMAND ATTRIBUTES\n";
  if (words[0] == "start_server")
    return explanation;
  if (words[0] == "help")
    return help;
  if (std::find(std::begin(of_server), std::end(of_server), words[0]) == std::end(of_server))
    return fmt::format("Unrecognized command: {}\n", words[0]);
  return words.size() < 2 ? fmt::format("{}: a process ID is missing\n", words[0])
                          : fmt::format("Server {} not found: no MPS server runs\n", words[1]);
}

int startDaemon(const fs::path &file, bool foreground) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (fs::exists(file)) {
    fmt::print(stderr, "An instance of this daemon is already running\n");
    return 1;
  }
  if (!save(file, {})) {
    fmt::print(stderr,
               "nvidia-cuda-mps-control: {} cannot be written "
               "(CUDA_MPS_PIPE_DIRECTORY chooses another folder)\n",
               file.string());
    return 1;
  }
  const char *quiet = std::getenv("HEDDLE_QUIET");
  if (!quiet || std::string(quiet) != "1")
    fmt::print(stderr, "{}", explanation);
  while (foreground && fs::exists(file))
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return 0;
}

int readCommands(const fs::path &file) {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;)
      words.push_back(word);
    if (words.empty())
      continue;
    if (!fs::exists(file)) {
      fmt::print(stderr, "Cannot find MPS control daemon process\n");
      return 1;
    }
    if (words[0] == "quit") {
      fs::remove(file);
      return 0;
    }
    Settings settings = load(file);
    const Settings before = settings;
    const std::string answer = answerTo(words, settings);
    if (settings != before && !save(file, settings)) {
      fmt::print(stderr, "nvidia-cuda-mps-control: {} cannot be written\n", file.string());
      return 1;
    }
    fmt::print("{}", answer);
    std::fflush(stdout);
  }
  return 0;
}

} // namespace

int mpsControl(const std::vector<std::string> &arguments) {
  if (arguments.empty())
    return readCommands(stateFile());
  if (arguments.size() == 1 && (arguments[0] == "-d" || arguments[0] == "-f"))
    return startDaemon(stateFile(), arguments[0] == "-f");
  const bool asked = arguments[0] == "-h" || arguments[0] == "--help";
  fmt::print(
      asked ? stdout : stderr,
      "usage: nvidia-cuda-mps-control [-d | -f], or commands on the standard input:\n\n{}\n{}",
      help, explanation);
  return asked ? 0 : 1;
}

} // namespace heddle::cli
