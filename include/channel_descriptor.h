// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaCreateChannelDesc<T>(): the channel format of an array whose elements are of type T.
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus

static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

// A type that is no texel has no format.
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define HEDDLE_CHANNEL(type, channels, bits, kind)                                                 \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                         \
    return cudaCreateChannelDesc(bits, (channels) > 1 ? (bits) : 0, (channels) > 2 ? (bits) : 0,   \
                                 (channels) > 3 ? (bits) : 0, cudaChannelFormatKind##kind);        \
  }
#define HEDDLE_CHANNELS(name, bits, kind)                                                          \
  HEDDLE_CHANNEL(name##1, 1, bits, kind)                                                           \
  HEDDLE_CHANNEL(name##2, 2, bits, kind)                                                           \
  HEDDLE_CHANNEL(name##3, 3, bits, kind)                                                           \
  HEDDLE_CHANNEL(name##4, 4, bits, kind)

HEDDLE_CHANNEL(char, 1, 8, Signed)
HEDDLE_CHANNEL(signed char, 1, 8, Signed)
HEDDLE_CHANNEL(unsigned char, 1, 8, Unsigned)
HEDDLE_CHANNEL(short, 1, 16, Signed)
HEDDLE_CHANNEL(unsigned short, 1, 16, Unsigned)
HEDDLE_CHANNEL(int, 1, 32, Signed)
HEDDLE_CHANNEL(unsigned int, 1, 32, Unsigned)
HEDDLE_CHANNEL(float, 1, 32, Float)
HEDDLE_CHANNELS(char, 8, Signed)
HEDDLE_CHANNELS(uchar, 8, Unsigned)
HEDDLE_CHANNELS(short, 16, Signed)
HEDDLE_CHANNELS(ushort, 16, Unsigned)
HEDDLE_CHANNELS(int, 32, Signed)
HEDDLE_CHANNELS(uint, 32, Unsigned)
HEDDLE_CHANNELS(float, 32, Float)

#undef HEDDLE_CHANNELS
#undef HEDDLE_CHANNEL

#endif

#endif
