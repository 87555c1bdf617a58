// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/front_end.h"

#include "module/ptx/emitter.h"
#include "module/ptx/module/globals.h"
#include "module/ptx/module/module_parser.h"
#include "module/ptx/module/registers.h"

#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace heddle {
namespace {

// NVPTX's, as Clang has it.
constexpr const char *data_layout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

class Translator : PtxSymbols {
public:
  Translator(const PtxModule &source, const std::string &name, Module &module, bool fuse)
      : source_(source), fuse_(fuse), module_(module), context_(module.getContext()),
        debug_(module) {
    module.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
    module.addModuleFlag(Module::Max, "Dwarf Version", 4);
    file_ = debug_.createFile(sys::path::filename(name), sys::path::parent_path(name));
    debug_.createCompileUnit(dwarf::DW_LANG_C, file_, "Heddle", true, "", 0, "",
                             DICompileUnit::LineTablesOnly);
  }

  std::vector<PtxError> run() {
    declareAll();
    for (const PtxVariable &variable : source_.variables)
      attempt(variable.place, [&] { setInitialValue(variable); });
    for (const PtxFunction &function : source_.functions)
      if (function.has_body)
        attempt(function.place, [&] { emitBody(function); });
    for (const auto &[name, target] : source_.aliases)
      attempt({1, 1}, [&] { addAlias(name, target); });
    debug_.finalize();
    if (problems_.empty())
      verify();
    return std::move(problems_);
  }

  Constant *find(StringRef name) override {
    if (Function *function = module_.getFunction(name))
      return function;
    auto found = variables_.find(name);
    return found == variables_.end() || !found->second ? nullptr : generic(found->second);
  }
  const PtxSignature *signature(StringRef name) override {
    auto found = signatures_.find(name);
    return found == signatures_.end() ? nullptr : found->second;
  }
  Constant *define(const PtxVariable &variable) override {
    // Different functions may have variables of the same name.
    GlobalVariable *global =
        makePtxGlobal(module_, variable, current_->getName() + "." + variable.name);
    if (!global->isDeclaration())
      global->setLinkage(GlobalValue::InternalLinkage);
    return generic(initialise(global, variable, [&](StringRef name) { return find(name); }));
  }
  void report(const PtxError &error) override {
    if (problems_.size() < 100)
      problems_.push_back(error);
  }
  const PtxTarget &target() const override { return source_.target; }
  bool mayFuse() const override { return fuse_; }
  DebugLoc locate(PtxPlace place) override {
    if (has_lines_)
      return line_;
    // Before the first .loc; a line of the text, where there is none.
    return subprogram_->getFile() == file_
               ? DILocation::get(context_, place.line, place.column, subprogram_)
               : DILocation::get(context_, subprogram_->getLine(), 0, subprogram_);
  }
  void setLine(unsigned file, unsigned line, unsigned column) override {
    DIFile *made = fileOf(file);
    if (!made)
      return;
    DIScope *scope = made == subprogram_->getFile()
                         ? cast<DIScope>(subprogram_)
                         : debug_.createLexicalBlockFile(subprogram_, made);
    line_ = DILocation::get(context_, line, column, scope);
    has_lines_ = true;
  }

private:
  template <class Body> void attempt(PtxPlace place, Body body) {
    try {
      body();
    } catch (const PtxError &error) {
      report(PtxError(error.place.line ? error.place : place, error.what()));
    }
  }

  static Constant *generic(GlobalVariable *global) {
    return ConstantExpr::getAddrSpaceCast(global, PointerType::get(global->getContext(), 0));
  }

  void declareAll() {
    for (const PtxVariable &variable : source_.variables)
      attempt(variable.place, [&] { declareVariable(variable); });
    for (const PtxFunction &function : source_.functions)
      attempt(function.place, [&] { declareFunction(function); });
  }

  void declareVariable(const PtxVariable &variable) {
    if (variable.space == PtxVariable::Local)
      throw PtxError("a variable in local memory outside of functions");
    const auto known = variables_.try_emplace(variable.name, nullptr).first;
    GlobalVariable *earlier = known->second;
    if (earlier && variable.linkage == "extern")
      return;
    if (earlier && !earlier->isDeclaration())
      throw PtxError("Duplicate definition of variable '" + variable.name + "'");
    if (earlier)
      earlier->setName("");
    GlobalVariable *global = makePtxGlobal(module_, variable, variable.name);
    if (earlier) {
      earlier->replaceAllUsesWith(global);
      earlier->eraseFromParent();
    }
    known->second = global;
  }

