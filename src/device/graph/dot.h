// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph as text for Graphviz (cudaGraphDebugDotPrint).
#pragma once

#include "device/graph/graph.h"

#include <string>

namespace heddle {

/// `flags` are cudaGraphDebugDotFlags: which parameters of nodes to show.
std::string dotOf(const Graph &graph, unsigned flags);

} // namespace heddle
