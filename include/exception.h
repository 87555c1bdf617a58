// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exception.h: exceptions that remember where they were thrown, as NVIDIA's samples throw them:
// RUNTIME_EXCEPTION("text"), LOGIC_EXCEPTION("text"), RANGE_EXCEPTION("text").
#ifndef COMMON_EXCEPTION_H_
#define COMMON_EXCEPTION_H_

#include <stdlib.h>

#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

/// A standard exception with the place that threw it in front of its text.
template <class StandardException> class Exception : public StandardException {
public:
  [[noreturn]] static void throw_it(const char *file, const int line, const char *detail) {
    throw Exception(describe(file, line, detail));
  }
  [[noreturn]] static void throw_it(const char *file, const int line, const std::string &detail) {
    throw_it(file, line, detail.c_str());
  }
  virtual ~Exception() throw() {}

private:
  Exception() : StandardException("Unknown Exception.\n") {}
  explicit Exception(const std::string &text) : StandardException(text) {}

  static std::string describe(const char *file, int line, const char *detail) {
    std::ostringstream text;
    text << "Exception in file '" << file << "' in line " << line << "\n"
         << "Detailed description: " << detail << "\n";
    return text.str();
  }
};

/// Prints an exception and ends the program.
template <class AnyException> inline void handleException(const AnyException &exception) {
  std::cerr << exception.what() << std::endl;
  exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(msg) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, msg)
#define LOGIC_EXCEPTION(msg) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, msg)
#define RANGE_EXCEPTION(msg) Exception<std::range_error>::throw_it(__FILE__, __LINE__, msg)

#endif
