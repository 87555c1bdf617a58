// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/commands.h"

#include "cli/supervise.h"
#include "engine/code/cache.h"
#include "gpu/gpu.h"
#include "support/paths.h"
#include "support/process.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

constexpr double mega = 1 << 20, giga = 1 << 30;

// Prints a line for each check and remembers whether all was well.
class Report {
public:
  void good(std::string_view what, const std::string &detail) { line("ok", what, detail); }
  void note(std::string_view what, const std::string &detail) { line("note", what, detail); }
  void bad(std::string_view what, const std::string &detail, const std::string &remedy) {
    line("MISSING", what, detail);
    if (!remedy.empty())
      fmt::print("{:8}{:24}{}\n", "", "", remedy);
    ++problems;
  }
  void file(std::string_view what, const fs::path &path, const std::string &remedy) {
    if (access(path.c_str(), R_OK) == 0)
      good(what, path.string());
    else
      bad(what, path.string() + " is not there", remedy);
  }

  int problems = 0;

private:
  static void line(std::string_view state, std::string_view what, const std::string &detail) {
    fmt::print("{:8}{:24}{}\n", state, what, detail);
    std::fflush(stdout); // the next check may take a moment
  }
};

std::string package(std::string_view name) {
  return fmt::format("install it: sudo apt-get install {}", name);
}

const std::string reinstall = "a part of Heddle itself: build it again (./dev build) or reinstall";

// Where LLVM is the system's: Debian's package. Otherwise it is inside Heddle's compiler, and what
// belongs to it lies beside that.
const fs::path system_llvm = HEDDLE_LLVM_ROOT;

fs::path llvmRoot() { return system_llvm.empty() ? installRoot() : system_llvm; }

void checkCompiler(Report &report) {
  report.file("Clang's headers", llvmRoot() / "lib" / "clang" / "19" / "include" / "stddef.h",
              system_llvm.empty() ? reinstall : package("libclang-common-19-dev"));
  if (!system_llvm.empty()) {
    if (dlopen("libLLVM.so.19.1", RTLD_LAZY | RTLD_LOCAL))
      report.good("libLLVM", "libLLVM.so.19.1");
    else
      report.bad("libLLVM", dlerror(), package("libllvm19"));
  }
  const ProcessResult linker = runProcess({"ld", "--version"}, Capture::OutputAndErrors);
  if (linker.exit_code == 0)
    report.good("linker", linker.output.substr(0, linker.output.find('\n')));
  else
    report.good("linker", "Heddle's own (lld), as there is no ld");
}

// Only programs with -Xcompiler -fopenmp need it.
void checkOpenMp(Report &report) {
  const fs::path library = llvmRoot() / "lib" / "libomp.so";
  if (fs::exists(library))
    report.good("OpenMP", library.string());
  else
    report.note("OpenMP", "not there; programs with -fopenmp need it. " +
                              (system_llvm.empty() ? reinstall : package("libomp-19-dev")));
}

// Debian's name of the package that has a library: Debian policy 8.1 makes it from the soname.
std::string packageOf(const std::string &soname) {
  const size_t end = soname.find(".so.");
  return end == std::string::npos ? soname : soname.substr(0, end) + soname.substr(end + 4);
}

// What only programs that link one of the CUDA libraries need. The build knows the sonames.
void checkBehindLibraries(Report &report) {
  struct Needed {
    const char *what;
    std::string soname;
    const char *used_by;
  };
  for (const Needed &needed : {Needed{"OpenBLAS", HEDDLE_OPENBLAS_SONAME, "cuBLAS or cuSOLVER"},
                               Needed{"oneDNN", HEDDLE_DNNL_SONAME, "cuDNN"}}) {
    if (needed.soname.empty())
      report.note(needed.what,
                  fmt::format("Heddle was built without it, and so without {}", needed.used_by));
    else if (const fs::path own = installRoot() / "lib" / needed.soname; fs::exists(own))
      report.file(needed.what, own, reinstall);
    else if (dlopen(needed.soname.c_str(), RTLD_LAZY | RTLD_LOCAL))
      report.good(needed.what, needed.soname);
    else
      report.note(needed.what, fmt::format("not there; programs that use {} need it. {}",
                                           needed.used_by, package(packageOf(needed.soname))));
  }
}

void checkLibraries(Report &report) {
  struct Library {
    const char *what, *file;
  };
  for (const Library &library :
       {Library{"cuBLAS", "cublas"}, Library{"cuBLASLt", "cublasLt"}, Library{"NVBLAS", "nvblas"},
        Library{"cuRAND", "curand"}, Library{"cuSPARSE", "cusparse"},
        Library{"cuSPARSELt", "cusparseLt"}, Library{"cuSOLVER", "cusolver"},
        Library{"cuDNN", "cudnn"}, Library{"NCCL", "nccl"}, Library{"cuFile", "cufile"},
        Library{"NPP", "nppc"}, Library{"NVRTC", "nvrtc"}, Library{"libNVVM", "nvvm"},
        Library{"nvJitLink", "nvJitLink"}, Library{"nvFatbin", "nvfatbin"}})
    report.file(library.what, installRoot() / "lib" / fmt::format("lib{}.so", library.file),
                reinstall);
  // Built only if libjpeg was there.
  if (const fs::path nvjpeg = installRoot() / "lib" / "libnvjpeg.so"; fs::exists(nvjpeg))
    report.good("nvJPEG", nvjpeg.string());
  else
    report.note("nvJPEG", "not there; ./dev setup installs what it is built on");
  // Built only if DUCC's FFT could be fetched.
  if (const fs::path cufft = installRoot() / "lib" / "libcufft.so"; fs::exists(cufft))
    report.good("cuFFT", cufft.string());
  else
    report.note("cuFFT", "not there; ./dev setup fetches what it is built on");
}

