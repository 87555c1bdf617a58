// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// helper_string.h: command-line arguments and data files, as NVIDIA's samples ask for them.
//
// A sample is called as `prog -n=1024 --file=lena.pgm -verbose`. One or more leading dashes, names
// compared without regard to case, a value after '='. sdkFindFilePath looks for a data file near
// the working directory and near the program.
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <fstream>
#include <string>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(destination, length, source) strcpy(destination, source)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(result) (result == NULL)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif

// The exit code by which a sample says "not applicable here".
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/// The index of the first character of `text` that is not `delimiter`.
inline int stringRemoveDelimiter(char delimiter, const char *text) {
  int start = 0;
  while (text[start] == delimiter)
    ++start;
  return start;
}

/// Sets `extension` to what follows the last dot of `filename` and gives that dot's index, or 0.
inline int getFileExtension(char *filename, char **extension) {
  char *dot = strrchr(filename, '.');
  if (!dot) {
    *extension = NULL;
    return 0;
  }
  *extension = dot + 1;
  return static_cast<int>(dot - filename);
}

/// True if `name` is given, with or without a value.
inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name) {
  const size_t length = strlen(name);
  for (int i = 1; i < argc; ++i) {
    const int start = stringRemoveDelimiter('-', argv[i]);
    const char *argument = argv[i] + start;
    if (start > 0 && !strncasecmp(argument, name, length) &&
        (argument[length] == '\0' || argument[length] == '='))
      return true;
  }
  return false;
}

/// The text after `-name=`, or after `-name` where a number follows directly (`-n16`). NULL if the
/// argument is not given; empty if it has no value. The last one given wins.
inline const char *heddleFindArgumentValue(const int argc, const char **argv, const char *name) {
  const size_t length = strlen(name);
  const char *value = NULL;
  for (int i = 1; i < argc; ++i) {
    const int start = stringRemoveDelimiter('-', argv[i]);
    const char *argument = argv[i] + start;
    if (start == 0 || strncasecmp(argument, name, length))
      continue;
    const char *rest = argument + length;
    if (*rest == '=')
      value = rest + 1;
    else if (*rest == '\0' || isdigit(static_cast<unsigned char>(*rest)) || *rest == '-' ||
             *rest == '+' || *rest == '.')
      value = rest;
  }
  return value;
}

template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, T *value) {
  const char *text = heddleFindArgumentValue(argc, argv, name);
  if (text)
    *value = static_cast<T>(atof(text));
  return text != NULL;
}

/// The value of `-name=`, or 0.
inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name) {
  const char *text = heddleFindArgumentValue(argc, argv, name);
  return text ? atoi(text) : 0;
}

/// The value of `-name=`, or 0.
inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name) {
  const char *text = heddleFindArgumentValue(argc, argv, name);
  return text ? static_cast<float>(atof(text)) : 0.0f;
}

/// Points `*value` at the text after `-name=`; false and NULL if it is not given.
inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name,
                                     char **value) {
  const size_t length = strlen(name);
  *value = NULL;
  for (int i = 1; i < argc; ++i) {
    const int start = stringRemoveDelimiter('-', argv[i]);
    const char *argument = argv[i] + start;
    if (start > 0 && !strncasecmp(argument, name, length) && argument[length] == '=')
      *value = const_cast<char *>(argument + length + 1);
  }
  return *value != NULL;
}

/// Looks for a data file in the working directory, the program's directory, and in `data/`,
/// `<program>_data_files/` and `Common/data/` there and up to five levels above. Gives a path
/// allocated with malloc, or NULL.
inline char *sdkFindFilePath(const char *filename, const char *executable_path) {
  if (!filename)
    return NULL;
  std::string program, directory;
  if (executable_path) {
    program = executable_path;
    const size_t slash = program.find_last_of('/');
    if (slash != std::string::npos) {
      directory = program.substr(0, slash + 1);
      program.erase(0, slash + 1);
    }
  }
  const std::string subfolders[] = {"",
                                    "data/",
                                    program + "_data_files/",
                                    program + "/",
                                    program + "/data/",
                                    "Common/",
                                    "Common/data/",
                                    "common/",
                                    "common/data/"};
  std::string up;
  for (int level = 0; level <= 5; ++level, up += "../") {
    for (const std::string &root : {up, directory + up}) {
      for (const std::string &subfolder : subfolders) {
        const std::string candidate = root + subfolder + filename;
        std::ifstream file(candidate.c_str());
        if (file.good() && file.peek() != std::ifstream::traits_type::eof())
          return strdup(candidate.c_str());
      }
    }
  }
  return NULL;
}

#endif
