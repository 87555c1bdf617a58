// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/codegen/linker.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

namespace heddle::engine {

LinkResult linkElf(const std::vector<std::string> &arguments) {
  std::vector<const char *> words = {"ld.lld"};
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  LinkResult result;
  llvm::raw_string_ostream messages(result.messages);
  const lld::Result linked = lld::lldMain(words, messages, messages, {{lld::Gnu, &lld::elf::link}});
  result.good = linked.retCode == 0;
  return result;
}

} // namespace heddle::engine
