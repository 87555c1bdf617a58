// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pointwise.h"

#include "pixels.h"

namespace heddle::npp {
namespace {

__device__ double maximumOf(Type type) {
  switch (type) {
  case Type::U8:
    return 255;
  case Type::S8:
    return 127;
  case Type::U16:
    return 65535;
  case Type::S16:
    return 32767;
  case Type::U32:
    return 4294967295.0;
  case Type::S32:
    return 2147483647.0;
  default:
    return 1;
  }
}

// Porter and Duff's operators (NPP's documentation of NppiAlphaOp): colours a and b, alphas in
// 0...1.
template <class R> __device__ R compose(int op, R a, R alpha_a, R b, R alpha_b) {
  if (op >= NPPI_OP_ALPHA_OVER_PREMUL && op <= NPPI_OP_ALPHA_PLUS_PREMUL)
    op -= NPPI_OP_ALPHA_OVER_PREMUL;
  else {
    a *= alpha_a;
    b *= alpha_b;
  }
  switch (op) {
  case NPPI_OP_ALPHA_OVER:
    return a + (1 - alpha_a) * b;
  case NPPI_OP_ALPHA_IN:
    return a * alpha_b;
  case NPPI_OP_ALPHA_OUT:
    return a * (1 - alpha_b);
  case NPPI_OP_ALPHA_ATOP:
    return a * alpha_b + (1 - alpha_a) * b;
  case NPPI_OP_ALPHA_XOR:
    return a * (1 - alpha_b) + (1 - alpha_a) * b;
  case NPPI_OP_ALPHA_PLUS:
    return a + b;
  default:
    return a;
  }
}

template <class R> __device__ R mathematics(Op op, R a) {
  switch (op) {
  case Op::Abs:
    return a < 0 ? -a : a;
  case Op::Sqr:
    return a * a;
  case Op::Sqrt:
    return sqrt(a);
  case Op::Ln:
    return log(a);
  case Op::Exp:
    return exp(a);
  case Op::Cubrt:
    return cbrt(a);
  case Op::Arctan:
    return atan(a);
  case Op::Log10Times10:
    return 10 * log10(a);
  case Op::GammaForward: {
    const R v = a / 255;
    return 255 * (v < R(0.018) ? R(4.5) * v : R(1.099) * pow(v, R(0.45)) - R(0.099));
  }
  case Op::GammaInverse: {
    const R v = a / 255;
    return 255 * (v < R(0.0812) ? v / R(4.5) : pow((v + R(0.099)) / R(1.099), R(1 / 0.45)));
  }
  default:
    return a;
  }
}

template <class R> __device__ R compare(Op op, R a, R b, R near) {
  bool yes;
  switch (op) {
  case Op::CompareLess:
    yes = a < b;
    break;
  case Op::CompareLessEqual:
    yes = a <= b;
    break;
  case Op::CompareEqual:
    yes = a == b;
    break;
  case Op::CompareGreaterEqual:
    yes = a >= b;
    break;
  case Op::CompareGreater:
    yes = a > b;
    break;
  default:
    yes = fabs(a - b) <= near;
  }
  return yes ? R(255) : R(0);
}

template <class R> __device__ R arithmetic(const Pointwise &p, R a, R b, R third, int channel) {
  const R c = R(p.c[channel]), d = R(p.d[channel]);
  switch (p.op) {
  case Op::Add:
    return a + b;
  case Op::Sub:
    return a - b;
  case Op::Mul:
    return a * b;
  case Op::Div:
    return a / b;
  case Op::SubRev:
    return b - a;
  case Op::DivRev:
    return b / a;
  case Op::AbsDiff:
    return fabs(a - b);
  case Op::MulScale:
    return a * b / R(maximumOf(p.out.type));
  case Op::Min:
    return a < b ? a : b;
  case Op::Max:
    return a > b ? a : b;
  case Op::AddSquare:
    return third + a * a;
  case Op::AddProduct:
    return third + a * b;
  case Op::AddWeighted:
    return a * c + third * (1 - c);
  case Op::Linear:
    return a * c + d;
  case Op::Less:
    return a < c ? d : a;
  case Op::Greater:
    return a > c ? d : a;
  case Op::Equal:
    return a == c ? d : a;
  case Op::LessGreater:
    return a < c ? R(p.e[channel]) : a > d ? R(p.f[channel]) : a;
  case Op::AlphaCompC: {
    const R most = R(maximumOf(p.out.type));
    return compose(p.alpha_op, a, c / most, b, d / most);
  }
  default:
    return p.op >= Op::CompareLess && p.op <= Op::CompareNear ? compare(p.op, a, b, c)
                                                              : mathematics(p.op, a);
  }
}

template <class R> __global__ void pointwise(Pointwise p) {
  const long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= p.width)
    return;
  const int channel = channelOf(x, p.channels);
  if (p.alpha && channel == 3)
    return;
  const R constant = R(p.b_constant[channel]), factor = R(p.factor);
  const bool adds = p.op >= Op::AddSquare && p.op <= Op::AddWeighted;
  for (long long y = blockIdx.y; y < p.height; y += gridDim.y) {
    if (p.mask && p.mask[y * p.mask_step + x / p.channels] == 0)
      continue;
    const R a = loadPixel<R>(p.a, x, y);
    const R b = p.b.data ? loadPixel<R>(p.b, x, y) : constant;
    const R third = adds ? loadPixel<R>(p.out, x, y) : R(0);
    storePixel<R>(p.out, x, y, arithmetic<R>(p, a, b, third, channel) * factor, p.round);
  }
}

__device__ long long ofBits(Op op, long long a, long long b) {
  switch (op) {
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Not:
    return ~a;
  case Op::LShift:
    return b > 63 ? 0 : a << b;
  default:
    return b > 63 ? (a < 0 ? -1 : 0) : a >> b;
  }
}

__global__ void pointwiseBits(Pointwise p) {
  const long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= p.width)
    return;
  const int channel = channelOf(x, p.channels);
  if (p.alpha && channel == 3)
    return;
  const long long constant = (long long)p.b_constant[channel];
  for (long long y = blockIdx.y; y < p.height; y += gridDim.y) {
    const long long a = loadPixel<long long>(p.a, x, y);
    const long long b = p.b.data ? loadPixel<long long>(p.b, x, y) : constant;
    const long long v = ofBits(p.op, a, b);
    char *const row = p.out.data + y * p.out.step;
    switch (sizeOf(p.out.type)) {
    case 1:
      reinterpret_cast<Npp8u *>(row)[x] = Npp8u(v);
      break;
    case 2:
      reinterpret_cast<Npp16u *>(row)[x] = Npp16u(v);
      break;
    default:
      reinterpret_cast<Npp32u *>(row)[x] = Npp32u(v);
    }
  }
}

