// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/linking/device_link.h"

#include "frontend/compile.h"
#include "frontend/device_limits.h"
#include "frontend/linking/relocatable_host.h"
#include "frontend/native_code.h"
#include "module/linking/link.h"
#include "module/prepare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <fmt/format.h>
#include <stdexcept>

namespace fs = std::filesystem;

namespace heddle::frontend {
namespace {

// What each image is announced with, as Clang does it for one file. The code is registered when the
// first object that is part of it comes to be initialised.
constexpr const char *registration = R"(
@image = external hidden constant i8
@wrapper = internal constant { i32, i32, ptr, ptr } { i32 1180844977, i32 1, ptr @image, ptr null },
  section ".nvFatBinSegment", align 8
@handle = internal global ptr null

declare ptr @__cudaRegisterFatBinary(ptr)
declare void @__cudaUnregisterFatBinary(ptr)
declare i32 @atexit(ptr)

define internal void @unregister() {
  %known = load ptr, ptr @handle
  call void @__cudaUnregisterFatBinary(ptr %known)
  ret void
}

define internal void @register(ptr %object) {
  %known = load ptr, ptr @handle
  %is_new = icmp eq ptr %known, null
  br i1 %is_new, label %first, label %do
first:
  %made = call ptr @__cudaRegisterFatBinary(ptr @wrapper)
  store ptr %made, ptr @handle
  %ignored = call i32 @atexit(ptr @unregister)
  br label %do
do:
  %handle = load ptr, ptr @handle
  call void %object(ptr %handle)
  ret void
}
)";

// Weak: a library that has linked its device code may be linked again with its users'.
constexpr const char *registration_of_object = R"(
define weak hidden void @{}(ptr %object, ptr %wrapper, ptr %id, ptr %unused) {{
  call void @register(ptr %object)
  ret void
}}
)";

std::unique_ptr<llvm::TargetMachine> hostMachine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const std::string triple = llvm::sys::getDefaultTargetTriple();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    throw std::runtime_error("this LLVM cannot generate code for this machine: " + error);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_));
}

void writeObject(llvm::Module &module, const fs::path &output) {
  const auto machine = hostMachine();
  module.setTargetTriple(machine->getTargetTriple().str());
  module.setDataLayout(machine->createDataLayout());
  std::error_code error;
  llvm::raw_fd_ostream stream(output.string(), error, llvm::sys::fs::OF_None);
  if (error)
    throw std::runtime_error("cannot write " + output.string() + ": " + error.message());
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    throw std::runtime_error("this LLVM cannot write object files for this machine");
  passes.run(module);
  stream.close();
  if (stream.has_error()) {
    const std::string reason = stream.error().message();
    stream.clear_error();
    throw std::runtime_error("cannot write " + output.string() + ": " + reason);
  }
}

void writeLinkedObject(const std::string &image, const std::vector<std::string> &ids,
                       const fs::path &output) {
  std::string text = registration, all_ids;
  for (const std::string &id : ids) {
    text += fmt::format(registration_of_object, registerFunction(id));
    all_ids += id + '\0';
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  if (!module)
    throw std::runtime_error("internal error: the device link's code: " +
                             problem.getMessage().str());
  auto *bytes = llvm::ConstantDataArray::getString(context, image, /*AddNull=*/false);
  auto *data = new llvm::GlobalVariable(*module, bytes->getType(), true,
                                        llvm::GlobalValue::InternalLinkage, bytes, "device_code");
  data->setSection(".nv_fatbin");
  data->setAlignment(llvm::Align(8));
  llvm::GlobalVariable *placeholder = module->getGlobalVariable("image");
  placeholder->replaceAllUsesWith(data);
  placeholder->eraseFromParent();
  llvm::embedBufferInModule(*module, llvm::MemoryBufferRef(all_ids, "ids"), linked_ids_section);
  writeObject(*module, output);
}

// As `nvcc -dlink --resource-usage` prints it.
void printLinkedResources(const ImageInfo &info, uint32_t max_registers) {
  constexpr uint32_t parameter_start = 352;
  uint64_t global = 0, constant = 0;
  for (const VariableInfo &variable : info.variables)
    if (!variable.managed)
      (variable.constant ? constant : global) += variable.size;
  fmt::print(stderr, "nvlink info    : {} bytes gmem{}\n", global,
             constant ? fmt::format(", {} bytes cmem[3]", constant) : "");
  for (const KernelInfo &kernel : info.kernels)
    fmt::print(
        stderr,
        "nvlink info    : Function properties for '{}':\n"
        "nvlink info    : used {} registers, {} stack, {} bytes smem, {} bytes cmem[0], 0 "
        "bytes lmem\n",
        kernel.name, max_registers ? std::min(kernel.registers, max_registers) : kernel.registers,
        kernel.local_bytes, kernel.static_shared_bytes, parameter_start + kernel.parameter_bytes);
}

// What an earlier device link has dealt with is only taken where something needs it.
void setLinkedAside(DeviceInputs &inputs) {
  for (DeviceObject &object : inputs.objects)
    if (llvm::is_contained(inputs.linked_ids, object.info.id)) {
      object.member = true;
      object.info.named_by_host = false;
    }
}

bool show(const std::vector<std::string> &problems) {
  for (const std::string &problem : problems)
    fmt::print(stderr, "{}\n", problem);
  return !problems.empty();
}

} // namespace

DeviceLinkResult linkDevice(const Options &options, const std::vector<DeviceFile> &files,
                            const fs::path &output) {
  DeviceInputs inputs = readDeviceInputs(files);
  setLinkedAside(inputs);
  const std::vector<const DeviceObject *> objects = chooseObjects(inputs.objects);
  if (objects.empty())
    return DeviceLinkResult::Nothing;

  PrepareOptions prepare = prepareOptions(options, objects.front()->info.source);
  const BuiltInFunctions built_in(prepare.device_library);
  std::vector<std::string> problems =
      findSymbolProblems(objects, [&](const std::string &name) { return built_in.contains(name); });
  prepare.arch = chooseArch(objects, options.archs, options.arch, problems);
  if (show(problems))
    return DeviceLinkResult::Failed;

  std::vector<std::string> ids;
  prepare.debug = false;
  prepare.optimize = 0;
  for (const DeviceObject *object : objects) {
    ids.push_back(object->info.id);
    prepare.debug |= object->info.debug;
    prepare.optimize = std::max(prepare.optimize, object->info.optimize);
  }
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = linkObjects(objects, context);
  const PreparedImage image = prepareImage(*module, prepare);
  if (!keepsLimits(image.info, options))
    return DeviceLinkResult::Failed;
  if (options.resource_usage)
    printLinkedResources(image.info, options.max_registers);
  makeNativeCode(image.bytes, image.info);
  writeLinkedObject(image.bytes, ids, output);
  return DeviceLinkResult::Linked;
}

void writeEmptyObject(const fs::path &output) {
  llvm::LLVMContext context;
  llvm::Module nothing("nothing", context);
  writeObject(nothing, output);
}

} // namespace heddle::frontend
