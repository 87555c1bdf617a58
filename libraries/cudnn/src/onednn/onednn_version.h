// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// oneDNN 2 (Debian 12) and oneDNN 3 (Debian 13) describe the same primitives in
// different words: version 2 by a descriptor of the operation, which version 3 has no more. All
// that depends on the version is here.
#pragma once

#include <dnnl.hpp>
#include <dnnl_version.h>

namespace heddle::cudnn {

/// How `Primitive` would compute what `operation` says: the arguments that both versions list in
/// the same order.
template <typename Primitive, typename... Operation>
typename Primitive::primitive_desc describeForward(const dnnl::engine &engine,
                                                   const dnnl::primitive_attr &attributes,
                                                   const Operation &...operation) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine, operation..., attributes};
#else
  return {typename Primitive::desc(operation...), attributes, engine};
#endif
}

/// The same for a backward pass, which also needs the description of its forward pass.
template <typename Primitive, typename Forward, typename... Operation>
typename Primitive::primitive_desc
describeBackward(const dnnl::engine &engine, const dnnl::primitive_attr &attributes,
                 const Forward &forward, const Operation &...operation) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine, operation..., forward, attributes};
#else
  return {typename Primitive::desc(operation...), attributes, engine, forward};
#endif
}

} // namespace heddle::cudnn
