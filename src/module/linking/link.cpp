// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/linking/link.h"

#include "module/arch_rank.h"

#include "module/annotations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

#include <stdexcept>

using namespace llvm;

namespace heddle {
namespace {

using Objects = std::span<const DeviceObject *const>;

void addDefinitions(const DeviceObject &object, StringSet<> &defined) {
  for (const auto *symbols : {&object.info.strong, &object.info.weak})
    for (const std::string &symbol : *symbols)
      defined.insert(symbol);
}

// The symbol in nvlink's format.
std::string quoted(const std::string &symbol) { return "'" + symbol + "'"; }
std::string inWords(const std::string &symbol) {
  const std::string words = demangle(withoutFileSuffix(symbol).str());
  return words == symbol ? "" : " (" + words + ")";
}

std::string archName(uint32_t arch) { return "sm_" + std::to_string(arch / 10); }

// Whether the object was compiled for this GPU, or for an older one, whose PTX newer ones run.
bool isFor(const DeviceObject &object, uint32_t arch) {
  return object.info.archs.empty() || is_contained(object.info.archs, arch);
}
bool runsOn(const DeviceObject &object, uint32_t arch) {
  return object.info.archs.empty() ||
         any_of(object.info.archs, [&](uint32_t own) { return own <= arch; });
}

} // namespace

std::vector<const DeviceObject *> chooseObjects(std::span<const DeviceObject> objects) {
  std::vector<bool> chosen(objects.size());
  StringSet<> defined, needed;
  const auto choose = [&](size_t i) {
    chosen[i] = true;
    addDefinitions(objects[i], defined);
    for (const std::string &symbol : objects[i].info.needed)
      needed.insert(symbol);
  };
  for (size_t i = 0; i < objects.size(); ++i)
    if (!objects[i].member || objects[i].info.named_by_host)
      choose(i);
  // Libraries may depend on each other cyclically; all are searched until nothing is missing.
  const auto isMissing = [&](const std::string &symbol) {
    return needed.contains(symbol) && !defined.contains(symbol);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < objects.size(); ++i)
      if (!chosen[i] &&
          (any_of(objects[i].info.strong, isMissing) || any_of(objects[i].info.weak, isMissing))) {
        choose(i);
        changed = true;
      }
  }
  std::vector<const DeviceObject *> result;
  for (size_t i = 0; i < objects.size(); ++i)
    if (chosen[i])
      result.push_back(&objects[i]);
  return result;
}

std::vector<std::string>
findSymbolProblems(Objects objects, const std::function<bool(const std::string &)> &isBuiltIn) {
  std::vector<std::string> problems;
  StringMap<const DeviceObject *> first;
  StringSet<> defined;
  for (const DeviceObject *object : objects) {
    addDefinitions(*object, defined);
    for (const std::string &symbol : object->info.strong)
      if (auto [known, is_new] = first.try_emplace(symbol, object); !is_new)
        problems.push_back("nvlink error   : Multiple definition of " + quoted(symbol) + " in " +
                           quoted(object->file) + ", first defined in " +
                           quoted(known->second->file) + inWords(symbol));
  }
  for (const DeviceObject *object : objects)
    for (const std::string &symbol : object->info.needed)
      if (!defined.contains(symbol) && !isBuiltIn(symbol))
        problems.push_back("nvlink error   : Undefined reference to " + quoted(symbol) + " in " +
                           quoted(object->file) + inWords(symbol));
  return problems;
}

uint32_t chooseArch(Objects objects, std::vector<uint32_t> wanted, uint32_t otherwise,
                    std::vector<std::string> &problems) {
  if (wanted.empty())
    for (const DeviceObject *object : objects)
      append_range(wanted, object->info.archs);
  if (wanted.empty())
    return otherwise;
  sort(wanted, [](uint32_t a, uint32_t b) { return archRank(a) > archRank(b); });
  for (const auto fits : {isFor, runsOn})
    for (uint32_t arch : wanted)
      if (all_of(objects, [&](const DeviceObject *object) { return fits(*object, arch); }))
        return arch;
  for (const DeviceObject *object : objects)
    if (!runsOn(*object, wanted.front()))
      problems.push_back("nvlink error   : SM Arch ('" + archName(wanted.front()) +
                         "') not found in " + quoted(object->file) + ", whose device code is for " +
                         join(map_range(object->info.archs, archName), ", ") +
                         "; compile all files for the same GPU (-arch)");
  return wanted.front();
}

std::unique_ptr<Module> linkObjects(Objects objects, LLVMContext &context) {
  auto all = std::make_unique<Module>("device code", context);
  Linker linker(*all);
  for (const DeviceObject *object : objects) {
    auto module = parseBitcodeFile(MemoryBufferRef(object->bitcode, object->file), context);
    if (!module)
      throw std::runtime_error(object->file +
                               ": broken device code: " + toString(module.takeError()));
    if (all->getTargetTriple().empty()) {
      all->setTargetTriple((*module)->getTargetTriple());
      all->setDataLayout((*module)->getDataLayout());
    }
    if (linker.linkInModule(std::move(*module)))
      throw std::runtime_error(object->file + ": its device code cannot be linked to the others'");
  }
  return all;
}

} // namespace heddle
