// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/editor/files.h"

#include "support/replace_file.h"

#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *task = "heddlecc -g -G: build the open file for the debugger";

/// JSON with comments, as VS Code reads it.
std::string marked(const Json &json) {
  return fmt::format("// {}\n{}\n", maker_mark, json.dump(2));
}

bool isOurs(const fs::path &file) {
  std::ifstream stream(file);
  std::string line;
  return std::getline(stream, line) && line.find(maker_mark) != std::string::npos;
}

} // namespace

std::vector<EditorFile> debuggerFiles(const fs::path &compiler) {
  const std::string program = "${fileDirname}/${fileBasenameNoExtension}";
  const Json build = {{"label", task},
                      {"type", "process"},
                      {"command", compiler.string()},
                      {"args", {"-g", "-G", "${file}", "-o", program}},
                      {"group", "build"},
                      {"problemMatcher", {"$gcc"}}};
  const auto command = [](const char *what, const char *text) {
    return Json{{"description", what}, {"text", text}};
  };
  const Json debug = {
      {"name", "CUDA program of the open file, in gdb"},
      {"type", "cppdbg"},
      {"request", "launch"},
      {"program", program},
      {"args", Json::array()},
      {"cwd", "${workspaceFolder}"},
      {"MIMode", "gdb"},
      {"setupCommands",
       {command("kernels are loaded when they are first launched", "set breakpoint pending on"),
        command("other blocks stand still during a step", "set scheduler-locking step"),
        command("readable containers", "-enable-pretty-printing")}},
      {"preLaunchTask", task}};
  return {{".vscode/tasks.json", marked({{"version", "2.0.0"}, {"tasks", {build}}})},
          {".vscode/launch.json",
           marked({{"version", "0.2.0"}, {"configurations", Json::array({debug})}})}};
}

void writeFiles(const fs::path &folder, const std::vector<EditorFile> &files, bool force) {
  if (!fs::is_directory(folder))
    throw std::runtime_error(fmt::format("{} is no folder", folder.string()));
  for (const EditorFile &file : files) {
    const fs::path path = folder / file.name;
    std::error_code ignored;
    const fs::file_status there = fs::symlink_status(path, ignored);
    if (fs::is_directory(there))
      throw std::runtime_error(fmt::format("{} is a folder", path.string()));
    if (fs::exists(there) && !force && !isOurs(path))
      throw std::runtime_error(
          fmt::format("{} was not made by heddle lsp-config and is left as it is; --force replaces "
                      "it, and without a FOLDER what would be written is printed",
                      path.string()));
  }
  for (const EditorFile &file : files) {
    const fs::path path = folder / file.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (!error)
      error = replaceFile(path, file.text);
    if (error)
      throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), error.message()));
  }
}

} // namespace heddle::cli