// One thread for each pair of numbers. Only products and quotients differ from pairs of reals.
__global__ void pointwiseComplex(Pointwise p) {
  const long long x = 2 * ((long long)blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= p.width)
    return;
  const int channel = int(unsigned(x) % unsigned(p.channels));
  if (p.alpha && channel == 6)
    return;
  for (long long y = blockIdx.y; y < p.height; y += gridDim.y) {
    const double ar = loadPixel<double>(p.a, x, y), ai = loadPixel<double>(p.a, x + 1, y);
    double br = p.b_constant[channel], bi = p.b_constant[channel + 1];
    if (p.b.data) {
      br = loadPixel<double>(p.b, x, y);
      bi = loadPixel<double>(p.b, x + 1, y);
    }
    double re = ar, im = ai;
    switch (p.op) {
    case Op::Add:
      re = ar + br, im = ai + bi;
      break;
    case Op::Sub:
      re = ar - br, im = ai - bi;
      break;
    case Op::SubRev:
      re = br - ar, im = bi - ai;
      break;
    case Op::Mul:
      re = ar * br - ai * bi, im = ar * bi + ai * br;
      break;
    case Op::Div: {
      const double norm = br * br + bi * bi;
      re = (ar * br + ai * bi) / norm, im = (ai * br - ar * bi) / norm;
      break;
    }
    default:
      break;
    }
    storePixel<double>(p.out, x, y, re * p.factor, p.round);
    storePixel<double>(p.out, x + 1, y, im * p.factor, p.round);
  }
}

