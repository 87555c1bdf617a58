// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/environment.h"

#include "frontend/command_line/words.h"
#include "support/paths.h"
#include "support/toolkit.h"

#include <cstdlib>
#include <fmt/format.h>

namespace heddle::frontend {
namespace {

std::string librariesOf(const Options &options) {
  return fmt::format("\"-L{0}/stubs\" \"-L{0}\"", (toolkitFolder(options.cuda) / "lib64").string());
}

// CUDA 13 has CCCL in a folder of its own, which the compiler searches by itself.
std::string systemIncludes(const Options &options, const std::string &top) {
  return options.cuda < 13
             ? ""
             : fmt::format("#$ SYSTEM_INCLUDES=\"-isystem\" \"{}/include/cccl\"\n", top);
}

} // namespace

std::filesystem::path hostCompiler() { return installRoot() / "libexec" / "heddle" / "host-c++"; }

std::string describeEnvironment(const Options &options) {
  const std::string top = toolkitFolder(options.cuda).string();
  const char *path = std::getenv("PATH");
  return fmt::format("#$ _SPACE_= \n"
                     "#$ _CUDART_=cudart\n"
                     "#$ _HERE_={0}/bin\n"
                     "#$ _THERE_={0}/bin\n"
                     "#$ _TARGET_SIZE_=\n"
                     "#$ _TARGET_DIR_=targets/x86_64-linux\n"
                     "#$ TOP={0}\n"
                     "#$ NVVMIR_LIBRARY_DIR={0}/nvvm/libdevice\n"
                     "#$ PATH={0}/bin:{1}\n"
                     "#$ INCLUDES=\"-I{2}\"\n"
                     "{4}"
                     "#$ LIBRARIES={3}\n"
                     "#$ CUDAFE_FLAGS=\n"
                     "#$ PTXAS_FLAGS=\n",
                     top, path ? path : "", top + "/include", librariesOf(options),
                     systemIncludes(options, top));
}

std::string describeLink(const Options &options, const std::string &output) {
  const std::string runtime = !options.link_runtime    ? ""
                              : options.shared_runtime ? "-lcudadevrt -lcudart"
                                                       : "-lcudadevrt -lcudart_static";
  return fmt::format("#$ {} -o {} {} {} -lrt -lpthread -ldl\n",
                     quoteCommand({hostCompiler().string()}), quoteCommand({output}),
                     librariesOf(options), runtime);
}

} // namespace heddle::frontend
