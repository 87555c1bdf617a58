// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/compile.h"
#include "frontend/linking/device_inputs.h"
#include "module/image/framed.h"
#include "module/image/image.h"
#include "module/image/nvidia_fat_binary.h"
#include "module/image/own_code.h"
#include "module/linking/link.h"
#include "module/ptx/module/compile.h"
#include "module/ptx_output/emit_ptx.h"
#include "rtc/compiler/fat_binaries.h"
#include "rtc/compiler/requests.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
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
DeviceObject readPtxObject(const PtxText &text) {
  LLVMContext context;
  uint32_t arch = 0;
  const std::unique_ptr<Module> module = readPtx(text, context, arch);
  DeviceObjectInfo info;
  info.id = text.name;
  info.source = text.name;
  info.archs = {arch};
  const std::string object = makeDeviceObject(*module, info);
  if (object.empty())
    throw std::runtime_error("it has no code and no variables");
  return readDeviceObjects(asBytes(object)).front();
}

bool startsWith(const std::string &bytes, std::string_view letters) {
  return bytes.compare(0, letters.size(), letters) == 0;
}

bool isObjectFile(const std::string &bytes) {
  return startsWith(bytes, "\x7f"
                           "ELF") ||
         startsWith(bytes, "!<arch>");
}

bool isPtx(const std::string &kind, const std::string &bytes) {
  return kind == "ptx" ||
         (kind == "any" && bytes.find(".version") != std::string::npos &&
          !startsWith(bytes, relocatable_code.letters) && imageBytes(bytes.data()) == 0);
}

struct Inputs {
  std::vector<DeviceObject> objects;
  bool any_ptx = false; // whose addresses are to become pointers

  void add(std::vector<DeviceObject> more) {
    std::move(more.begin(), more.end(), std::back_inserter(objects));
  }
  void addText(const PtxText &text) {
    try {
      objects.push_back(readPtxObject(text));
    } catch (const std::exception &problem) {
      throw BadInput("ptx", problem.what());
    }
    any_ptx = true;
  }
};

// What nvFatbin has put together of Heddle's code.
void addFatBinary(const std::string &name, const std::string &bytes, unsigned capability,
                  Inputs &inputs) {
  const std::string own = ownCodeIn(bytes.data(), bytes.size(), capability);
  if (startsWith(own, relocatable_code.letters))
    inputs.add(readDeviceObjects(asBytes(own)));
  else if (!own.empty())
    inputs.add({readImageObject(name, own)});
}

// Heddle's own device code, in all its forms. False if it is something else.
bool addOwnCode(const std::string &name, const std::string &bytes, unsigned capability,
                Inputs &inputs) {
  const size_t before = inputs.objects.size();
  if (startsWith(bytes, relocatable_code.letters))
    inputs.add(readDeviceObjects(asBytes(bytes)));
  else if (imageBytes(bytes.data()) != 0)
    inputs.add({readImageObject(name, bytes)});
  else if (isObjectFile(bytes))
    inputs.add(readObjectFile(name, bytes));
  else if (bytes.size() >= 16 && isNvidiaFatBinary(bytes.data()))
    addFatBinary(name, bytes, capability, inputs);
  return inputs.objects.size() > before;
}

void readInput(const std::string &kind, const std::string &name, const std::string &bytes,
               unsigned capability, Inputs &inputs) {
  std::vector<PtxText> texts;
  try {
    if (addOwnCode(name, bytes, capability, inputs))
      return;
    texts = textsOfFatBinaries(bytes, name, capability);
  } catch (const std::exception &problem) {
    throw BadInput("input", fmt::format("ERROR: {}: {}", name, problem.what()));
  }
  if (texts.empty() && isPtx(kind, bytes))
    texts.push_back({name, bytes.c_str()}); // a program may count the zero at the end
  if (texts.empty() && !isObjectFile(bytes))
    throw BadInput("input", fmt::format("ERROR: {}: it holds no device code of Heddle's", name));
  for (const PtxText &text : texts)
    inputs.addText(text);
}

Inputs readInputs(const Message &request, unsigned capability) {
  Inputs inputs;
  const auto kinds = request.all("input-kind"), names = request.all("input-name"),
             bytes = request.all("input");
  for (size_t i = 0; i < kinds.size() && i < names.size() && i < bytes.size(); ++i) {
    const size_t before = inputs.objects.size();
    readInput(kinds[i], names[i], bytes[i], capability, inputs);
    for (size_t added = before; added < inputs.objects.size(); ++added)
      if (inputs.objects[added].file.empty())
        inputs.objects[added].file = names[i];
  }
  return inputs;
}

Message link(const Message &request) {
  const frontend::Options options = frontend::parseOptions(request.all("option"));
  const Inputs inputs = readInputs(request, options.arch / 10);
  const std::vector<const DeviceObject *> objects = chooseObjects(inputs.objects);
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
  if (inputs.any_ptx)
    finishPtx(*module);
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
