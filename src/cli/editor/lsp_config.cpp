// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle lsp-config: what clangd, and editors behind it, need to read CUDA sources as heddlecc
// does.
//
// clangd is a Clang of its own, so it takes the flags that heddlecc gives its Clang (heddlecc
// --editor-flags); where a project has a compile_commands.json, nvcc's options are taken out of it.
#include "cli/editor/lsp_config.h"
#include "cli/editor/files.h"
#include "support/paths.h"
#include "support/process.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

// nvcc's options in compile_commands.json, which Clang takes for errors or for something else.
constexpr const char *nvcc_options[] = {"-x",
                                        "-arch",
                                        "-arch=*",
                                        "-code=*",
                                        "-gencode*",
                                        "--gpu-*",
                                        "--generate-*",
                                        "-rdc*",
                                        "--relocat*",
                                        "--expt-*",
                                        "-expt-*",
                                        "--extended-*",
                                        "-extended-*",
                                        "-Xcompiler*",
                                        "--compiler-*",
                                        "-Xptxas*",
                                        "--ptxas-*",
                                        "-Xcudafe*",
                                        "-Xnvlink*",
                                        "-ccbin*",
                                        "-lineinfo",
                                        "-G",
                                        "--use_fast_math",
                                        "-use_fast_*",
                                        "-forward-unknown-*",
                                        "-maxrreg*",
                                        "--maxrreg*",
                                        "--default-stream*",
                                        "-dc",
                                        "-dlink",
                                        "--threads*",
                                        "-cudart*",
                                        "--options-file*",
                                        "-diag-*",
                                        "-ftz*"};

std::string quoted(const std::string &word) {
  std::string text = "'";
  for (char letter : word)
    text += letter == '\'' ? std::string("''") : std::string(1, letter);
  return text + "'";
}

/// The lines of a list in YAML.
std::string listOf(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += "    - " + quoted(word) + "\n";
  return text;
}

// clangd runs in a source's folder.
void makeAbsolute(std::vector<std::string> &flags) {
  const auto absolute = [](const std::string &path) {
    return fs::absolute(path).lexically_normal().string();
  };
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "-I" || flags[i] == "-isystem") {
      if (++i < flags.size())
        flags[i] = absolute(flags[i]);
    } else if (flags[i].starts_with("-I")) {
      flags[i] = "-I" + absolute(flags[i].substr(2));
    }
  }
}

std::vector<std::string> editorFlags(const std::vector<std::string> &nvcc) {
  const fs::path compiler = installRoot() / "bin" / "heddlecc";
  std::vector<std::string> command = {compiler.string(), "--editor-flags"};
  command.insert(command.end(), nvcc.begin(), nvcc.end());
  const ProcessResult result = runProcess(command, Capture::Output); // its errors are shown
  if (result.exit_code != 0)
    throw std::runtime_error(fmt::format("{} --editor-flags failed", compiler.string()));
  std::vector<std::string> flags;
  for (size_t begin = 0, end; (end = result.output.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    flags.push_back(result.output.substr(begin, end - begin));
  makeAbsolute(flags);
  return flags;
}

/// What C++ without kernels needs of them: the folders of headers.
std::vector<std::string> headerFlags(const std::vector<std::string> &flags) {
  std::vector<std::string> result;
  for (size_t i = 0; i + 1 < flags.size(); ++i)
    if (flags[i] == "-isystem")
      result.insert(result.end(), {flags[i], flags[i + 1]});
  return result;
}

std::string clangdFile(const std::vector<std::string> &nvcc) {
  const std::vector<std::string> flags = editorFlags(nvcc);
  std::string text = fmt::format(
      "# {}, so that clangd reads CUDA sources as heddlecc does.\n"
      "If:\n"
      "  PathMatch: .*\\.(cu|cuh)\n"
      "CompileFlags:\n"
      "  Compiler: clang++\n"
      "  Remove:\n{}"
      "  Add:\n{}",
      maker_mark, listOf({std::begin(nvcc_options), std::end(nvcc_options)}), listOf(flags));
  return text + fmt::format("---\n"
                            "If:\n"
                            "  PathMatch: .*\\.(c|cc|cpp|cxx|h|hh|hpp|hxx)\n"
                            "CompileFlags:\n"
                            "  Add:\n{}",
                            listOf(headerFlags(flags)));
}

} // namespace

int lspConfigCommand(const LspConfigOptions &options) {
  std::vector<EditorFile> files = {{".clangd", clangdFile(options.nvcc)}};
  if (options.vscode)
    for (EditorFile &file : debuggerFiles(installRoot() / "bin" / "heddlecc"))
      files.push_back(std::move(file));
  if (options.folder.empty()) {
    for (const EditorFile &file : files)
      fmt::print("{}{}", files.size() > 1 ? fmt::format("==> {} <==\n", file.name.string()) : "",
                 file.text);
    return 0;
  }
  writeFiles(options.folder, files, options.force);
  for (const EditorFile &file : files)
    fmt::print("wrote {}\n", (fs::path(options.folder) / file.name).lexically_normal().string());
  return 0;
}

} // namespace heddle::cli