__global__ void comparePixels(Pointwise p) {
  const long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= p.width)
    return;
  const int channels = p.alpha ? 3 : p.channels;
  for (long long y = blockIdx.y; y < p.height; y += gridDim.y) {
    double yes = 255;
    for (int c = 0; c < channels; ++c) {
      const double a = loadPixel<double>(p.a, x * p.channels + c, y);
      const double b = p.b.data ? loadPixel<double>(p.b, x * p.channels + c, y) : p.b_constant[c];
      yes = fmin(yes, compare(p.op, a, b, p.c[0]));
    }
    storePixel<double>(p.out, x, y, yes);
  }
}

__global__ void alphaPixels(AlphaPixels p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= p.width)
    return;
  const float most = float(maximumOf(p.out.type));
  const long long first = (long long)x * p.channels;
  const int last = p.channels - 1;
  for (int y = blockIdx.y; y < p.height; y += gridDim.y) {
    const float alpha_a = loadPixel<float>(p.a, first + last, y) / most;
    if (!p.b.data) {
      for (int c = 0; c < last; ++c)
        storePixel<float>(p.out, first + c, y, loadPixel<float>(p.a, first + c, y) * alpha_a);
      storePixel<float>(p.out, first + last, y, alpha_a * most);
      continue;
    }
    const float alpha_b = loadPixel<float>(p.b, first + last, y) / most;
    for (int c = 0; c < last; ++c)
      storePixel<float>(p.out, first + c, y,
                        compose(p.op, loadPixel<float>(p.a, first + c, y), alpha_a,
                                loadPixel<float>(p.b, first + c, y), alpha_b));
    // The result's alpha is the composition of two white pixels.
    const int op = p.op % NPPI_OP_ALPHA_OVER_PREMUL;
    storePixel<float>(p.out, first + last, y, most * compose(op, 1.0f, alpha_a, 1.0f, alpha_b));
  }
}

__global__ void magnitudes(Magnitude p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= p.width)
    return;
  for (int y = blockIdx.y; y < p.height; y += gridDim.y) {
    const float re = loadPixel<float>(p.src, 2LL * x, y);
    const float im = loadPixel<float>(p.src, 2LL * x + 1, y);
    const float square = re * re + im * im;
    storePixel<float>(p.dst, x, y, p.squared ? square : sqrtf(square));
  }
}

// Whether float holds all numbers on the way to the result.
bool floatIsEnough(const Pointwise &work) {
  auto fits = [&](const Operand &operand) {
    return !operand.data || operand.type == Type::F32 || sizeOf(operand.type) == 1 ||
           (sizeOf(operand.type) == 2 &&
            (work.op == Op::Add || work.op == Op::Sub || work.op == Op::AbsDiff ||
             work.op >= Op::Copy) &&
            work.op != Op::Sqr && work.op != Op::Exp && work.op != Op::Linear);
  };
  return fits(work.a) && fits(work.b) && fits(work.out) &&
         (work.op != Op::Linear || isFloat(work.a.type)) && work.op != Op::Ln;
}

} // namespace

cudaError_t launch(const Pointwise &work, cudaStream_t stream) {
  if (work.width == 0 || work.height == 0)
    return cudaSuccess;
  const dim3 grid = gridFor(work.width, work.height);
  if (work.complex)
    pointwiseComplex<<<gridFor(work.width / 2, work.height), 256, 0, stream>>>(work);
  else if (work.op >= Op::And)
    pointwiseBits<<<grid, 256, 0, stream>>>(work);
  else if (floatIsEnough(work))
    pointwise<float><<<grid, 256, 0, stream>>>(work);
  else
    pointwise<double><<<grid, 256, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launchComparison(const Pointwise &work, cudaStream_t stream) {
  comparePixels<<<gridFor(work.width, work.height), 256, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launch(const AlphaPixels &work, cudaStream_t stream) {
  alphaPixels<<<gridFor(work.width, work.height), 256, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launch(const Magnitude &work, cudaStream_t stream) {
  magnitudes<<<gridFor(work.width, work.height), 256, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle::npp
