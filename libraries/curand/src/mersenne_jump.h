// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How MT19937 jumps far ahead: a state that many steps on is a sum of states shortly behind one
// another (H. Haramoto, M. Matsumoto, T. Nishimura, F. Panneton, P. L'Ecuyer, "Efficient Jump Ahead
// for F2-Linear Random Number Generators", INFORMS Journal on Computing 20, 2008).
#pragma once
#include <vector>

namespace heddle::curand {

constexpr int MersenneWords = 624;
constexpr int MersenneDegree = 19937; // bits of a state

/// For a jump of 2^(2048 + i) steps, i in 0…12: the steps, in ascending order and below 19937,
/// after which the states are that are to be summed.
const std::vector<unsigned> &mersenneJump(int i);

} // namespace heddle::curand