  void setInitialValue(const PtxVariable &variable) {
    if (GlobalVariable *&global = variables_[variable.name]; global && variable.initial)
      global = initialise(global, variable, [&](StringRef name) { return find(name); });
  }

  GlobalValue::LinkageTypes linkageOf(const PtxFunction &function) {
    if (!function.has_body)
      return GlobalValue::ExternalLinkage;
    if (function.linkage == "weak")
      return GlobalValue::WeakAnyLinkage;
    return function.linkage.empty() && !function.is_kernel ? GlobalValue::InternalLinkage
                                                           : GlobalValue::ExternalLinkage;
  }

  void declareFunction(const PtxFunction &function) {
    if (variables_.contains(function.name))
      throw PtxError("Duplicate definition of function '" + function.name + "'");
    Function *known = module_.getFunction(function.name);
    if (!known) {
      known = Function::Create(functionType(function.signature, context_), linkageOf(function),
                               function.name, module_);
      if (known->getName() != function.name) // the name of a shared variable, or LLVM's own
        throw PtxError("Duplicate definition of function '" + function.name + "'");
      known->setAttributes(functionAttributes(function.signature, context_));
      known->addFnAttr(Attribute::Convergent);
      known->addFnAttr(Attribute::NoUnwind);
      // Recursion stays as it is written, and endless recursion ends with the stack: NVIDIA's
      // compilers make loops of it before there is PTX, if at all.
      known->addFnAttr("disable-tail-calls", "true");
      signatures_[function.name] = &function.signature;
    } else if (functionType(function.signature, context_) != known->getFunctionType()) {
      throw PtxError("Function '" + function.name + "' is declared differently before");
    }
    if (!function.has_body)
      return;
    if (!defined_.try_emplace(function.name, 0).second)
      throw PtxError("Duplicate definition of function '" + function.name + "'");
    known->setLinkage(linkageOf(function));
    signatures_[function.name] = &function.signature;
    if (function.is_kernel)
      annotate(*known, "kernel", 1);
    for (const auto &[name, numbers] : function.directives)
      addDirective(*known, name, numbers);
  }

  void annotate(Function &function, StringRef name, uint32_t value) {
    Metadata *operands[] = {
        ValueAsMetadata::get(&function), MDString::get(context_, name),
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context_), value))};
    module_.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(MDNode::get(context_, operands));
  }

  void addDirective(Function &function, StringRef name, ArrayRef<uint32_t> numbers) {
    if ((name == "maxntid" || name == "reqntid") && !numbers.empty()) {
      const char *axes[] = {"maxntidx", "maxntidy", "maxntidz"};
      for (size_t i = 0; i < numbers.size() && i < 3; ++i)
        annotate(function, axes[i], numbers[i]);
    } else if (name == "maxnreg" && !numbers.empty()) {
      annotate(function, "maxnreg", numbers[0]);
    } else if (name == "minnctapersm" && !numbers.empty()) {
      annotate(function, "minctasm", numbers[0]);
    } else if (name == "reqnctapercluster" && !numbers.empty()) {
      std::string dims;
      for (size_t i = 0; i < 3; ++i)
        dims += std::to_string(i < numbers.size() ? numbers[i] : 1) + ",";
      function.addFnAttr("heddle.cluster_dims", dims);
    }
  }

  /// The source with that number in .loc; null if no .file names it.
  DIFile *fileOf(unsigned number) {
    auto known = source_.files.find(number);
    if (known == source_.files.end())
      return nullptr;
    DIFile *&made = files_[number];
    if (!made)
      made = debug_.createFile(sys::path::filename(known->second),
                               sys::path::parent_path(known->second));
    return made;
  }

  // In the source of the function's first line if the text names one, else in the text itself.
  DISubprogram *describeFunction(const PtxFunction &function) {
    DIFile *file = file_;
    unsigned line = function.place.line;
    const auto first = find_if(function.body, [](const PtxStatement &statement) {
      return statement.kind == PtxStatement::Location;
    });
    if (first != function.body.end())
      if (DIFile *source = fileOf(unsigned(first->operands[0].integer))) {
        file = source;
        line = unsigned(first->operands[1].integer);
      }
    return debug_.createFunction(file, function.name, function.name, file, line,
                                 debug_.createSubroutineType(debug_.getOrCreateTypeArray({})), line,
                                 DINode::FlagZero,
                                 DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  }

  void emitBody(const PtxFunction &function) {
    current_ = module_.getFunction(function.name);
    if (!current_ || !current_->empty())
      return; // already reported
    has_lines_ = false;
    subprogram_ = describeFunction(function);
    current_->setSubprogram(subprogram_);
    AllocaInst *carry = nullptr;
    PtxEmitter emitter(*current_, function.signature, *this, carry);
    emitter.builder.SetCurrentDebugLocation(locate(function.place));
    emitter.run(function.body, {});
    if (!emitter.builder.GetInsertBlock()->getTerminator())
      emitter.emitReturn();
    if (!problems_.empty())
      return;
    removeUnreachableBlocks(*current_);
    dropInitialValues(*current_);
  }

  void addAlias(StringRef name, StringRef target) {
    Function *function = module_.getFunction(target), *alias = module_.getFunction(name);
    if (!function || function->isDeclaration())
      throw PtxError("Unknown symbol '" + target.str() + "'");
    if (!alias || !alias->isDeclaration() || alias == function)
      throw PtxError("'" + name.str() + "' is no declared function");
    alias->replaceAllUsesWith(function);
    alias->eraseFromParent();
    GlobalAlias::create(GlobalValue::ExternalLinkage, name, function);
  }

  void verify() {
    std::string text;
    raw_string_ostream stream(text);
    if (verifyModule(module_, &stream))
      report(PtxError({1, 1}, "internal error: " + text.substr(0, 400)));
  }

  const PtxModule &source_;
  const bool fuse_;
  Module &module_;
  LLVMContext &context_;
  DIBuilder debug_;
  DIFile *file_ = nullptr;
  DISubprogram *subprogram_ = nullptr;
  std::map<unsigned, DIFile *> files_;
  bool has_lines_ = false; // .loc has been seen in this function
  DebugLoc line_;
  Function *current_ = nullptr;
  StringMap<GlobalVariable *> variables_;
  StringMap<const PtxSignature *> signatures_;
  StringMap<int> defined_;
  std::vector<PtxError> problems_;
};

