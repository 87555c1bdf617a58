// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// helper_image.h: binary PGM (grey, P5) and PPM (colour, P6) images, plain data files, and
// comparisons with a tolerance, as NVIDIA's samples use them.
//
// A loader fills `*data` if it points at memory, and otherwise allocates it with malloc. Pixels of
// an integer type are 0…255; pixels of type float are 0…1.
#ifndef COMMON_HELPER_IMAGE_H_
#define COMMON_HELPER_IMAGE_H_

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "exception.h"
#include "helper_string.h"

#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

// ---- Pixels -----------------------------------------------------------------------------------

template <class T> struct HeddlePixel {
  static T fromByte(unsigned char byte) { return static_cast<T>(byte); }
  static unsigned char toByte(T pixel) { return static_cast<unsigned char>(pixel); }
};
template <> struct HeddlePixel<float> {
  static float fromByte(unsigned char byte) { return byte / 255.0f; }
  static unsigned char toByte(float pixel) { return static_cast<unsigned char>(pixel * 255.0f); }
};

template <class T>
inline void heddleStorePixels(const unsigned char *bytes, size_t count, T **data) {
  if (!*data)
    *data = static_cast<T *>(malloc(sizeof(T) * count));
  for (size_t i = 0; i < count; ++i)
    (*data)[i] = HeddlePixel<T>::fromByte(bytes[i]);
}

// ---- PGM and PPM ------------------------------------------------------------------------------

/// The next whitespace-separated header field, past comments ('#' to the end of the line).
inline std::string heddleImageHeaderField(std::istream &file) {
  std::string field;
  int c = file.get();
  while (c == '#' || isspace(c)) {
    if (c == '#')
      while (c != '\n' && c != EOF)
        c = file.get();
    c = file.get();
  }
  for (; c != EOF && !isspace(c); c = file.get())
    field += static_cast<char>(c);
  return field;
}

/// Reads a PGM (1 channel) or PPM (3 channels) file with at most 8 bits a sample.
inline bool __loadPPM(const char *file_name, unsigned char **data, unsigned int *width,
                      unsigned int *height, unsigned int *channels) {
  std::ifstream file(file_name, std::ios::binary);
  if (!file) {
    std::cerr << "__LoadPPM() : Failed to open file: " << file_name << std::endl;
    return false;
  }
  const std::string magic = heddleImageHeaderField(file);
  *channels = magic == "P5" ? 1 : magic == "P6" ? 3 : 0;
  if (*channels == 0) {
    std::cerr << "__LoadPPM() : File is not a binary PPM or PGM image: " << file_name << std::endl;
    return false;
  }
  const int columns = atoi(heddleImageHeaderField(file).c_str());
  const int rows = atoi(heddleImageHeaderField(file).c_str());
  const int maximum = atoi(heddleImageHeaderField(file).c_str());
  if (columns <= 0 || rows <= 0 || maximum <= 0 || maximum > 255) {
    std::cerr << "__LoadPPM() : Unsupported image header: " << file_name << std::endl;
    return false;
  }
  if (*data && *width && *height &&
      (*width != static_cast<unsigned>(columns) || *height != static_cast<unsigned>(rows))) {
    std::cerr << "__LoadPPM() : Invalid image dimensions." << std::endl;
    return false;
  }
  *width = columns;
  *height = rows;
  const size_t bytes = size_t(columns) * rows * *channels;
  if (!*data)
    *data = static_cast<unsigned char *>(malloc(bytes));
  if (!file.read(reinterpret_cast<char *>(*data), bytes)) {
    std::cerr << "__LoadPPM() : File is too short: " << file_name << std::endl;
    return false;
  }
  return true;
}

