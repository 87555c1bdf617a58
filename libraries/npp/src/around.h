// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What filters and morphology check and fill in alike.
#pragma once

#include "call.h"
#include "kernels/neighbourhood.h"

namespace heddle::npp {

/// The source's size and the region's place in it, of functions with a border; null for others.
struct Edge {
  NppiSize size;
  NppiPoint offset;
  NppiBorderType type;
};

inline NppStatus checkEdge(const Call &call, const Edge &edge, Border &border) {
  if (edge.size.width <= 0 || edge.size.height <= 0)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the source has no pixels");
  if (edge.type != NPP_BORDER_REPLICATE)
    return HEDDLE_NPP_REFUSE(call, NPP_NOT_SUPPORTED_MODE_ERROR,
                             "only NPP_BORDER_REPLICATE is supported");
  border = {true, edge.size.width, edge.size.height, edge.offset.x, edge.offset.y};
  return NPP_SUCCESS;
}

template <typename S, typename D>
NppStatus prepare(const Call &call, Neighbourhood &work, Around kind, Channels channels,
                  const S *src, int src_step, D *dst, int dst_step, NppiSize size, NppiSize mask,
                  NppiPoint anchor, const Edge *edge) {
  const NppStatus status = checkImages(call, {{src, src_step}, {dst, dst_step}}, size);
  if (status != NPP_SUCCESS)
    return status;
  if (mask.width <= 0 || mask.height <= 0)
    return HEDDLE_NPP_REFUSE(call, NPP_MASK_SIZE_ERROR, "the mask is empty");
  if (anchor.x < 0 || anchor.y < 0 || anchor.x >= mask.width || anchor.y >= mask.height)
    return HEDDLE_NPP_REFUSE(call, NPP_ANCHOR_ERROR, "the anchor lies outside the mask");
  if (edge)
    if (const NppStatus wrong = checkEdge(call, *edge, work.border))
      return wrong;
  work.kind = kind;
  work.src = operand(src, src_step);
  work.dst = operand(dst, dst_step);
  work.channels = channels;
  work.width = size.width;
  work.height = size.height;
  work.mask_width = mask.width;
  work.mask_height = mask.height;
  work.anchor_x = anchor.x;
  work.anchor_y = anchor.y;
  return NPP_SUCCESS;
}

inline NppStatus run(const Call &call, const Neighbourhood &work) {
  return finish(call, launch(work, call.stream));
}

} // namespace heddle::npp