void checkOwnFiles(Report &report) {
  const fs::path &root = installRoot();
  report.file("heddlecc", root / "bin" / "heddlecc", reinstall);
  report.file("compiler", compilerProgram(), reinstall);
  report.file("heddle-jit", jitProgram(), reinstall);
  report.file("runtime library", root / "lib" / "libcudart.so", reinstall);
  report.file("platform library", root / "lib" / "libheddle_core.so.0", reinstall);
  report.file("driver library", root / "lib" / "libcuda.so.1", reinstall);
  checkLibraries(report);
  report.file("device library", root / "lib" / "heddle" / "devicelib.bc", reinstall);
  report.file("compiler at run time", root / "libexec" / "heddle" / "heddle-rtc", reinstall);
  report.file("CUDA headers", root / "include" / "cuda_runtime.h", reinstall);
  for (const int release : {12, 13}) {
    const std::string name = fmt::format("Thrust, CUB, libcu++ ({})", release);
    if (fs::exists(cccl(release)))
      report.good(name, cccl(release).string());
    else
      report.note(name, "not there; ./dev setup fetches them when Heddle is built");
  }
  const fs::path gpus = root / "share" / "heddle" / "gpus";
  if (const auto names = gpu::names(gpus); !names.empty())
    report.good("GPU descriptions", fmt::format("{} in {}", names.size(), gpus.string()));
  else
    report.bad("GPU descriptions", gpus.string() + " has none", reinstall);
}

void checkCache(Report &report) {
  const engine::CacheStatus cache = engine::cacheStatus();
  std::error_code error;
  fs::create_directories(cache.folder, error);
  if (error || access(cache.folder.c_str(), W_OK) != 0) {
    report.note("cache folder", cache.folder.string() +
                                    " cannot be written: every run compiles its kernels again. "
                                    "HEDDLE_CACHE chooses another folder");
    return;
  }
  const double free = double(fs::space(cache.folder, error).available);
  const std::string text = fmt::format(
      "{}: {} entries, {:.1f} of {:.0f} MB used, {:.1f} GB free on the disk", cache.folder.string(),
      cache.entries, double(cache.bytes) / mega, double(cache.limit_bytes) / mega, free / giga);
  if (error || free < 64 * mega)
    report.note("cache folder", text + ": the disk is nearly full");
  else
    report.good("cache folder", text);
}

void checkMachine(Report &report) {
#if defined(__x86_64__)
  const bool fma = __builtin_cpu_supports("fma"), avx2 = __builtin_cpu_supports("avx2");
  if (fma && avx2)
    report.good("processor", "has FMA and AVX2");
  else
    report.note("processor",
                fmt::format("without {}: kernels run, but slowly", fma ? "AVX2" : "FMA"));
#endif
  report.good("cores", fmt::format("{}", std::thread::hardware_concurrency()));
  const double memory = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE));
  report.good("memory", fmt::format("{:.1f} GB", memory / giga));
}

constexpr const char *trial_program = R"(#include <cstdio>
__global__ void square(int *values) { values[threadIdx.x] *= values[threadIdx.x]; }
int main() {
  int values[32], *on_device, sum = 0;
  for (int i = 0; i < 32; ++i)
    values[i] = i;
  cudaMalloc(&on_device, sizeof values);
  cudaMemcpy(on_device, values, sizeof values, cudaMemcpyHostToDevice);
  square<<<1, 32>>>(on_device);
  cudaMemcpy(values, on_device, sizeof values, cudaMemcpyDeviceToHost);
  for (int value : values)
    sum += value;
  std::printf("%d %s\n", sum, cudaGetErrorName(cudaGetLastError()));
}
)";

void checkByTrial(Report &report) {
  const ScratchFolder folder(ScratchFolder::Use::Programs);
  const fs::path source = folder.path() / "trial.cu", program = folder.path() / "trial";
  std::ofstream(source) << trial_program;
  const ProcessResult compiler = runProcess(
      {(installRoot() / "bin" / "heddlecc").string(), source.string(), "-o", program.string()},
      Capture::OutputAndErrors);
  if (compiler.exit_code != 0) {
    report.bad("compile a program", "heddlecc failed:\n" + compiler.output, "");
    return;
  }
  report.good("compile a program", "a kernel and its launch");
  const ProcessResult run = runProcess({program.string()}, Capture::OutputAndErrors);
  if (run.exit_code == 0 && run.output == "10416 cudaSuccess\n") // 0 + 1 + 4 + … + 961
    report.good("run it", "the result is right");
  else
    report.bad("run it", fmt::format("exit code {}, it printed: {}", run.exit_code, run.output),
               "");
}

} // namespace

int doctorCommand() {
  Report report;
  checkCompiler(report);
  checkOpenMp(report);
  checkBehindLibraries(report);
  checkOwnFiles(report);
  checkCache(report);
  checkMachine(report);
  checkByTrial(report);
  if (report.problems == 0)
    fmt::print("\nAll is well.\n");
  else
    fmt::print("\n{} {}\n", report.problems, report.problems == 1 ? "problem." : "problems.");
  return report.problems ? 1 : 0;
}

} // namespace heddle::cli