/// Writes a PGM (1 channel) or PPM (3 channels) file.
inline bool __savePPM(const char *file_name, unsigned char *data, unsigned int width,
                      unsigned int height, unsigned int channels) {
  assert(data && width > 0 && height > 0);
  if (channels != 1 && channels != 3) {
    std::cerr << "__savePPM() : Invalid number of channels." << std::endl;
    return false;
  }
  std::ofstream file(file_name, std::ios::binary);
  file << (channels == 1 ? "P5\n" : "P6\n") << width << "\n" << height << "\n" << 255 << "\n";
  file.write(reinterpret_cast<char *>(data), size_t(width) * height * channels);
  file.flush();
  if (!file) {
    std::cerr << "__savePPM() : Writing data failed: " << file_name << std::endl;
    return false;
  }
  return true;
}

template <class T>
inline bool heddleLoadImage(const char *file, T **data, unsigned int *w, unsigned int *h,
                            unsigned int wanted_channels) {
  unsigned char *bytes = nullptr;
  unsigned int channels = 0;
  bool loaded = __loadPPM(file, &bytes, w, h, &channels);
  if (loaded && channels != wanted_channels) {
    std::cerr << "Image has " << channels << " channel(s), not " << wanted_channels << ": " << file
              << std::endl;
    loaded = false;
  }
  if (loaded)
    heddleStorePixels(bytes, size_t(*w) * *h * channels, data);
  free(bytes);
  return loaded;
}

template <class T>
inline bool heddleSaveImage(const char *file, const T *data, unsigned int w, unsigned int h,
                            unsigned int channels) {
  std::vector<unsigned char> bytes(size_t(w) * h * channels);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = HeddlePixel<T>::toByte(data[i]);
  return __savePPM(file, bytes.data(), w, h, channels);
}

template <class T>
inline bool sdkLoadPGM(const char *file, T **data, unsigned int *w, unsigned int *h) {
  return heddleLoadImage(file, data, w, h, 1);
}
template <class T>
inline bool sdkLoadPPM(const char *file, T **data, unsigned int *w, unsigned int *h) {
  return heddleLoadImage(file, data, w, h, 3);
}
template <class T>
inline bool sdkSavePGM(const char *file, T *data, unsigned int w, unsigned int h) {
  return heddleSaveImage(file, data, w, h, 1);
}
template <class T>
inline bool sdkSavePPM(const char *file, T *data, unsigned int w, unsigned int h) {
  return heddleSaveImage(file, data, w, h, 3);
}

/// Loads a PPM with a fourth byte a pixel, which is zero. `fourth` may ask for another value.
inline bool sdkLoadPPM4ub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h,
                          unsigned char fourth = 0) {
  unsigned char *rgb = nullptr;
  if (!heddleLoadImage(file, &rgb, w, h, 3))
    return false;
  const size_t pixels = size_t(*w) * *h;
  if (!*data)
    *data = static_cast<unsigned char *>(malloc(pixels * 4));
  for (size_t i = 0; i < pixels; ++i) {
    memcpy(*data + 4 * i, rgb + 3 * i, 3);
    (*data)[4 * i + 3] = fourth;
  }
  free(rgb);
  return true;
}

template <class T>
inline bool sdkLoadPPM4(const char *file, T **data, unsigned int *w, unsigned int *h) {
  unsigned char *rgba = nullptr;
  if (!sdkLoadPPM4ub(file, &rgba, w, h))
    return false;
  heddleStorePixels(rgba, size_t(*w) * *h * 4, data);
  free(rgba);
  return true;
}

/// Saves four-byte pixels as a PPM, without the fourth byte.
inline bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned int w, unsigned int h) {
  const size_t pixels = size_t(w) * h;
  std::vector<unsigned char> rgb(pixels * 3);
  for (size_t i = 0; i < pixels; ++i)
    memcpy(&rgb[3 * i], data + 4 * i, 3);
  return __savePPM(file, rgb.data(), w, h, 3);
}

// ---- Data files -------------------------------------------------------------------------------

