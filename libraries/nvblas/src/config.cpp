// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace heddle::nvblas {
namespace {

constexpr const char *default_name = "nvblas.conf";

// What is behind the keyword, without spaces around it.
std::string rest(std::istringstream &words) {
  std::string text;
  std::getline(words >> std::ws, text);
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// A number, and nothing behind it.
template <class Number> bool readNumber(const std::string &text, Number &number) {
  std::istringstream stream(text);
  return stream >> number && (stream >> std::ws).eof();
}

void refuse(Config &config, const std::string &keyword, const std::string &value) {
  config.messages.push_back(keyword + ": \"" + value + "\" is no value of it, and is ignored");
}

void readRatio(Config &config, const std::string &keyword, std::string_view start,
               const std::string &value) {
  float ratio = 0;
  if (readNumber(value, ratio) && ratio >= 0 && ratio <= 1)
    config.ratio[keyword.substr(start.size())] = ratio;
  else
    refuse(config, keyword, value);
}

void readLine(Config &config, const std::string &line) {
  constexpr std::string_view disabled = "NVBLAS_GPU_DISABLED_", ratio = "NVBLAS_CPU_RATIO_";
  std::istringstream words(line);
  std::string keyword;
  if (!(words >> keyword) || keyword[0] == '#')
    return;
  const std::string value = rest(words);
  int number = 0;
  if (keyword == "NVBLAS_CPU_BLAS_LIB")
    config.cpu_library = value;
  else if (keyword == "NVBLAS_LOGFILE")
    config.log_file = value;
  else if (keyword == "NVBLAS_TRACE_LOG_ENABLED")
    config.trace = true;
  else if (keyword == "NVBLAS_AUTOPIN_MEM_ENABLED")
    config.pin = true;
  else if (keyword == "NVBLAS_GPU_LIST")
    config.devices = value;
  else if (keyword == "NVBLAS_TILE_DIM")
    readNumber(value, number) && number > 0 ? void(config.tile = number)
                                            : refuse(config, keyword, value);
  else if (startsWith(keyword, disabled))
    config.disabled.insert(keyword.substr(disabled.size()));
  else if (startsWith(keyword, ratio))
    readRatio(config, keyword, ratio, value);
  else
    config.messages.push_back("there is no keyword " + keyword + ": the line is ignored");
}

} // namespace

Config readConfig() {
  Config config;
  const char *named = std::getenv("NVBLAS_CONFIG_FILE");
  config.messages.push_back(
      named ? std::string("NVBLAS_CONFIG_FILE environment variable is set to '") + named + "'"
            : std::string("NVBLAS_CONFIG_FILE environment variable is NOT set : relying on default "
                          "config filename '") +
                  default_name + "'");
  std::ifstream file(named ? named : default_name);
  if (!file)
    config.messages.push_back(named ? std::string("Cannot open config file '") + named + "'"
                                    : std::string("Cannot open default config file '") +
                                          default_name + "'");
  std::string line;
  while (std::getline(file, line))
    readLine(config, line);
  return config;
}

} // namespace heddle::nvblas
