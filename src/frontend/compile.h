// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles one source file with Clang, inside this process.
//
// A .cu file goes through Clang twice: as device code, which becomes the device image, and as host
// code, into which the image is embedded where nvcc would put a fat binary. With -rdc=true the
// object holds relocatable device code instead (linking/relocatable_host.h).
#pragma once

#include "frontend/command_line/options.h"
#include "frontend/diagnostics.h"
#include "frontend/progress.h"
#include "module/prepare.h"
#include "module/ptx_output/emit_ptx.h"

#include <filesystem>
#include <optional>

namespace heddle::frontend {

struct CompiledSource {
  std::string image;             // empty if the file has no device code, or with -rdc=true
  std::optional<ImageInfo> info; // of the image, or of one of this file alone
};

/// Compiles `input` to the object file `object`; `progress` learns of the two sides. Returns
/// nothing if it has errors, which have been shown. Throws std::runtime_error for what is not the
/// source's fault.
std::optional<CompiledSource> compileToObject(const Options &options, const Input &input,
                                              const std::filesystem::path &object,
                                              ShownMessages &shown, Progress &progress);

/// The device image of `input`, for programs that load it when they run. Of a file without device
/// code it holds none.
std::optional<CompiledSource> compileToImage(const Options &options, const Input &input,
                                             ShownMessages &shown);

/// The device code of `input` as PTX (Action::Ptx), or to be linked later (Action::LtoIr,
/// module/linking/device_object.h). Nothing if it has errors.
std::optional<std::string> compileToText(const Options &options, const Input &input,
                                         ShownMessages &shown);

/// The device side of `input` after the preprocessor. Nothing if it has errors.
std::optional<std::string> preprocessedDevice(const Options &options, const Input &input,
                                              ShownMessages &shown);

/// The commands of Clang's driver that say what compileToObject does, and compileToImage if there
/// is no object; this process does it itself.
std::vector<std::vector<std::string>> describeCompilation(const Options &options,
                                                          const Input &input,
                                                          const std::filesystem::path &image,
                                                          const std::filesystem::path &object);

/// What another Clang needs to read CUDA sources as this one does, that of an editor: options of
/// its driver, to which the editor adds the file.
std::vector<std::string> editorArguments(const Options &options);

/// -E, -M, -MM: to `output`, or to stdout if it is empty. False if there were errors.
bool preprocess(const Options &options, const Input &input, const std::string &output,
                ShownMessages &shown);

/// How Options say device code should be prepared.
PrepareOptions prepareOptions(const Options &options, const std::string &source);

PtxOptions ptxOptions(const Options &options, const std::string &source);

/// Clang's arguments for the device side of `input`. `id` tells its object from all others.
std::vector<std::string> deviceArguments(const Options &options, const Input &input,
                                         const std::string &id);

} // namespace heddle::frontend
