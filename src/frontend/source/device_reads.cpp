// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/device_reads.h"

#include "support/hash.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "llvm/Support/Path.h"

namespace heddle::frontend {
namespace {

class Collector : public clang::DependencyCollector {
public:
  explicit Collector(bool system) : system_(system) {}
  bool needSystemDependencies() override { return system_; }
  void maybeAddDependency(llvm::StringRef name, bool precompiled, bool is_system, bool module,
                          bool missing) override {
    DependencyCollector::maybeAddDependency(name, precompiled, is_system || precompiled, module,
                                            missing);
  }
  bool sawDependency(llvm::StringRef name, bool, bool is_system, bool is_precompiled,
                     bool) override {
    return (system_ || !is_system) && !is_precompiled && name != "<built-in>" && name != "<stdin>";
  }

private:
  bool system_;
};

// Writes the dependencies; the source comes first, what only the device has read last.
class Writer : public clang::DependencyFileGenerator {
public:
  Writer(const clang::DependencyOutputOptions &options,
         std::shared_ptr<clang::DependencyCollector> device, llvm::StringRef source)
      : DependencyFileGenerator(options), device_(std::move(device)) {
    // Clang adds what a precompiled prelude includes before it comes to the source.
    addDependency(llvm::sys::path::remove_leading_dotslash(source));
  }
  // What the precompiled prelude has read is the system's, also if Clang's input was the prelude.
  void maybeAddDependency(llvm::StringRef name, bool precompiled, bool is_system, bool module,
                          bool missing) override {
    DependencyFileGenerator::maybeAddDependency(name, precompiled, is_system || precompiled, module,
                                                missing);
  }
  void finishedMainFile(clang::DiagnosticsEngine &diagnostics) override {
    for (const std::string &file : device_->getDependencies())
      addDependency(file);
    DependencyFileGenerator::finishedMainFile(diagnostics);
  }

private:
  std::shared_ptr<clang::DependencyCollector> device_;
};

} // namespace

std::shared_ptr<clang::DependencyCollector> collectFiles(clang::CompilerInstance &instance,
                                                         bool system) {
  auto collector = std::make_shared<Collector>(system);
  instance.addDependencyCollector(collector);
  return collector;
}

void addDependencies(clang::CompilerInstance &host,
                     std::shared_ptr<clang::DependencyCollector> device,
                     const std::string &source) {
  clang::DependencyOutputOptions &options = host.getDependencyOutputOpts();
  if (options.OutputFile.empty())
    return;
  host.addDependencyCollector(std::make_shared<Writer>(options, std::move(device), source));
  options.OutputFile.clear(); // Clang's own writer is not wanted, too
}

std::string deviceTrailer(const clang::DependencyCollector &device, const std::string &text) {
  std::string trailer = "\n";
  for (const std::string &file : device.getDependencies()) {
    trailer += "# 1 \"";
    for (char letter : file)
      trailer += letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string{letter};
    trailer += "\"\n";
  }
  return trailer + "// The device's text: " + contentHash(text) + "\n";
}

} // namespace heddle::frontend
