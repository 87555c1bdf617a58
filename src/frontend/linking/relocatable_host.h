// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host side of a source that is compiled with -rdc=true.
//
// Its object file holds the device code in a section that linkers leave out of programs. When the
// program starts, the object calls __cudaRegisterLinkedBinary_<id>, which the device link defines
// (device_link.h), to have its kernels and variables registered. So a program whose device code was
// not linked does not link either.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace llvm {
class PassBuilder;
}

namespace heddle::frontend {

/// The section of an object file with its device code (module/linking/device_object.h), and that of
/// what the device link makes, with the ids of the objects it is about, a zero behind each.
inline constexpr const char *device_code_section = ".heddle.device";
inline constexpr const char *linked_ids_section = ".heddle.linked";

/// How the function that registers an object is called.
std::string registerFunction(const std::string &id);

/// Adds the pass that embeds `device_object` and has the object registered under `id`.
void embedDeviceObject(llvm::PassBuilder &builder, const std::string &id,
                       const std::string &device_object);

} // namespace heddle::frontend
