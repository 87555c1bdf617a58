// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/compile.h"
#include "frontend/native_code.h"
#include "frontend/runtime/runtime_source.h"
#include "module/linking/device_object.h"
#include "rtc/compiler/requests.h"
#include "support/hash.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstdio>
#include <fmt/format.h>

namespace heddle::rtc {
namespace {

frontend::RuntimeSource readSource(const Message &request) {
  frontend::RuntimeSource source;
  source.name = request.first("name");
  source.text = request.first("source");
  const auto names = request.all("header-name"), texts = request.all("header-text");
  for (size_t i = 0; i < names.size() && i < texts.size(); ++i)
    source.headers.emplace_back(names[i], texts[i]);
  source.expressions = request.all("expression");
  source.all_for_device = !request.first("default-device").empty();
  return source;
}

} // namespace

Message compileSource(const Message &request) {
  const std::vector<std::string> make = request.all("make");
  frontend::Options options = frontend::parseOptions(request.all("option"));
  options.at_run_time = true;
  options.cuda = std::stoi(request.first("cuda"));
  if (llvm::is_contained(make, "ltoir"))
    options.rdc = true;
  // Our image has lines for messages; PTX only has them where they are asked for.
  options.action = options.lines && make.size() == 1 && make[0] == "ptx" ? frontend::Action::Ptx
                                                                         : frontend::Action::Image;
  const frontend::RuntimeSource source = readSource(request);
  llvm::LLVMContext context;
  frontend::RuntimeModule compiled = frontend::compileRuntimeSource(options, source, context);
  Message answer;
  if (!compiled.module) {
    answer.add("status", "errors");
    return answer;
  }
  for (const std::string &symbol : compiled.symbols)
    answer.add("symbol", symbol);
  for (const std::string &file : compiled.files)
    answer.add("file", file);
  // Each of them changes the module.
  for (const std::string &kind : make) {
    const auto module =
        &kind == &make.back() ? std::move(compiled.module) : llvm::CloneModule(*compiled.module);
    if (kind == "ptx") {
      answer.add("ptx", emitPtx(*module, frontend::ptxOptions(options, source.name)));
    } else if (kind == "ltoir" || options.rdc) {
      DeviceObjectInfo info;
      info.id = contentHash(source.name + '\n' + source.text).substr(0, 16);
      info.source = source.name;
      info.archs = options.archs;
      info.debug = options.debug_device;
      info.optimize = unsigned(options.device_optimize);
      const PrepareOptions checks = frontend::prepareOptions(options, source.name);
      answer.add(kind, makeDeviceObject(*module, info, true, &checks));
    } else {
      answer.add("cubin",
                 prepareImage(*module, frontend::prepareOptions(options, source.name)).bytes);
    }
  }
  return answer;
}

} // namespace heddle::rtc
