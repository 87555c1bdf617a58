// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc's command line, in its spellings.
#include "frontend/command_line/architecture.h"
#include "frontend/command_line/host_options.h"
#include "frontend/command_line/options.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <unistd.h>

using namespace heddle::frontend;

namespace {

using Words = std::vector<std::string>;

std::string errorOf(const Words &arguments) {
  try {
    parseOptions(arguments);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "no error";
}

void expectError(const Words &arguments, const char *part) {
  EXPECT_NE(errorOf(arguments).find(part), std::string::npos) << errorOf(arguments);
}

TEST(Options, Inputs) {
  const Options options = parseOptions({"a.cu", "b.cpp", "c.c", "d.cc", "e.o", "f.a", "g.so.1"});
  const Language expected[] = {Language::Cuda,   Language::Cxx,    Language::C,     Language::Cxx,
                               Language::Object, Language::Object, Language::Object};
  ASSERT_EQ(options.inputs.size(), 7u);
  for (size_t i = 0; i < 7; ++i)
    EXPECT_EQ(options.inputs[i].language, expected[i]) << options.inputs[i].path;
  EXPECT_EQ(options.linker, (Words{"e.o", "f.a", "g.so.1"}));
}

TEST(Options, TheLanguageCanBeForced) {
  for (const Words &arguments :
       {Words{"-x", "cu", "a.cpp", "b.txt"}, Words{"--x=cu", "a.cpp", "b.txt"},
        Words{"-xcu", "a.cpp", "b.txt"}}) {
    const Options options = parseOptions(arguments);
    ASSERT_EQ(options.inputs.size(), 2u);
    for (const Input &input : options.inputs)
      EXPECT_EQ(input.language, Language::Cuda);
  }
  // Wherever it stands.
  EXPECT_EQ(parseOptions({"a.cpp", "-x", "cu"}).inputs[0].language, Language::Cuda);
}

TEST(Options, Actions) {
  const std::pair<const char *, Action> expected[] = {
      {"-c", Action::Compile},
      {"--compile", Action::Compile},
      {"-dc", Action::Compile},
      {"-E", Action::Preprocess},
      {"--preprocess", Action::Preprocess},
      {"-dlink", Action::DeviceLink},
      {"--device-link", Action::DeviceLink},
      {"-lib", Action::Archive},
      {"-link", Action::Link},
      {"--list-gpu-arch", Action::ShowArchitectures},
      {"-code-ls", Action::ShowCodes},
      {"--version", Action::ShowVersion},
      {"-V", Action::ShowVersion},
      {"--help", Action::ShowHelp},
      {"-h", Action::ShowHelp}};
  for (auto [option, action] : expected)
    EXPECT_EQ(parseOptions({option}).action, action) << option;
  EXPECT_EQ(parseOptions({"a.cu"}).action, Action::Link);
}

TEST(Options, ListsTheGpusOfARelease) {
  EXPECT_TRUE(architectureList("sm_", 13).starts_with("sm_75\nsm_80\n"));
  EXPECT_EQ(architectureList("sm_", 13).find("sm_101\n"), std::string::npos);
  EXPECT_TRUE(architectureList("compute_", 12).starts_with("compute_50\ncompute_52\n"));
  EXPECT_NE(architectureList("compute_", 12).find("compute_101\n"), std::string::npos);
  EXPECT_EQ(architectureList("compute_", 12).find("compute_110\n"), std::string::npos);
}

TEST(Options, ValuesInEverySpelling) {
  for (const Words &arguments :
       {Words{"-arch=sm_80"}, Words{"-arch", "sm_80"}, Words{"--gpu-architecture=sm_80"},
        Words{"--gpu-architecture", "compute_80"}, Words{"-arch=80"},
        Words{"-gencode=arch=compute_80,code=sm_80"},
        Words{"-gencode", "arch=compute_80,code=sm_80"},
        Words{"--generate-code=arch=compute_80,code=[sm_80,compute_80]"},
        Words{"-gencode", "arch=compute_80,code=\"sm_80,compute_80\""},
        Words{"-gencode=arch=compute_75,code=sm_75", "-gencode=arch=compute_80,code=sm_80"}})
    EXPECT_EQ(parseOptions(arguments).arch, 800u) << arguments[0];
  for (const Words &arguments : {Words{"-o", "out"}, Words{"-o=out"}, Words{"-oout"},
                                 Words{"--output-file", "out"}, Words{"--output-file=out"}})
    EXPECT_EQ(parseOptions(arguments).output, "out") << arguments[0];
  for (const Words &arguments : {Words{"-std=c++20"}, Words{"--std=c++20"}, Words{"-std", "c++20"}})
    EXPECT_EQ(parseOptions(arguments).standard, "c++20");
  for (const Words &arguments :
       {Words{"-O3"}, Words{"-O", "3"}, Words{"--optimize=3"}, Words{"-Xcompiler", "-O3"}})
    EXPECT_EQ(parseOptions(arguments).optimize, 3) << arguments[0];
}

TEST(Options, Architectures) {
  EXPECT_EQ(parseOptions({}).arch, 750u);
  EXPECT_EQ(parseOptions({"-arch=sm_90a"}).arch, 900u);
  EXPECT_EQ(parseOptions({"-arch=sm_35"}).arch, 750u); // older than any of today's
  for (const auto &[name, arch] : {std::pair{"sm_100", 1000u},
                                   {"compute_103", 1030},
                                   {"sm_110f", 1100},
                                   {"sm_120a", 1200},
                                   {"lto_121", 1210}})
    EXPECT_EQ(parseOptions({std::string("-arch=") + name}).arch, arch) << name;
  for (const char *all : {"-arch=native", "-arch=all", "-arch=all-major"})
    EXPECT_EQ(parseOptions({all}).arch, 750u);
  expectError({"-arch=volta"}, "volta");
  expectError({"-arch=sm_"}, "sm_");
  for (const char *name : {"sm_80a", "sm_90f", "sm_100b", "sm_100af", "sm_81", "sm_130a"})
    expectError({std::string("-arch=") + name}, name);
  expectError({"-gencode", "code=sm_80"}, "arch=");
  expectError({"-arch=sm_99999999999999999999"}, "not a number");
}

TEST(Options, ThreadsMayBeJoined) {
  for (const Words &arguments : {Words{"-t4"}, Words{"-t", "4"}, Words{"--threads=0"}})
    EXPECT_TRUE(parseOptions(arguments).inputs.empty());
}

TEST(Options, SuffixOfTheArchitectureOfAList) {
  const auto suffix = [](const Words &arguments) { return parseOptions(arguments).arch_suffix; };
  EXPECT_EQ(suffix({"-arch=sm_90"}), 0);
  EXPECT_EQ(suffix({"-arch=sm_90a"}), 'a');
  EXPECT_EQ(suffix({"-arch=compute_100f"}), 'f');
  EXPECT_EQ(suffix({"-gencode", "arch=compute_90a,code=sm_90a"}), 'a');
  EXPECT_EQ(
      suffix({"-gencode=arch=compute_90a,code=sm_90a", "-gencode=arch=compute_100,code=sm_100"}),
      'a');
  EXPECT_EQ(
      suffix({"-gencode=arch=compute_100f,code=sm_100f", "-gencode=arch=compute_90,code=sm_90"}),
      0);
  // Of GPUs that Clang knows and newer ones, one that it knows.
  EXPECT_EQ(
      parseOptions({"-gencode=arch=compute_120,code=sm_120", "-gencode=arch=compute_80,code=sm_80"})
          .arch,
      800u);
  EXPECT_EQ(parseOptions(
                {"-gencode=arch=compute_120,code=sm_120", "-gencode=arch=compute_100,code=sm_100"})
                .arch,
            1200u);
  EXPECT_EQ(suffix({"-arch=compute_120f", "-code=sm_120a,sm_120f,compute_120"}), 'a');
}

TEST(Options, MacrosOfArchitectures) {
  using Macros = std::vector<std::string>;
  EXPECT_EQ(architectureMacros(800, 0), Macros{"-D__CUDA_ARCH_LIST__=800"});
  EXPECT_EQ(architectureMacros(900, 'a'),
            (Macros{"-D__CUDA_ARCH_LIST__=900", "-D__CUDA_ARCH_FEAT_SM90_ALL=1",
                    "-D__CUDA_ARCH_SPECIFIC__=900", "-D__CUDA_ARCH_FAMILY_SPECIFIC__=900"}));
  EXPECT_EQ(architectureMacros(1030, 'f'),
            (Macros{"-D__CUDA_ARCH_LIST__=1030", "-U__CUDA_ARCH__", "-D__CUDA_ARCH__=1030",
                    "-D__CUDA_ARCH_FAMILY_SPECIFIC__=1030"}));
  EXPECT_EQ(architectureForClang(750), "sm_75");
  EXPECT_EQ(architectureForClang(1200), "sm_90");
}

TEST(Options, RelocatableDeviceCode) {
  EXPECT_FALSE(parseOptions({"-c"}).rdc);
  for (const Words &arguments :
       {Words{"-dc"}, Words{"--device-c"}, Words{"-rdc=true"}, Words{"-rdc", "true"},
        Words{"--relocatable-device-code=true", "-c"}})
    EXPECT_TRUE(parseOptions(arguments).rdc) << arguments[0];
  EXPECT_FALSE(parseOptions({"-dw"}).rdc);
  EXPECT_FALSE(parseOptions({"-rdc=false", "-c"}).rdc);
  expectError({"-rdc=maybe"}, "maybe");
  EXPECT_TRUE(parseOptions({}).device_link);
  EXPECT_FALSE(parseOptions({"-nodlink"}).device_link);
  EXPECT_EQ(parseOptions({"-dlto", "-lto", "-dc"}).action, Action::Compile);
}

TEST(Options, AllArchitecturesAreKept) {
  using Archs = std::vector<uint32_t>;
  EXPECT_EQ(parseOptions({}).archs, Archs());
  EXPECT_EQ(parseOptions({"-arch=native"}).archs, Archs());
  EXPECT_EQ(parseOptions({"-gencode=arch=compute_60,code=sm_60", "-gencode",
                          "arch=compute_80,code=[sm_80,compute_80]"})
                .archs,
            (Archs{750, 800}));
}

TEST(Options, Preprocessor) {
  const Options options = parseOptions({"-Iinc", "-I", "inc2", "-I=inc3", "--include-path=inc4",
                                        "-DA", "-DB=2", "-D", "C=x=y", "-UD", "-isystem", "sys",
                                        "-include", "first.h", "-Xcompiler", "-DE=1"});
  EXPECT_EQ(options.preprocessor,
            (Words{"-Iinc", "-Iinc2", "-Iinc3", "-Iinc4", "-DA", "-DB=2", "-DC=x=y", "-UD",
                   "-isystem", "sys", "-include", "first.h", "-DE=1"}));
}

TEST(Options, Linker) {
  const Options options =
      parseOptions({"-lm", "-l", "dl", "-Lfolder", "--library-path=other", "-Xlinker", "-rpath,/x",
                    "-lcudart", "-lcudart_static", "-lcudadevrt", "-Xcompiler", "-Wl,-z,now"});
  const Words start(options.linker.begin(), options.linker.begin() + 8);
  EXPECT_EQ(start,
            (Words{"-lm", "-ldl", "-Lfolder", "-Lother", "-Xlinker", "-rpath", "-Xlinker", "/x"}));
  EXPECT_TRUE(options.link_runtime);
  EXPECT_FALSE(parseOptions({"-cudart", "none"}).link_runtime);
  EXPECT_FALSE(parseOptions({"-cudart=none"}).link_runtime);
  EXPECT_TRUE(parseOptions({"--cudart=shared"}).link_runtime);
}

TEST(Options, HostCompiler) {
  const Options options =
      parseOptions({"-Xcompiler", "-Wall,-Wextra", "-Xcompiler=-fPIC", "--compiler-options",
                    "-fopenmp -march=native", "-Wshadow"});
  EXPECT_EQ(options.host, (Words{"-Wall", "-Wextra", "-fPIC", "-march=native", "-Wshadow"}));
  EXPECT_TRUE(options.openmp);
}

TEST(Options, HostCompilersPreprocessor) {
  const Options options =
      parseOptions({"-Xcompiler", "-isystem,a,-DX=1 -I b", "-Xcompiler", "-include", "-Xcompiler",
                    "c.h", "-Xcompiler=-iquoted", "-Xcompiler", "-idirafter e"});
  EXPECT_EQ(options.preprocessor, (Words{"-isystem", "a", "-DX=1", "-I", "b", "-include", "c.h",
                                         "-iquoted", "-idirafter", "e"}));
  EXPECT_TRUE(options.host.empty());
  EXPECT_THROW(parseOptions({"-Xcompiler", "-isystem"}), std::runtime_error);
}

TEST(Options, HostCompilersLink) {
  const Options options = parseOptions({"-Xcompiler", "-pthread,--coverage,-flto=auto,-static",
                                        "-Xcompiler", "-Xlinker,-z,-L,x", "-Xcompiler", "-u main"});
  EXPECT_EQ(heddle::frontend::linkOptions(options.host), (Words{"-pthread", "--coverage"}));
  EXPECT_EQ(options.linker, (Words{"-Xlinker", "-z", "-L", "x", "-u", "main"}));
}

TEST(Options, QuestionsToTheHostCompiler) {
  using heddle::frontend::asksHostCompiler;
  for (const char *question : {"--version", "-dumpfullversion -dumpversion", "-dumpmachine",
                               "-print-search-dirs", "-Wall,--print-file-name=libc.so"})
    EXPECT_TRUE(asksHostCompiler(parseOptions({".c", "-Xcompiler", question}).host)) << question;
  EXPECT_FALSE(asksHostCompiler(parseOptions({"a.c", "-Xcompiler", "-v,-Wall"}).host));
  EXPECT_EQ(parseOptions({".c"}).inputs.at(0).language, Language::C);
}

TEST(Options, Flags) {
  const Options options = parseOptions({"-g", "-G", "--use_fast_math", "-fmad=false", "-shared",
                                        "--default-stream=per-thread", "-Xptxas", "-v,-O1",
                                        "-maxrregcount=32", "-v", "-dryrun"});
  EXPECT_TRUE(options.debug_host && options.debug_device && options.fast_math && options.shared &&
              options.per_thread_default_stream && options.resource_usage && options.verbose &&
              options.dry_run);
  EXPECT_FALSE(options.fma);
  EXPECT_EQ(options.max_registers, 32u);
  EXPECT_EQ(options.device_optimize, 1);
  EXPECT_FALSE(parseOptions({"-default-stream", "legacy"}).per_thread_default_stream);
}

TEST(Options, FromAFile) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("heddle-options-" + std::to_string(getpid()));
  std::ofstream(path) << "-O2 -DFROM_FILE\n  --std c++14\n";
  const Options options = parseOptions({"--options-file", path, "a.cu"});
  std::filesystem::remove(path);
  EXPECT_EQ(options.optimize, 2);
  EXPECT_EQ(options.standard, "c++14");
  EXPECT_EQ(options.preprocessor, (Words{"-DFROM_FILE"}));
  expectError({"-optf", "/nonexistent"}, "/nonexistent");
}

// Every option that is listed is accepted, or refused with its name.
TEST(Options, EveryDescribedOptionIsKnown) {
  for (const OptionDescription &option : describeOptions())
    for (const std::string &name : option.names) {
      Words arguments = {name};
      if (!option.argument.empty())
        arguments.push_back("1");
      const std::string error = errorOf(arguments);
      EXPECT_EQ(error.find("unknown option"), std::string::npos) << error;
      if (option.status == OptionDescription::Status::Unsupported)
        EXPECT_NE(error.find("'" + name + "' is not supported"), std::string::npos) << error;
      if (option.status == OptionDescription::Status::Ignored)
        EXPECT_EQ(error, "no error") << name;
    }
}

TEST(OptionErrors, NameTheOption) {
  expectError({"--no-such-option"}, "unknown option '--no-such-option'");
  expectError({"-arch"}, "'-arch' needs a value");
  expectError({"a.cu", "-o"}, "'-o' needs a value");
  expectError({"-c=5"}, "'-c' takes no value");
  expectError({"-Ofast"}, "no level 'fast'");
  expectError({"-fmad=maybe"}, "'maybe'");
  expectError({"-default-stream=mine"}, "'mine'");
  expectError({"-maxrregcount=many"}, "'many' is not a number");
  expectError({"-t", "-c", "a.cu"}, "'-c' is not a number");
  expectError({"--threads=many"}, "'many' is not a number");
  expectError({"-x", "fortran"}, "'fortran'");
  expectError({"notes.txt"}, "'.txt'");
  expectError({"kernel.cubin"}, "kernel.cubin");
  expectError({"-optix-ir"}, "'-optix-ir' is not supported");
}

TEST(Options, HelpListsThem) {
  const std::string help = optionsHelp();
  for (const char *name : {"--gpu-architecture", "-Xcompiler", "-maxrregcount"})
    EXPECT_NE(help.find(name), std::string::npos) << name;
  EXPECT_NE(compilerVersion(12).find("release 12.9, V12.9"), std::string::npos);
  EXPECT_NE(compilerVersion(13).find("release 13.0, V13.0"), std::string::npos);
}

} // namespace
