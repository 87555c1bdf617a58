// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/module_parser.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace {

// Which version of PTX a GPU came with (PTX ISA, ".target"), the newest GPU first.
struct TargetVersion {
  unsigned sm;
  char suffix;
  unsigned version;
};
const TargetVersion target_versions[] = {
    {121, 0, 88}, {120, 'f', 88}, {120, 0, 87}, {110, 0, 90},  {103, 0, 88}, {101, 'f', 88},
    {101, 0, 86}, {100, 'f', 88}, {100, 0, 86}, {90, 'a', 80}, {90, 0, 78},  {89, 0, 78},
    {88, 0, 90},  {87, 0, 74},    {86, 0, 71},  {80, 0, 70},   {75, 0, 63},  {72, 0, 61},
    {70, 0, 60},  {60, 0, 50},    {53, 0, 42},  {52, 0, 41},   {50, 0, 40},  {37, 0, 41},
    {35, 0, 31},  {32, 0, 40},    {30, 0, 31},  {20, 0, 20}};

unsigned firstVersionFor(const PtxTarget &target) {
  for (const TargetVersion &known : target_versions)
    if (target.sm >= known.sm && (!known.suffix || known.suffix == target.suffix))
      return known.version;
  return 10;
}

class ModuleParser : PtxParser {
public:
  ModuleParser(StringRef text, const std::string &name) : PtxParser(text), name_(name) {}

  PtxModule parse() {
    parseHeader();
    while (!atEnd())
      parseItem();
    return std::move(module_);
  }

private:
  void parseHeader() {
    PtxPlace where = place();
    if (!acceptWord(".version"))
      fail("Missing .version directive at start of file");
    const std::string version = takeWhile([](char c) { return isDigit(c) || c == '.'; }).str();
    const auto [major, minor] = StringRef(version).split('.');
    unsigned first = 0, second = 0;
    if (major.getAsInteger(10, first) || minor.getAsInteger(10, second) || second > 9)
      throw PtxError(where, "Parsing error near '" + version + "': syntax error");
    module_.version = std::min(first, 1000u) * 10 + second;
    if (module_.version > newest_ptx_version)
      throw PtxVersionError(where, "Unsupported .version " + version + "; current version is '" +
                                       std::to_string(newest_ptx_version / 10) + "." +
                                       std::to_string(newest_ptx_version % 10) + "'");
    where = place();
    if (!acceptWord(".target"))
      fail("Missing .target directive at start of file '" + name_ + "'");
    parseTargets(where);
  }

  std::string versionText() const {
    return std::to_string(module_.version / 10) + "." + std::to_string(module_.version % 10);
  }

  // sm_90a, texmode_independent, debug, map_f64_to_f32
  void parseTargets(PtxPlace where) {
    do {
      const std::string name = takeName("target");
      module_.has_debug |= name == "debug";
      if (!StringRef(name).starts_with("sm_"))
        continue;
      const auto target = parsePtxTarget(name);
      if (!target || target->sm > newest_ptx_target)
        throw PtxError(where, "Unsupported .target '" + name + "'");
      module_.target = *target;
      module_.target.version = module_.version;
      module_.target_place = where;
      if (module_.version < firstVersionFor(*target))
        module_.problems.emplace_back(where, "PTX .version " + versionText() +
                                                 " does not support .target " + name);
    } while (accept(","));
    if (module_.target.sm == 0)
      throw PtxError(where, "No SM version specified by .target");
  }

  void parseItem() {
    const PtxPlace where = place();
    if (accept(";"))
      return;
    if (acceptWord(".address_size")) {
      if (module_.version < 23)
        module_.problems.emplace_back(
            where, "Feature '.address_size directive' requires PTX ISA .version 2.3 or later");
      if (const unsigned size = takeCount("address size"); size != 64)
        throw PtxError(where, "Unsupported .address_size " + std::to_string(size));
    } else if (acceptWord(".file")) {
      parseFile();
    } else if (acceptWord(".loc") || acceptWord(".pragma") || acceptWord(".target")) {
      takeWhile([](char c) { return c != ';' && c != '\n'; });
    } else if (acceptWord(".section")) {
      takeWhile([](char c) { return c != '{'; });
      skipBraces();
    } else if (sees(".b8") || sees(".b16") || sees(".b32") || sees(".b64") || sees("@@")) {
      takeWhile([](char c) { return c != '\n'; }); // DWARF in the form of older compilers
    } else if (acceptWord(".alias")) {
      const std::string name = takeName("function");
      expect(",");
      module_.aliases.emplace_back(name, takeName("function"));
      expect(";");
    } else {
      parseDefinition();
    }
  }

  void parseFile() {
    const unsigned number = takeCount("file number");
    expect("\"");
    module_.files[number] = takeWhile([](char c) { return c != '"' && c != '\n'; }).str();
    expect("\"");
    while (accept(",")) // time and size
      parseConstant();
  }

  void skipBraces() {
    expect("{");
    for (unsigned depth = 1; depth > 0;) {
      takeWhile([](char c) { return c != '{' && c != '}'; });
      if (accept("{"))
        ++depth;
      else
        expect("}"), --depth;
    }
  }

  std::string acceptLinkage() {
    for (const char *linkage : {"visible", "extern", "weak", "common"})
      if (acceptWord(std::string(".") + linkage))
        return linkage;
    return "";
  }

  void parseDefinition() {
    const std::string linkage = acceptLinkage();
    const bool is_kernel = acceptWord(".entry");
    if (is_kernel || acceptWord(".func"))
      return parseFunction(is_kernel, linkage);
    // Older syntax of variables that are handles: .global .texref a.
    const auto space = acceptSpace();
    if (!space || *space == PtxVariable::Parameter)
      failHere();
    for (PtxVariable &variable : parseVariables(*space)) {
      variable.linkage = linkage;
      module_.variables.push_back(std::move(variable));
    }
    expect(";");
  }

  void parseFunction(bool is_kernel, const std::string &linkage) {
    PtxFunction function;
    function.is_kernel = is_kernel;
    function.linkage = linkage;
    if (acceptWord(".attribute"))
      takeWhile([](char c) { return c != ')'; }), expect(")");
    if (!is_kernel && sees("("))
      function.signature.results = parseParameters();
    function.place = place();
    function.name = takeName("function");
    if (sees("("))
      function.signature.parameters = parseParameters();
    while (sees("."))
      parseFunctionDirective(function);
    if (!accept(";")) {
      function.has_body = true;
      expect("{");
      function.body = parseStatements();
      expect("}");
    }
    module_.functions.push_back(std::move(function));
  }

  void parseFunctionDirective(PtxFunction &function) {
    if (acceptWord(".pragma")) {
      takeWhile([](char c) { return c != ';'; });
      return expect(";");
    }
    if (acceptWord(".noreturn")) {
      function.signature.no_return = true;
      return;
    }
    for (const char *name : {"maxntid", "reqntid", "minnctapersm", "maxnctapersm", "maxnreg",
                             "reqnctapercluster", "explicitcluster", "maxclusterrank",
                             "blocksareclusters", "unique", "abi_preserve_control", "abi_preserve"})
      if (acceptWord(std::string(".") + name)) {
        std::vector<uint32_t> numbers;
        if (!sees(".") && !sees("{") && !sees(";"))
          do
            numbers.push_back(takeCount(name));
          while (accept(","));
        function.directives.emplace_back(name, numbers);
        return;
      }
    failHere();
  }

  const std::string name_;
  PtxModule module_;
};

} // namespace

PtxModule parsePtxModule(StringRef text, const std::string &name) {
  return ModuleParser(text, name).parse();
}

} // namespace heddle