// "PTX source modules are ASCII text files" (PTX ISA, "Source Format"), comments too; names of
// files in quotes may be what the system has.
void refuseOtherLetters(StringRef text) {
  PtxPlace place{1, 1};
  bool quoted = false;
  for (const char c : text) {
    if (c == '\n') {
      place = {place.line + 1, 0};
      quoted = false;
    }
    ++place.column;
    quoted ^= c == '"';
    if (!quoted && static_cast<unsigned char>(c) >= 0x80)
      throw PtxError(place, "Unexpected non-ASCII character encountered on line " +
                                std::to_string(place.line));
  }
}

// The LLVM of Triton 3.9 counts the lines of inline PTX on from the statement's own,
// which it has named before: .loc there names lines that have nothing to do with it.
std::string withoutLinesOfInlinePtx(std::string text) {
  const std::string begin = "// begin inline asm", end = "// end inline asm", loc = "\t.loc\t";
  for (size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    const size_t last = std::min(text.find(end, at), text.size());
    for (at = text.find(loc, at); at < last; at = text.find(loc, at))
      for (; at < last && text[at] != '\n'; ++at)
        text[at] = ' ';
    at = last;
  }
  return text;
}

void checkGpu(const PtxModule &source, const std::optional<PtxTarget> &gpu) {
  if (!gpu || runsOn(source.target, *gpu))
    return;
  throw PtxError(source.target_place,
                 source.target.suffix
                     ? "Program with .target '" + source.target.name() +
                           "' cannot be compiled to architecture '" + gpu->name() + "'"
                     : "SM version specified by .target is higher than default SM version assumed");
}

} // namespace

PtxTranslation translatePtx(const std::string &text, const std::string &name, LLVMContext &context,
                            const PtxReading &reading) {
  PtxTranslation result;
  PtxModule source;
  try {
    refuseOtherLetters(text);
    source = parsePtxModule(withoutComments(withoutLinesOfInlinePtx(text)), name);
    checkGpu(source, reading.gpu);
  } catch (const PtxVersionError &error) {
    result.too_new = result.fatal = true;
    result.problems.push_back(error);
    return result;
  } catch (const PtxError &error) {
    result.fatal = true;
    result.problems.push_back(error);
    return result;
  }
  if (!source.problems.empty()) {
    result.problems = source.problems;
    return result;
  }
  if (!reading.gpu)
    result.code = "compute_" + source.target.name().substr(3);
  result.sm = reading.gpu ? reading.gpu->sm : source.target.sm;
  auto module = std::make_unique<Module>(name, context);
  module->setTargetTriple("nvptx64-nvidia-cuda");
  module->setDataLayout(data_layout);
  result.problems = Translator(source, name, *module, reading.fuse).run();
  if (result.problems.empty())
    result.module = std::move(module);
  return result;
}

} // namespace heddle