/// Reads all whitespace-separated values of a text file. `*len` is checked if `*data` is given.
template <class T>
inline bool sdkReadFile(const char *filename, T **data, unsigned int *len, bool verbose) {
  assert(filename && len);
  std::ifstream file(filename);
  if (!file) {
    if (verbose)
      std::cerr << "sdkReadFile() : Opening file failed: " << filename << std::endl;
    return false;
  }
  std::vector<T> values;
  T value;
  while (file >> value)
    values.push_back(value);
  if (!file.eof()) {
    std::cerr << "sdkReadFile() : Reading failed: " << filename << std::endl;
    return false;
  }
  if (*data && *len != values.size()) {
    std::cerr << "sdkReadFile() : Initialized memory given but size mismatch with signal read "
              << "(data read / data init = " << values.size() << " / " << *len << ")" << std::endl;
    return false;
  }
  if (!*data)
    *data = static_cast<T *>(malloc(sizeof(T) * values.size()));
  *len = static_cast<unsigned int>(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    (*data)[i] = values[i];
  return true;
}

/// Reads block number `block_num` of `block_size` raw values into data[block_num].
template <class T>
inline bool sdkReadFileBlocks(const char *filename, T **data, unsigned int *len,
                              unsigned int block_num, unsigned int block_size, bool verbose) {
  assert(filename && data && data[block_num]);
  std::ifstream file(filename, std::ios::binary);
  if (!file) {
    if (verbose)
      std::cerr << "sdkReadFile() : Opening file failed: " << filename << std::endl;
    return false;
  }
  file.seekg(std::streamoff(block_num) * block_size * sizeof(T));
  file.read(reinterpret_cast<char *>(data[block_num]), std::streamsize(block_size) * sizeof(T));
  if (len)
    *len = static_cast<unsigned int>(file.gcount() / sizeof(T));
  return file.gcount() > 0;
}

/// Writes values as text, separated by spaces, after a line that names the tolerance.
template <class T, class S>
inline bool sdkWriteFile(const char *filename, const T *data, unsigned int len, const S epsilon,
                         bool verbose, bool append = false) {
  assert(filename && data);
  std::ofstream file(filename, append ? std::ios::app : std::ios::out);
  if (!file) {
    if (verbose)
      std::cerr << "sdkWriteFile() : Opening file failed: " << filename << std::endl;
    return false;
  }
  file << "# " << epsilon << "\n";
  for (unsigned int i = 0; i < len; ++i)
    file << data[i] << ' ';
  file << std::endl;
  return file.good();
}

/// Writes raw bytes.
inline void sdkDumpBin(void *data, unsigned int bytes, const char *filename) {
  printf("sdkDumpBin: <%s>\n", filename);
  FILE *file = fopen(filename, "wb");
  if (!file)
    return;
  fwrite(data, bytes, 1, file);
  fclose(file);
}

// ---- Comparisons ------------------------------------------------------------------------------

/// True if at most `threshold` (a fraction of len; 0: none) of the values differ by more than
/// `epsilon`.
template <class T, class S>
inline bool compareData(const T *reference, const T *data, const unsigned int len, const S epsilon,
                        const float threshold) {
  size_t errors = 0;
  for (unsigned int i = 0; i < len; ++i) {
    const double difference = double(reference[i]) - double(data[i]);
    if (!(fabs(difference) <= double(epsilon)))
      ++errors;
  }
  const bool same = threshold == 0.0f ? errors == 0 : errors <= double(len) * threshold;
  if (!same)
    printf("%4.2f(%%) of bytes mismatched (count=%d)\n", errors * 100.0 / len,
           static_cast<int>(errors));
  return same;
}

#ifndef MIN_EPSILON_ERROR
#define MIN_EPSILON_ERROR 1e-3f
#endif

/// The same, with a tolerance that is at least MIN_EPSILON_ERROR.
template <class T, class S>
inline bool compareDataAsFloatThreshold(const T *reference, const T *data, const unsigned int len,
                                        const S epsilon, const float threshold) {
  const double tolerance = MAX(double(epsilon), double(MIN_EPSILON_ERROR));
  size_t errors = 0;
  for (unsigned int i = 0; i < len; ++i)
    if (!(fabs(double(reference[i]) - double(data[i])) < tolerance))
      ++errors;
  if (threshold == 0.0f) {
    if (errors)
      printf("total # of errors = %d\n", static_cast<int>(errors));
    return errors == 0;
  }
  if (errors)
    printf("%4.2f(%%) of bytes mismatched (count=%d)\n", errors * 100.0 / len,
           static_cast<int>(errors));
  return errors < double(len) * threshold;
}

inline bool compareData(const float *reference, const float *data, const unsigned int len,
                        const float epsilon) {
  return compareData(reference, data, len, epsilon, 0.0f);
}

/// True if |data - reference| / |reference| < epsilon in the Euclidean norm.
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int len,
                           const float epsilon) {
  assert(epsilon >= 0);
  double error = 0, norm = 0;
  for (unsigned int i = 0; i < len; ++i) {
    const double difference = double(reference[i]) - double(data[i]);
    error += difference * difference;
    norm += double(reference[i]) * double(reference[i]);
  }
  if (norm < 1e-7 * 1e-7) {
    std::cerr << "ERROR, reference l2-norm is 0\n";
    return false;
  }
  return sqrt(error) / sqrt(norm) < epsilon;
}

