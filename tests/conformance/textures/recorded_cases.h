// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches whose results have been recorded on a GPU: textures, their contents, and coordinates,
// among them halves of weights, numbers one bit beside them, and those that are none. All are made
// from integers, so every build makes the same ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>
enum Format { F32, U8, S8, U16, S16, F16, U32 };
enum Kind { TEX, LOD, GRAD, GATHER };
enum Shape { D1, D2, D3, L1, L2, CUBE, CUBEL };
struct Case {
  std::string name;
  int shape = D2, w = 1, h = 1, d = 1; // d: depth or layers
  int format = F32, ch = 1, levels = 1;
  int linear = 1, mipLinear = 0, addr[3] = {1, 1, 1}; // wrap 0 clamp 1 mirror 2 border 3
  int normalized = 0, readNorm = 0, srgb = 0;
  float border[4] = {0, 0, 0, 0};
  int kind = TEX, comp = 0;
  int texels = 0, hot = 0; // 0 random [0,1) 1 one-hot 2 wide exponents 3 specials, 4 [-1,1)
  int coords = 0, n = 1024;
  float bias = 0, minLod = 0, maxLod = 1000;
  int aniso = 0;
};
inline uint32_t mix(uint32_t a, uint32_t b = 0, uint32_t c = 0) {
  uint32_t h = a * 0x9E3779B1u ^ (b + 0x7F4A7C15u) * 0x85EBCA6Bu ^ (c + 0x165667B1u) * 0xC2B2AE35u;
  for (int i = 0; i < 3; i++) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
  }
  return h ^ (h >> 16);
}
inline float bitsf(uint32_t u) {
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint32_t fbits(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}
inline int bytesOf(int f) { return f == F32 || f == U32 ? 4 : f == U8 || f == S8 ? 1 : 2; }
inline int isSigned(int f) { return f == S8 || f == S16; }
// Bits of one channel of one texel.
inline uint32_t texel(const Case &c, int level, int x, int y, int z, int ch) {
  uint32_t r = mix(x + 4096 * y, z + 64 * level, ch + 17);
  bool isHot = (x + c.w * (y + c.h * z)) == c.hot;
  if (c.texels == 1) {
    uint32_t one = c.format == F32   ? 0x3f800000u
                   : c.format == F16 ? 0x3c00u
                   : c.format == S8  ? 127
                   : c.format == S16 ? 32767
                                     : ~0u;
    return isHot ? one : 0;
  }
  if (c.texels == 5) // each level its own number
    return c.format == F32 ? fbits(float(level)) : uint32_t(level);
  if (c.format == F32) {
    if (c.texels == 2)
      return (r & 0x807fffffu) | ((112 + (r >> 8) % 30) << 23);
    if (c.texels == 3) {
      uint32_t s[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x807fffff, 0x7f7fffff,
                      0xff7fffff, 0x80000000, 0,          0x3f800000, 0xbf800000, 0x00800000};
      return s[r % 12];
    }
    if (c.texels == 4)
      return fbits(float(int32_t(r) >> 7) / 16777216.0f);
    return fbits(float(r >> 8) / 16777216.0f);
  }
  if (c.format == F16) {
    if (c.texels == 2)
      return (r & 0x83ff) | ((1 + (r >> 16) % 29) << 10);
    if (c.texels == 3) {
      uint32_t s[] = {0x7c00, 0xfc00, 0x7e00, 1,      0x83ff, 0x7bff,
                      0xfbff, 0x8000, 0,      0x3c00, 0xbc00, 0x0400};
      return s[r % 12];
    }
    return (r & 0x83ff) | ((9 + (r >> 16) % 7) << 10);
  }
  if ((r >> 27) < 3)
    return (r & 1) ? ~0u : (isSigned(c.format) ? (c.format == S8 ? 0x80u : 0x8000u) : 0u);
  return r;
}
inline float coordinate(const Case &c, int i, int axis, int size) {
  static const uint32_t special[] = {
      0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x00000001,
      0x80000001, 0x80000000, 0,          0x3f000000, 0x3effffff, 0x3f000001, 0xbf000000,
      0xbeffffff, 0xbf000001, 0x4b000000, 0x4b800000, 0x4f000000, 0xcf000000, 0x4effffff,
      0x5f000000, 0xdf000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0xbf7fffff, 0xbf800000,
      0xbf800001, 0x4a800001, 0xca800001, 0x49742400, 0xc9742400};
  const int nspecial = sizeof special / sizeof *special;
  uint32_t r = mix(i, axis, c.coords + 100), s = mix(i, axis, 7777);
  if (c.coords == 1) { // dense within [1, 3): 1/512 steps and neighbours
    int k = i / 3;
    float x = 1.0f + k / 512.0f;
    return bitsf(fbits(x) + (i % 3) - 1);
  }
  if (c.coords == 2) // every pair of weights near the middle texels
    return size / 2 + float(int(r >> 8 & 1023)) / 1024.0f + 0.5f / 1024 * (r >> 31);
  if (c.coords == 3) { // cube directions
    int kind = i % 4;
    int k = int(r >> 8 & 4095) - 2048;
    if (kind == 0)
      return float(int((r >> 9) % 5) - 2);
    return kind == 1 ? k / 256.0f : float(k) * (1.0f + (s & 255));
  }
  if (c.coords == 4) { // normalised [0,1) fine
    return (r >> 8) / 16777216.0f;
  }
  if (i < 160 && (r & 3)) {
    float v = bitsf(special[(r >> 4) % nspecial]);
    return c.normalized && (r >> 28 & 1) ? v / size : v;
  }
  if (i < 224 && axis == 0) {
    float v = bitsf(special[(r >> 4) % nspecial]);
    return v;
  }
  if (i < 288 && axis == 1) {
    float v = bitsf(special[(r >> 4) % nspecial]);
    return v;
  }
  float x;
  int span = 5 * size;
  int whole = int((r >> 4) % span) - 2 * size;
  if ((r & 7) < 5)
    whole = int((r >> 4) % size);
  switch (s % 4) {
  case 0:
    x = whole + (s >> 8 & 255) / 256.0f;
    break;
  case 1:
    x = bitsf(fbits(whole + (s >> 8 & 511) / 512.0f) + int(s >> 20) % 5 - 2);
    break;
  case 2:
    x = whole + (s >> 8) / 16777216.0f;
    break;
  default:
    x = whole + (s >> 8 & 65535) / 65536.0f;
    break;
  }
  return c.normalized ? x / size : x;
}
inline float lodOf(const Case &c, int i) {
  uint32_t r = mix(i, 55, c.coords);
  static const uint32_t special[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x80000000,
                                     0x3f000000, 0x3effffff, 0x3f000001, 0x3f7fffff, 0x40000000,
                                     0x3b800000, 0x3b000000, 0x3affffff, 0x3b000001, 0xbf000000};
  if (i < 64)
    return bitsf(special[i % 15]);
  if (i < 600)
    return (int(i) - 128) / 128.0f + ((r & 3) ? 0 : (int(r >> 8 & 255) - 128) / 65536.0f);
  return (int(r >> 8 & 0xffff) - 8192) / 16384.0f;
}
inline float gradOf(const Case &c, int i, int k) { // k: dPdx.x dPdx.y dPdx.z dPdy.x …
  uint32_t r = mix(i, 66 + k, c.coords);
  float v =
      (1.0f + (r >> 9) / 8388608.0f) * (r & 1 ? 1 : -1) * std::ldexp(1.0f, int(r >> 1 & 7) - 6);
  if (i % 5 == 0)
    v = (r & 1 ? 1 : -1) * std::ldexp(1.0f, int(r >> 1 & 7) - 6);
  if (i % 3 == 0 && k >= 3)
    v = 0;
  if (i % 7 == 0 && k % 3)
    v = 0;
  return v;
}

using Cases = std::vector<Case>;
constexpr const char *modes[] = {"wrap", "clamp", "mirror", "border"};
template <class Set> void add(Cases &all, std::string name, Set set) {
  Case c;
  c.name = std::move(name);
  set(c);
  all.push_back(c);
}
inline void addLines(Cases &all) {
  for (int hot = 1; hot < 3; hot++)
    add(all, "w1.hot" + std::to_string(hot), [&](Case &c) {
      c.shape = D1;
      c.w = 4;
      c.texels = 1;
      c.hot = hot;
      c.coords = 1;
      c.n = 3072;
    });
  add(all, "w1.random", [](Case &c) {
    c.shape = D1;
    c.w = 64;
    c.n = 3000;
  });
  add(all, "w1.wide", [](Case &c) {
    c.shape = D1;
    c.w = 64;
    c.texels = 2;
    c.n = 2000;
  });
  add(all, "w1.special", [](Case &c) {
    c.shape = D1;
    c.w = 64;
    c.texels = 3;
    c.n = 2000;
  });
  for (int w : {3, 7, 10, 64, 100, 1000, 16384})
    add(all, "w1.norm" + std::to_string(w), [&](Case &c) {
      c.shape = D1;
      c.w = w;
      c.normalized = 1;
      c.addr[0] = w & 1 ? 0 : 1;
    });
  add(all, "w1.fine100", [](Case &c) {
    c.shape = D1;
    c.w = 100;
    c.normalized = 1;
    c.coords = 4;
    c.n = 3000;
  });
  add(all, "w1.fine64", [](Case &c) {
    c.shape = D1;
    c.w = 64;
    c.normalized = 1;
    c.coords = 4;
    c.n = 3000;
  });
  for (int m = 0; m < 4; m++)
    for (int norm = 0; norm < 2; norm++)
      for (int lin = 0; lin < 2; lin++)
        add(all,
            std::string("a1.") + modes[m] + (norm ? ".n" : ".u") + (lin ? ".linear" : ".point"),
            [&](Case &c) {
              c.shape = D1;
              c.w = norm ? 13 : 16;
              c.addr[0] = m;
              c.normalized = norm;
              c.linear = lin;
              c.n = 700;
              c.border[0] = 0.375f;
            });
}
inline void addPlanes(Cases &all) {
  for (int k = 0; k < 4; k++)
    add(all, "w2.hot" + std::to_string(k), [&](Case &c) {
      c.w = c.h = 8;
      c.texels = 1;
      c.hot = (4 + (k & 1)) + 8 * (4 + (k >> 1)) - 0;
      c.coords = 2;
      c.n = 3000;
    });
  add(all, "w2.random", [](Case &c) {
    c.w = 33;
    c.h = 17;
    c.n = 4000;
  });
  add(all, "w2.wide", [](Case &c) {
    c.w = 32;
    c.h = 16;
    c.texels = 2;
    c.n = 3000;
  });
  for (int m = 0; m < 4; m++)
    for (int norm = 0; norm < 2; norm++)
      for (int lin = 0; lin < 2; lin++)
        add(all,
            std::string("a2.") + modes[m] + (norm ? ".n" : ".u") + (lin ? ".linear" : ".point"),
            [&](Case &c) {
              c.w = 13;
              c.h = 16;
              c.addr[0] = m;
              c.addr[1] = (m + 1) % 4;
              c.normalized = norm;
              c.linear = lin;
              c.n = 700;
              c.border[0] = -0.75f;
            });
}
inline void addFormats(Cases &all) {
  const char *formats[] = {"f32", "u8", "s8", "u16", "s16", "f16", "u32"};
  for (int f = 0; f < 6; f++) {
    bool integer = f >= U8 && f <= S16;
    for (int lin = 0; lin < 2; lin++)
      add(all, std::string("f2.") + formats[f] + (lin ? ".linear" : ".point"), [&](Case &c) {
        c.format = f;
        c.w = 32;
        c.h = 32;
        c.readNorm = integer;
        c.linear = lin;
        c.n = lin ? 2000 : 600;
      });
    add(all, std::string("f1.") + formats[f] + ".linear", [&](Case &c) {
      c.shape = D1;
      c.format = f;
      c.w = 64;
      c.readNorm = integer;
      c.n = 1500;
    });
    add(all, std::string("f4.") + formats[f] + ".linear", [&](Case &c) {
      c.ch = 4;
      c.format = f;
      c.w = 16;
      c.h = 16;
      c.readNorm = integer;
      c.addr[0] = c.addr[1] = 3;
      c.border[0] = 0.25f;
      c.border[1] = -3;
      c.border[2] = 0.3f;
      c.border[3] = 2;
      c.n = 300;
    });
    if (f != F16)
      add(all, std::string("f3.") + formats[f] + ".linear", [&](Case &c) {
        c.shape = D3;
        c.format = f;
        c.w = 8;
        c.h = 8;
        c.d = 8;
        c.readNorm = integer;
        c.n = 1500;
      });
    if (integer)
      add(all, std::string("e2.") + formats[f] + ".point", [&](Case &c) {
        c.ch = 2;
        c.format = f;
        c.w = 16;
        c.h = 16;
        c.linear = 0;
        c.addr[0] = c.addr[1] = 3;
        c.border[0] = 0.25f;
        c.border[1] = -3;
        c.n = 300;
      });
  }
  add(all, "f2.f16.wide", [](Case &c) {
    c.format = F16;
    c.w = c.h = 32;
    c.texels = 2;
    c.n = 2000;
  });
  for (int f : {int(U8), int(S8), int(U16), int(S16), int(F16)})
    add(all, std::string("h2.") + formats[f], [&](Case &c) {
      c.w = c.h = 8;
      c.format = f;
      c.readNorm = f != F16;
      c.texels = 1;
      c.hot = 4 + 8 * 4;
      c.coords = 2;
      c.n = 1500;
    });
}
inline void addVolumes(Cases &all) {
  for (int k = 0; k < 8; k++)
    add(all, "w3.hot" + std::to_string(k), [&](Case &c) {
      c.shape = D3;
      c.w = c.h = c.d = 4;
      c.texels = 1;
      c.hot = (2 + (k & 1)) + 4 * (2 + (k >> 1 & 1)) + 16 * (2 + (k >> 2));
      c.coords = 2;
      c.n = 1200;
    });
  add(all, "w3.random", [](Case &c) {
    c.shape = D3;
    c.w = 9;
    c.h = 7;
    c.d = 5;
    c.n = 4000;
  });
  for (int m = 0; m < 4; m++)
    add(all, std::string("a3.") + modes[m], [&](Case &c) {
      c.shape = D3;
      c.w = 9;
      c.h = 7;
      c.d = 5;
      c.addr[0] = m;
      c.addr[1] = (m + 1) % 4;
      c.addr[2] = (m + 2) % 4;
      c.normalized = 1;
      c.n = 700;
    });
}
inline void addLayers(Cases &all) {
  add(all, "l1", [](Case &c) {
    c.shape = L1;
    c.w = 16;
    c.d = 5;
    c.n = 400;
  });
  add(all, "l2", [](Case &c) {
    c.shape = L2;
    c.w = 9;
    c.h = 8;
    c.d = 5;
    c.n = 600;
  });
}
inline void addGathers(Cases &all) {
  for (int k = 0; k < 4; k++)
    add(all, "gather" + std::to_string(k), [&](Case &c) {
      c.ch = k ? 4 : 1;
      c.comp = k == 0 ? 0 : k;
      c.kind = GATHER;
      c.w = 16;
      c.h = 12;
      c.n = k ? 200 : 700;
      c.addr[0] = k;
      c.addr[1] = k;
      c.normalized = 1;
    });
  add(all, "gather.u8", [](Case &c) {
    c.format = U8;
    c.ch = 4;
    c.comp = 2;
    c.kind = GATHER;
    c.w = 16;
    c.h = 12;
    c.n = 300;
    c.linear = 0;
  });
  add(all, "gather.n8", [](Case &c) {
    c.format = U8;
    c.ch = 4;
    c.comp = 1;
    c.kind = GATHER;
    c.w = 16;
    c.h = 12;
    c.n = 300;
    c.readNorm = 1;
  });
}
inline void addMipmaps(Cases &all) {
  for (int ml = 0; ml < 2; ml++) {
    std::string s = ml ? ".linear" : ".point";
    add(all, "m2.level" + s, [&](Case &c) {
      c.w = c.h = 32;
      c.levels = 6;
      c.kind = LOD;
      c.normalized = 1;
      c.mipLinear = ml;
      c.texels = 5;
      c.n = 2000;
      c.coords = 4;
    });
    add(all, "m2.random" + s, [&](Case &c) {
      c.w = 32;
      c.h = 16;
      c.levels = 5;
      c.kind = LOD;
      c.normalized = 1;
      c.mipLinear = ml;
      c.n = 1500;
      c.coords = 0;
      c.addr[0] = 0;
    });
    add(all, "m2.pick" + s, [&](Case &c) {
      c.w = 32;
      c.h = 16;
      c.levels = 5;
      c.linear = 0;
      c.kind = LOD;
      c.normalized = 1;
      c.mipLinear = ml;
      c.n = 800;
      c.coords = 0;
      c.addr[0] = 0;
    });
    add(all, "m2.bias" + s, [&](Case &c) {
      c.w = c.h = 32;
      c.levels = 6;
      c.kind = LOD;
      c.normalized = 1;
      c.mipLinear = ml;
      c.texels = 5;
      c.n = 800;
      c.coords = 4;
      c.bias = 0.627f;
      c.minLod = 0.503f;
      c.maxLod = 3.2531f;
    });
    add(all, "m2.tex" + s, [&](Case &c) {
      c.w = c.h = 32;
      c.levels = 6;
      c.kind = TEX;
      c.normalized = 1;
      c.mipLinear = ml;
      c.texels = 5;
      c.n = 64;
      c.coords = 4;
    });
  }
}
inline void addCubes(Cases &all) {
  for (int lin = 0; lin < 2; lin++) {
    add(all, std::string("cube.") + (lin ? "linear" : "point"), [&](Case &c) {
      c.shape = CUBE;
      c.w = c.h = 8;
      c.d = 6;
      c.normalized = 1;
      c.linear = lin;
      c.coords = 3;
      c.n = 3000;
    });
    add(all, std::string("cubel.") + (lin ? "linear" : "point"), [&](Case &c) {
      c.shape = CUBEL;
      c.w = c.h = 4;
      c.d = 12;
      c.normalized = 1;
      c.linear = lin;
      c.coords = 3;
      c.n = 500;
    });
  }
}
inline Cases allCases() {
  Cases all;
  addLines(all);
  addPlanes(all);
  addFormats(all);
  addVolumes(all);
  addLayers(all);
  addGathers(all);
  addMipmaps(all);
  addCubes(all);
  return all;
}
