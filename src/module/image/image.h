// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device image: what the frontend embeds in an object file where nvcc would put a fat binary.
//
// An image is the device code of one file, or of several (linking/link.h), as optimised LLVM
// bitcode, preceded by a description of kernels and variables that can be read without LLVM
// (framed.h). The runtime reads the description to check launches and symbol copies; only the
// compiler reads the bitcode. Code compiled with -G is stored twice (image_pair.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// One kernel parameter, at `offset` bytes in the packed parameter buffer.
struct ParameterInfo {
  uint32_t offset = 0;
  uint32_t size = 0;
};

/// What a launch, an occupancy query or cudaFuncGetAttributes needs of a kernel.
struct KernelInfo {
  std::string name;         // mangled symbol
  std::string display_name; // demangled, for messages
  std::vector<ParameterInfo> parameters;
  uint32_t parameter_bytes = 0;       // size of the packed parameter buffer
  uint32_t static_shared_bytes = 0;   // of the __shared__ variables this kernel can reach
  uint32_t constant_bytes = 0;        // of the __constant__ variables this kernel can reach
  uint32_t local_bytes = 0;           // per-thread stack frame, estimated
  uint32_t registers = 0;             // per thread, estimated from live values
  uint32_t max_threads_per_block = 0; // __launch_bounds__ first argument, or 0
  uint32_t min_blocks_per_sm = 0;     // __launch_bounds__ second argument, or 0
  std::string engine_facts;           // the engine's analysis, in its own format
};

/// A __device__, __constant__ or __managed__ variable. It lives at `offset` bytes in the image's
/// globals, of which every virtual device has its own copy; managed variables live on the host.
struct VariableInfo {
  std::string name;
  uint64_t offset = 0;
  uint64_t size = 0;
  bool constant = false;
  bool managed = false;
};

/// The description in an image.
struct ImageInfo {
  std::string source;             // the .cu file, for messages
  uint32_t arch = 0;              // __CUDA_ARCH__, e.g. 750
  std::vector<std::string> codes; // for which GPUs (gpu_codes.h); empty: all
  bool debug = false;             // built with -G: not optimised
  uint64_t globals_bytes = 0;
  uint32_t globals_align = 1;
  uint32_t shared_bytes = 0; // extent of all static __shared__ variables of the image
  std::vector<KernelInfo> kernels;
  std::vector<VariableInfo> variables;
};

/// A parsed view of an image; `bitcode` points into the bytes given to readImage.
struct Image {
  ImageInfo info;
  std::string_view bitcode;
};

std::string writeImage(const ImageInfo &info, std::string_view bitcode);

/// Size in bytes of the image that starts at `data`, or 0 if none does.
size_t imageBytes(const void *data);

/// Parses an image. Throws std::runtime_error with a description of what is wrong.
Image readImage(std::span<const std::byte> bytes);

} // namespace heddle
