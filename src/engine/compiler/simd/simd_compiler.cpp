// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/simd_compiler.h"

#include "engine/compiler/device_code.h"
#include "engine/compiler/errors.h"
#include "engine/compiler/pipeline.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/normalize/callees.h"
#include "engine/compiler/simd/normalize/thread_function.h"
#include "module/description/describe.h"
#include "support/switches.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle::engine {
namespace {

using namespace simd;

// Large functions spill most of their vectors: up to 7 bytes per instruction have been observed.
constexpr uint64_t spilled_per_instruction = 16;

void verify(const Function &gang) {
  std::string problems;
  raw_string_ostream stream(problems);
  if (verifyFunction(gang, &stream))
    throw InternalError("its code is not valid: " + problems);
}

class SimdCompiler {
public:
  SimdCompiler(ProgramCode &program, const Variant &variant, std::vector<KernelReport> *reports)
      : program_(program), variant_(variant), profile_(program.generator.profile()),
        reports_(reports) {}

  void run(std::string_view part) {
    PassObserver observer("program");
    runPasses(programPasses(), program_, observer, 0);
    for (const KernelInfo &info : program_.image.info.kernels)
      if (part == whole_image || part == info.name)
        program_.kernels.push_back(compile(info));
    program_.has_init_globals = program_.kernels.empty() || part == whole_image;
    runPasses(linkPasses(), program_, observer, TakesContext | Addressed);
  }

private:
  CompiledKernel compile(const KernelInfo &info) {
    KernelReport report;
    report.name = info.display_name;
    Function *kernel = program_.module.getFunction(info.name);
    if (!kernel)
      throw std::runtime_error("the image has no kernel " + info.name);
    KernelCode code{program_.module,
                    nullptr,
                    info,
                    variant_,
                    profile_,
                    program_.arrays,
                    reports_ ? &report.remarks : nullptr};
    try {
      vectorize(*kernel, code);
      report.layout = code.layout;
    } catch (const Unsupported &reason) {
      giveUp(code, reason.what());
    } catch (const InternalError &error) {
      if (switchedOn("HEDDLE_STRICT"))
        throw;
      errs() << "heddle: " << info.display_name << ": " << error.what()
             << "\n  It runs on the reference engine, slowly. This is a bug of Heddle's; please "
                "report "
                "it.\n";
      giveUp(code, error.what());
    }
    code.result.name = info.name;
    report.fallback = code.result.reason;
    if (reports_)
      reports_->push_back(report);
    return std::move(code.result);
  }

  // Makes the kernel run on the reference engine.
  static void giveUp(KernelCode &code, const char *reason) {
    code.result = {};
    code.result.reason = reason;
    if (code.function) { // partially transformed
      code.function->deleteBody();
      code.function->eraseFromParent();
    }
  }

  void vectorize(Function &kernel, KernelCode &code) {
    if (program_.image.info.debug)
      throw Unsupported("it was compiled with -G");
    ThreadFunction thread = makeThreadFunction(kernel, code.info);
    code.function = thread.function;
    code.result.aligned = thread.aligned;
    PassObserver observer(code.info.name);
    runPasses(kernelPasses(), code, observer, thread_function_forms);
    verify(*code.function);
    describe(code);
  }

  // Fills in what the runtime needs to know.
  static void describe(KernelCode &code) {
    const WidenOptions options = widenOptions(code);
    CompiledKernel &result = code.result;
    result.strips = options.strips;
    if (options.sweeps)
      result.sweep = code.function;
    if (options.keeps_record)
      code.function->addFnAttr(spills_most_attribute);
    result.entry = options.sweeps ? makeEntry(*code.function, options) : code.function;
    result.gang_lanes = code.layout.lanes;
    result.warp_level = code.width.whole_warps && code.layout.lanes == warp_lanes;
    result.frame_bytes = code.waits.frame_bytes;
    result.record_bytes = code.waits.record_bytes;
    result.stack_bytes += frame_overhead + frameBytes(*code.function);
    result.stack_bytes += spilled_per_instruction * code.function->getInstructionCount();
    result.calls_lanes = true;
  }

  ProgramCode &program_;
  const Variant &variant_;
  const TargetProfile profile_;
  std::vector<KernelReport> *reports_;
};

} // namespace

void compileForSimd(const Image &image, const simd::Variant &variant, std::string_view part,
                    const std::filesystem::path &output, std::vector<KernelReport> *reports,
                    uint32_t events) {
  LLVMContext context;
  DeviceCode code = readDeviceCode(image, context, part);
  const CodeGenerator generator(false);
  ProgramCode program{*code.module, image, code.layout, generator};
  program.events = events;
  SimdCompiler(program, variant, reports).run(part);
  if (output.empty())
    return;
  runTargetPasses(*code.module, generator);
  generator.writeSharedObject(*code.module, output);
}

} // namespace heddle::engine
