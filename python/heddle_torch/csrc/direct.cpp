// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "direct.h"

#include "alias.h"
#include "arguments.h"
#include "checked.h"
#include "device.h"
#include "fallback.h"
#include "pool.h"
#include "types/widen.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/op_registration/infer_schema.h>

#include <atomic>
#include <tuple>
#include <utility>

namespace heddle::aten {
namespace {

using at::Scalar;
using at::ScalarType;
using at::Tensor;

// Whether all tensors are plain ones of one device, or numbers of the CPU.
struct Plain {
  c10::DeviceIndex Device = -1;
  bool All = true;
  uint64_t Types = 0; // a bit for each

  void see(const Tensor &T) {
    const c10::DispatchKeySet Keys = T.key_set();
    Types |= 1ull << int(T.scalar_type());
    if (Keys == plainCudaKeys()) {
      const c10::DeviceIndex Here = T.get_device();
      All &= Device < 0 || Device == Here;
      Device = Here;
    } else {
      All &= Keys == plainHostKeys() && T.dim() == 0;
    }
  }
  template <typename A> void see(const A &) {}
  operator bool() const { return All && Device >= 0; }
};

// What the CPU's kernel is called with for an argument of type `A`.
template <typename A> struct Host {
  A Value;
  Host(Call &, A Given) : Value(static_cast<A>(Given)) {}
};
template <> struct Host<const Tensor &> {
  Tensor Value;
  Host(Call &C, const Tensor &Given)
      : Value(C.toHost(c10::MaybeOwned<Tensor>::borrowed(Given), false)) {}
};
template <> struct Host<Tensor &> {
  Tensor Value;
  Host(Call &C, Tensor &Given) : Value(C.toHost(c10::MaybeOwned<Tensor>::borrowed(Given), true)) {}
};

template <typename A> Tensor *writtenOf(A &&) { return nullptr; }
template <> Tensor *writtenOf<Tensor &>(Tensor &T) { return &T; }

template <typename R, typename... A> class Direct {
public:
  using Handle = c10::TypedOperatorHandle<R(A...)>;
  explicit Direct(Handle Op) : Op(Op), Lacking(std::make_shared<std::atomic<uint64_t>>(0)) {}

  R operator()(A... Arguments) const {
    Plain P;
    (P.see(Arguments), ...);
    const HostScope Open;
    if (!P || (P.Types & Lacking->load(std::memory_order_relaxed)) || !waitForStream(P.Device))
      return boxed(std::forward<A>(Arguments)...);
    try {
      return call(P.Device, std::forward<A>(Arguments)...);
    } catch (const std::exception &) {
      // Perhaps the kernel has not all of these types; then the fallback knows what to do.
      if ((P.Types & typesWithWider()) == 0)
        throw;
      Lacking->fetch_or(P.Types & typesWithWider());
    }
    return boxed(std::forward<A>(Arguments)...);
  }

private:
  R boxed(A... Arguments) const {
    return c10::impl::BoxedKernelWrapper<R(A...)>::call(
        c10::BoxedKernel::makeFromFunction<&fallback>(), Op,
        c10::DispatchKeySet(c10::DispatchKey::CUDA), std::forward<A>(Arguments)...);
  }

  R call(c10::DeviceIndex Device, A... Arguments) const {
    Call C(Device);
    std::tuple<Host<A>...> Values{Host<A>(C, Arguments)...};
    if constexpr (std::is_same_v<R, Tensor &>) {
      compute(Device, Values, std::index_sequence_for<A...>());
      C.finish();
      C.tellWrites();
      Tensor *Written = nullptr;
      ((Written = Written ? Written : writtenOf<A>(Arguments)), ...);
      return *Written;
    } else {
      Tensor Result = compute(Device, Values, std::index_sequence_for<A...>());
      return C.toDevice(Result);
    }
  }

  template <size_t... I>
  R compute(c10::DeviceIndex Device, std::tuple<Host<A>...> &Values,
            std::index_sequence<I...>) const {
    const OnDevice Scope(Device);
    const at::AutoDispatchBelowADInplaceOrView Guard;
    return Op.redispatch(c10::DispatchKeySet(c10::DispatchKey::CPU),
                         std::forward<A>(std::get<I>(Values).Value)...);
  }

  Handle Op;
  std::shared_ptr<std::atomic<uint64_t>> Lacking; // types that the kernel may not have
};

template <typename A> bool fits(const c10::Argument &Formal) {
  const bool IsTensor = std::is_same_v<A, const Tensor &> || std::is_same_v<A, Tensor &>;
  return IsTensor == (Formal.type()->kind() == c10::TypeKind::TensorType) &&
         isWritten(Formal) == std::is_same_v<A, Tensor &>;
}

template <typename F> struct Signature;
template <typename R, typename... A> struct Signature<R(A...)> {
  template <size_t... I>
  static bool fitsAll(const std::vector<c10::Argument> &Formal, std::index_sequence<I...>) {
    return (fits<A>(Formal[I]) && ...);
  }
  static std::optional<torch::CppFunction> kernel(const c10::OperatorHandle &Op) {
    const auto &Formal = Op.schema().arguments();
    if (Formal.size() != sizeof...(A) || Op.schema().returns().size() != 1 ||
        !fitsAll(Formal, std::index_sequence_for<A...>()))
      return std::nullopt;
    static const auto Own = c10::detail::inferFunctionSchemaFromFunctor<Direct<R, A...>>();
    if (c10::findSchemaDifferences(*Own, Op.schema()))
      return std::nullopt;
    try {
      return torch::CppFunction(Direct<R, A...>(Op.typed<R(A...)>()));
    } catch (const c10::Error &) { // schemas call some types of C++ by one name
      return std::nullopt;
    }
  }
};

template <typename... F> std::optional<torch::CppFunction> firstOf(const c10::OperatorHandle &Op) {
  std::optional<torch::CppFunction> Found;
  ((Found || (Found = Signature<F>::kernel(Op))), ...);
  return Found;
}

using T = const Tensor &;
using S = const Scalar &;
using MaybeType = std::optional<ScalarType>;
using MaybeScalar = const std::optional<Scalar> &;

} // namespace

std::optional<torch::CppFunction> directKernel(const c10::OperatorHandle &Op) {
  return firstOf<Tensor(T), Tensor(T, T), Tensor(T, S), Tensor(T, T, S), Tensor(T, S, S),
                 Tensor(T, T, T), Tensor(T, T, T, S), Tensor(T, T, T, S, S),
                 Tensor(T, at::OptionalIntArrayRef, bool, MaybeType),
                 Tensor(T, at::IntArrayRef, bool, MaybeType), Tensor(T, int64_t, bool),
                 Tensor(T, T, int64_t, ScalarType), Tensor(T, MaybeScalar, MaybeScalar),
                 Tensor &(Tensor &), Tensor &(Tensor &, T), Tensor &(Tensor &, S),
                 Tensor &(Tensor &, T, S), Tensor &(Tensor &, T, T, S), Tensor &(T, Tensor &),
                 Tensor &(T, T, Tensor &), Tensor &(T, S, Tensor &)>(Op);
}

} // namespace heddle::aten