template <class T>
inline bool heddleCompareBinaryFiles(const char *source, const char *reference, unsigned int count,
                                     const float epsilon, const float threshold,
                                     char *executable_path) {
  std::vector<T> values[2] = {std::vector<T>(count), std::vector<T>(count)};
  char *paths[2] = {strdup(source), sdkFindFilePath(reference, executable_path)};
  bool read = true;
  for (int i = 0; i < 2; ++i) {
    std::ifstream file(paths[i] ? paths[i] : "", std::ios::binary);
    if (!file.read(reinterpret_cast<char *>(values[i].data()), sizeof(T) * size_t(count))) {
      printf("compareBin2Bin unable to read %u values from <%s>\n", count,
             i == 0 ? source : reference);
      read = false;
    }
    free(paths[i]);
  }
  return read && compareData(values[1].data(), values[0].data(), count, epsilon, threshold);
}

inline bool sdkCompareBin2BinUint(const char *source, const char *reference, unsigned int count,
                                  const float epsilon, const float threshold,
                                  char *executable_path) {
  return heddleCompareBinaryFiles<unsigned int>(source, reference, count, epsilon, threshold,
                                                executable_path);
}

inline bool sdkCompareBin2BinFloat(const char *source, const char *reference, unsigned int count,
                                   const float epsilon, const float threshold,
                                   char *executable_path) {
  return heddleCompareBinaryFiles<float>(source, reference, count, epsilon, threshold,
                                         executable_path);
}

inline bool heddleCompareImages(const char *source, const char *reference, unsigned int channels,
                                const float epsilon, const float threshold) {
  unsigned char *pixels[2] = {nullptr, nullptr};
  unsigned int w[2] = {0, 0}, h[2] = {0, 0};
  bool same = heddleLoadImage(source, &pixels[0], &w[0], &h[0], channels) &&
              heddleLoadImage(reference, &pixels[1], &w[1], &h[1], channels);
  if (same && (w[0] != w[1] || h[0] != h[1])) {
    std::cerr << "Image sizes differ: " << w[0] << "x" << h[0] << " and " << w[1] << "x" << h[1]
              << std::endl;
    same = false;
  }
  same = same && compareData(pixels[1], pixels[0], w[0] * h[0] * channels, epsilon, threshold);
  free(pixels[0]);
  free(pixels[1]);
  return same;
}

inline bool sdkComparePPM(const char *source, const char *reference, const float epsilon,
                          const float threshold, bool verbose = false) {
  if (verbose)
    std::cout << "> Compare (a)rendered:  <" << source << ">, (b)reference: <" << reference
              << ">\n";
  return heddleCompareImages(source, reference, 3, epsilon, threshold);
}

inline bool sdkComparePGM(const char *source, const char *reference, const float epsilon,
                          const float threshold, bool verbose = false) {
  if (verbose)
    std::cout << "> Compare (a)rendered:  <" << source << ">, (b)reference: <" << reference
              << ">\n";
  return heddleCompareImages(source, reference, 1, epsilon, threshold);
}

#endif
