// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/compile.h"
#include "frontend/linking/device_inputs.h"
#include "module/image/image.h"
#include "module/linking/link.h"
#include "module/ptx/module/compile.h"
#include "module/ptx_output/emit_ptx.h"
#include "rtc/compiler/requests.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

using namespace llvm;

namespace heddle::rtc {
namespace {

struct BadInput : std::runtime_error {
  BadInput(const char *reason, const std::string &message)
      : std::runtime_error(message), reason(reason) {}
  const char *reason;
};

std::span<const std::byte> asBytes(const std::string &text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

// Object files and libraries are read from files.
std::vector<DeviceObject> readObjectFile(const std::string &name, const std::string &bytes) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("heddle-link-{}.o", getpid());
  std::ofstream(file, std::ios::binary) << bytes;
  std::vector<DeviceObject> objects;
  try {
    objects = frontend::readDeviceInputs({{file.string(), name}}).objects;
  } catch (...) {
    std::filesystem::remove(file);
    throw;
  }
  std::filesystem::remove(file);
  return objects;
}

// A whole image is device code that has been optimised, with the device library in it.
DeviceObject readImageObject(const std::string &name, const std::string &bytes) {
  const Image image = readImage(asBytes(bytes));
  LLVMContext context;
  auto module = parseBitcodeFile(
      MemoryBufferRef({image.bitcode.data(), image.bitcode.size()}, name), context);
  if (!module)
    throw std::runtime_error(toString(module.takeError()));
  DeviceObjectInfo info;
  info.id = name;
  info.source = image.info.source;
  info.archs = {image.info.arch};
  return readDeviceObjects(asBytes(makeDeviceObject(**module, info))).front();
}

// Before its addresses are pointers (finishPtx): what it calls may be in another input.
DeviceObject readPtxObject(const std::string &name, const std::string &bytes) {
  LLVMContext context;
  uint32_t arch = 0;
  // A program may count the zero at the end.
  const PtxText text{name, bytes.c_str()};
  const std::unique_ptr<Module> module = readPtx(text, context, arch);
  DeviceObjectInfo info;
  info.id = name;
  info.source = name;
  info.archs = {arch};
  const std::string object = makeDeviceObject(*module, info);
  if (object.empty())
    throw std::runtime_error("it has no code and no variables");
  return readDeviceObjects(asBytes(object)).front();
}

bool startsWith(const std::string &bytes, std::string_view letters) {
  return bytes.compare(0, letters.size(), letters) == 0;
}

bool isPtx(const std::string &kind, const std::string &bytes) {
  return kind == "ptx" || (kind == "any" && bytes.find(".version") != std::string::npos &&
                           !startsWith(bytes, "HEDR") && imageBytes(bytes.data()) == 0);
}

std::vector<DeviceObject> readInput(const std::string &kind, const std::string &name,
                                    const std::string &bytes) {
  try {
    if (startsWith(bytes, "HEDR"))
      return readDeviceObjects(asBytes(bytes));
    if (imageBytes(bytes.data()) != 0)
      return {readImageObject(name, bytes)};
    if (startsWith(bytes, "\x7f"
                          "ELF") ||
        startsWith(bytes, "!<arch>"))
      return readObjectFile(name, bytes);
  } catch (const std::exception &problem) {
    throw BadInput("input", fmt::format("ERROR: {}: {}", name, problem.what()));
  }
  if (isPtx(kind, bytes))
    try {
      return {readPtxObject(name, bytes)};
    } catch (const std::exception &problem) {
      throw BadInput("ptx", problem.what());
    }
  throw BadInput("input", fmt::format("ERROR: {}: it holds no device code of Heddle's", name));
}

std::vector<DeviceObject> readInputs(const Message &request) {
  std::vector<DeviceObject> objects;
  const auto kinds = request.all("input-kind"), names = request.all("input-name"),
             inputs = request.all("input");
  for (size_t i = 0; i < kinds.size() && i < names.size() && i < inputs.size(); ++i)
    for (DeviceObject &object : readInput(kinds[i], names[i], inputs[i])) {
      if (object.file.empty())
        object.file = names[i];
      objects.push_back(std::move(object));
    }
  return objects;
}

Message link(const Message &request) {
  const std::vector<DeviceObject> all = readInputs(request);
  const std::vector<const DeviceObject *> objects = chooseObjects(all);
  const frontend::Options options = frontend::parseOptions(request.all("option"));
  Message answer;
  const bool make_ptx = request.first("make") == "ptx";
  if (objects.empty())
    throw BadInput("input", "ERROR: there is no device code to link");
  PrepareOptions prepare = frontend::prepareOptions(options, objects.front()->info.source);
  const BuiltInFunctions built_in(prepare.device_library);
  std::vector<std::string> problems =
      findSymbolProblems(objects, [&](const std::string &name) { return built_in.contains(name); });
  prepare.arch = chooseArch(objects, options.archs, options.arch, problems);
  if (!problems.empty())
    throw BadInput("link", join(problems, "\n"));
  for (const DeviceObject *object : objects)
    prepare.debug |= object->info.debug;
  LLVMContext context;
  const std::unique_ptr<Module> module = linkObjects(objects, context);
  const auto kinds = request.all("input-kind"), inputs = request.all("input");
  for (size_t i = 0; i < kinds.size() && i < inputs.size(); ++i)
    if (isPtx(kinds[i], inputs[i])) {
      finishPtx(*module);
      break;
    }
  if (make_ptx) {
    PtxOptions ptx = frontend::ptxOptions(options, prepare.source);
    ptx.prepare = prepare;
    answer.add("ptx", emitPtx(*module, ptx));
  } else {
    answer.add("cubin", prepareImage(*module, prepare).bytes);
  }
  return answer;
}

} // namespace

Message linkInputs(const Message &request) {
  try {
    return link(request);
  } catch (const BadInput &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    Message answer;
    answer.add("status", "errors");
    answer.add("reason", problem.reason);
    return answer;
  }
}

} // namespace heddle::rtc
