// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How MT19937 jumps far ahead: a state that many steps on is a sum of states shortly behind one
// another (H. Haramoto, M. Matsumoto, T. Nishimura, F. Panneton, P. L'Ecuyer, "Efficient Jump Ahead
// for F2-Linear Random Number Generators", INFORMS Journal on Computing 20, 2008).
#pragma once
#include <vector>

namespace heddle::curand {

constexpr int MersenneWords = 624;
constexpr unsigned MersenneGenerators = 8192;

/// The states of generators that are 2^2048 steps apart, the first of which begins with the seed:
/// word by word, each of all generators side by side. Takes about a second.
std::vector<unsigned> mersenneStates(unsigned seed);

} // namespace heddle::curand
