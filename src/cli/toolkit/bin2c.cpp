// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bin2c, whose place heddle takes under that name: a file as an array in C, on the standard output.
#include "cli/commands.h"
#include "cli/option_reader.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>

namespace heddle::cli {
namespace {

constexpr const char *help =
    "Usage: bin2c [options] file > file.h\n"
    "Writes a file as an array in C.\n"
    "  --name <name>     (-n)   the array's name; default: imageBytes\n"
    "  --type <type>     (-t)   of its elements: char, short, int or longlong; default: char\n"
    "  --const           (-c)   the array is constant\n"
    "  --static          (-st)  the array is static\n"
    "  --padd <values>   (-p)   numbers, with commas between, of bytes behind the file's own\n"
    "  --length          (-l)   also the file's length in bytes, <name>Length\n"
    "  --help            (-h)   this text\n";

struct Type {
  const char *name, *declared, *suffix;
  unsigned bytes;
};
constexpr Type types[] = {{"char", "unsigned char", "", 1},
                          {"short", "unsigned short", "", 2},
                          {"int", "unsigned int", "u", 4},
                          {"longlong", "unsigned long long", "ull", 8}};

struct Options {
  std::string name = "imageBytes", file, padding;
  Type type = types[0];
  bool constant = false, is_static = false, length = false;
};

Type typeOf(const std::string &name) {
  const auto *found = std::find_if(std::begin(types), std::end(types),
                                   [&](const Type &t) { return name == t.name; });
  if (found == std::end(types))
    throw UsageError(fmt::format("--type {}: char, short, int or longlong is needed", name));
  return *found;
}

bool isName(const std::string &name) {
  return !name.empty() && !std::isdigit((unsigned char)name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

char byteFrom(const std::string &text) {
  const uint64_t number = numberFrom(0, "--padd", text);
  if (number > 255)
    throw UsageError(fmt::format("--padd {}: larger than a byte", text));
  return char(number);
}

Options readOptions(const std::vector<std::string> &words) {
  Options options;
  OptionReader reader(words);
  std::string value;
  while (!reader.atEnd())
    if (reader.option("--name", options.name) || reader.option("-n", options.name)) {
      if (!isName(options.name))
        throw UsageError(fmt::format("--name {}: no name in C", options.name));
    } else if (reader.option("--type", value) || reader.option("-t", value)) {
      options.type = typeOf(value);
    } else if (reader.option("--padd", value) || reader.option("-p", value)) {
      for (const std::string &one : splitAtCommas(value))
        options.padding += byteFrom(one);
    } else if (reader.flag("--const") || reader.flag("-c")) {
      options.constant = true;
    } else if (reader.flag("--static") || reader.flag("-st")) {
      options.is_static = true;
    } else if (reader.flag("--length") || reader.flag("-l")) {
      options.length = true;
    } else if (reader.peek().starts_with("-") || !options.file.empty()) {
      throw UsageError(fmt::format("Unknown option '{}'", reader.peek()));
    } else {
      options.file = reader.take();
    }
  if (options.file.empty())
    throw UsageError("No input file specified");
  return options;
}

std::string readAll(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file && file.peek() != EOF)
    bytes << file.rdbuf();
  if (!file && !file.eof())
    throw std::runtime_error(
        fmt::format("Could not open input file '{}': {}", path, std::strerror(errno)));
  return bytes.str();
}

/// Elements are little-endian; the last one is filled up with zeros.
std::string arrayOf(std::string bytes, const Type &type) {
  constexpr size_t bytes_in_line = 16;
  bytes.resize((bytes.size() + type.bytes - 1) / type.bytes * type.bytes);
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += type.bytes) {
    unsigned long long element = 0;
    std::memcpy(&element, &bytes[at], type.bytes);
    fmt::format_to(std::back_inserter(text), "{}0x{:0{}x}{},", at % bytes_in_line == 0 ? "\n" : "",
                   element, type.bytes * 2, type.suffix);
  }
  if (bytes.empty())
    text = "\n0"; // C has no empty arrays
  return text;
}

} // namespace

int bin2c(const std::vector<std::string> &arguments) {
  if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h")) {
    std::fputs(help, stdout);
    return 0;
  }
  const Options options = readOptions(arguments);
  const std::string bytes = readAll(options.file);
  const std::string words =
      fmt::format("{}{}", options.is_static ? "static " : "", options.constant ? "const " : "");
  std::string text = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  if (options.length)
    text += fmt::format("{}unsigned long long {}Length = {};\n", words, options.name, bytes.size());
  text += fmt::format("{}{} {}[] = {{{}\n}};\n", words, options.type.declared, options.name,
                      arrayOf(bytes + options.padding, options.type));
  text += "\n#ifdef __cplusplus\n}\n#endif\n";
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw std::runtime_error(fmt::format("cannot write: {}", std::strerror(errno)));
  return 0;
}

} // namespace heddle::cli
