// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compress.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <jpeglib.h>

namespace heddle::nvjpeg {
namespace {

// As in decompress.cpp: libjpeg tells errors by a jump.
struct Errors : jpeg_error_mgr {
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX] = "";
};

void fail(j_common_ptr info) {
  auto *errors = static_cast<Errors *>(info->err);
  errors->format_message(info, errors->text);
  std::longjmp(errors->back, 1);
}
void say(j_common_ptr, int) {}

void install(Errors &errors, jpeg_error_mgr *&place) {
  place = jpeg_std_error(&errors);
  errors.error_exit = fail;
  errors.emit_message = say;
}

int ceiling(int a, int b) { return (a + b - 1) / b; }

class Compressor {
public:
  Compressor(const Source &source, const Encoding &encoding)
      : source_(source), encoding_(encoding) {
    install(errors_, info_.err);
  }
  ~Compressor() {
    jpeg_destroy_compress(&info_);
    std::free(memory_);
  }

  bool run(std::vector<unsigned char> &file) {
    rows_.resize(size_t(source_.width) * 3);
    if (setjmp(errors_.back))
      return false;
    jpeg_create_compress(&info_);
    jpeg_mem_dest(&info_, &memory_, &size_);
    describe();
    jpeg_start_compress(&info_, TRUE);
    for (const auto &one : encoding_.metadata)
      jpeg_write_marker(&info_, one[0], one.data() + 1, unsigned(one.size() - 1));
    source_.colours ? writeColours() : writeComponents();
    jpeg_finish_compress(&info_);
    file.assign(memory_, memory_ + size_);
    return true;
  }
  const char *error() const { return errors_.text; }

private:
  void describe();
  void setTables();
  void gatherRow(int row);
  void writeColours();
  void writeComponents();
  unsigned char sample(int component, int x, int y) const;

  const Source &source_;
  const Encoding &encoding_;
  jpeg_compress_struct info_{};
  Errors errors_{};
  unsigned char *memory_ = nullptr;
  unsigned long size_ = 0;
  std::vector<unsigned char> rows_;
  std::vector<std::vector<unsigned char>> group_;
  std::vector<std::vector<JSAMPROW>> arrays_;
};

void Compressor::describe() {
  info_.image_width = unsigned(source_.width);
  info_.image_height = unsigned(source_.height);
  info_.input_components = 3;
  info_.in_color_space = source_.colours ? JCS_RGB : JCS_YCbCr;
  const bool gray = encoding_.subsampling == NVJPEG_CSS_GRAY;
  if (gray && !source_.colours) {
    info_.input_components = 1;
    info_.in_color_space = JCS_GRAYSCALE;
  }
  jpeg_set_defaults(&info_);
  jpeg_set_colorspace(&info_, gray ? JCS_GRAYSCALE : JCS_YCbCr);
  jpeg_set_quality(&info_, encoding_.quality, TRUE);
  info_.optimize_coding = encoding_.optimized;
  factorsOf(encoding_.subsampling, info_.comp_info[0].h_samp_factor,
            info_.comp_info[0].v_samp_factor);
  if (encoding_.progressive)
    jpeg_simple_progression(&info_);
  info_.raw_data_in = !source_.colours;
  setTables();
}

void Compressor::setTables() {
  for (int i = 0; encoding_.quant && i < NUM_QUANT_TBLS; ++i)
    if (const auto &table = (*encoding_.quant)[size_t(i)]) {
      if (!info_.quant_tbl_ptrs[i])
        info_.quant_tbl_ptrs[i] = jpeg_alloc_quant_table(reinterpret_cast<j_common_ptr>(&info_));
      std::copy(table->begin(), table->end(), info_.quant_tbl_ptrs[i]->quantval);
    }
  const auto set = [&](const auto &tables, JHUFF_TBL **places) {
    for (int i = 0; i < NUM_HUFF_TBLS; ++i)
      if (const auto &table = tables[size_t(i)]) {
        if (!places[i])
          places[i] = jpeg_alloc_huff_table(reinterpret_cast<j_common_ptr>(&info_));
        std::copy(std::begin(table->bits), std::end(table->bits), places[i]->bits);
        std::copy(std::begin(table->values), std::end(table->values), places[i]->huffval);
      }
  };
  if (encoding_.huffman && !encoding_.optimized && !encoding_.progressive) {
    set(encoding_.huffman->dc, info_.dc_huff_tbl_ptrs);
    set(encoding_.huffman->ac, info_.ac_huff_tbl_ptrs);
  }
}

// A row as red, green, blue.
void Compressor::gatherRow(int row) {
  const nvjpegInputFormat_t format = *source_.colours;
  const bool blue_first = format == NVJPEG_INPUT_BGR || format == NVJPEG_INPUT_BGRI;
  const bool apart = format == NVJPEG_INPUT_RGB || format == NVJPEG_INPUT_BGR;
  for (int channel = 0; channel < 3; ++channel) {
    const int place = blue_first ? 2 - channel : channel;
    const int plane = apart ? place : 0;
    const unsigned char *from = source_.image.channel[plane] +
                                size_t(row) * source_.image.pitch[plane] + (apart ? 0 : place);
    for (int x = 0; x < source_.width; ++x)
      rows_[size_t(3 * x + channel)] = from[x * (apart ? 1 : 3)];
  }
}

void Compressor::writeColours() {
  for (int row = 0; row < source_.height; ++row) {
    gatherRow(row);
    JSAMPROW one = rows_.data();
    jpeg_write_scanlines(&info_, &one, 1);
  }
}

// The mean of what the source has for a sample of the file: both may be subsampled, each in its
// way.
unsigned char Compressor::sample(int component, int x, int y) const {
  int to_h = 1, to_v = 1, from_h = 1, from_v = 1;
  if (component > 0) {
    if (source_.subsampling == NVJPEG_CSS_GRAY)
      return 128;
    factorsOf(encoding_.subsampling, to_h, to_v);
    factorsOf(source_.subsampling, from_h, from_v);
  }
  const int width = ceiling(source_.width, from_h), height = ceiling(source_.height, from_v);
  const int first_x = x * to_h / from_h, first_y = y * to_v / from_v;
  const int count_x = std::max(1, to_h / from_h), count_y = std::max(1, to_v / from_v);
  int sum = 0;
  for (int j = 0; j < count_y; ++j)
    for (int i = 0; i < count_x; ++i)
      sum += source_.image.channel[component][size_t(std::min(first_y + j, height - 1)) *
                                                  source_.image.pitch[component] +
                                              size_t(std::min(first_x + i, width - 1))];
  return static_cast<unsigned char>((sum + count_x * count_y / 2) / (count_x * count_y));
}

void Compressor::writeComponents() {
  const int components = info_.num_components;
  group_.resize(size_t(components));
  arrays_.resize(size_t(components));
  JSAMPARRAY arrays[MAX_COMPONENTS];
  for (int c = 0; c < components; ++c) {
    const jpeg_component_info &component = info_.comp_info[c];
    const size_t width = size_t(component.width_in_blocks) * DCTSIZE;
    const size_t rows = size_t(component.v_samp_factor) * DCTSIZE;
    group_[size_t(c)].resize(width * rows);
    arrays_[size_t(c)].resize(rows);
    for (size_t row = 0; row < rows; ++row)
      arrays_[size_t(c)][row] = group_[size_t(c)].data() + row * width;
    arrays[c] = arrays_[size_t(c)].data();
  }
  const unsigned lines = unsigned(info_.max_v_samp_factor) * DCTSIZE;
  for (int group = 0; info_.next_scanline < info_.image_height; ++group) {
    for (int c = 0; c < components; ++c) {
      const auto &rows = arrays_[size_t(c)];
      const int width = int(info_.comp_info[c].width_in_blocks) * DCTSIZE;
      const int last_x =
          ceiling(source_.width * info_.comp_info[c].h_samp_factor, info_.max_h_samp_factor) - 1;
      const int last_y =
          ceiling(source_.height * info_.comp_info[c].v_samp_factor, info_.max_v_samp_factor) - 1;
      for (size_t row = 0; row < rows.size(); ++row)
        for (int x = 0; x < width; ++x)
          rows[row][x] =
              sample(c, std::min(x, last_x), std::min(group * int(rows.size()) + int(row), last_y));
    }
    jpeg_write_raw_data(&info_, arrays, lines);
  }
}

} // namespace

bool readTables(Bytes file, QuantTables &quant, HuffmanTables &huffman) {
  jpeg_decompress_struct info{};
  Errors errors{};
  install(errors, info.err);
  if (setjmp(errors.back)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, file.data, static_cast<unsigned long>(file.size));
  jpeg_read_header(&info, TRUE);
  for (int i = 0; i < NUM_QUANT_TBLS; ++i)
    if (const JQUANT_TBL *table = info.quant_tbl_ptrs[i])
      std::copy_n(table->quantval, 64, quant[size_t(i)].emplace().begin());
  const auto copy = [](JHUFF_TBL *const *tables, auto &to) {
    for (int i = 0; i < NUM_HUFF_TBLS; ++i)
      if (const JHUFF_TBL *table = tables[i]) {
        HuffmanTable &one = to[size_t(i)].emplace();
        std::copy_n(table->bits, 17, one.bits);
        std::copy_n(table->huffval, 256, one.values);
      }
  };
  copy(info.dc_huff_tbl_ptrs, huffman.dc);
  copy(info.ac_huff_tbl_ptrs, huffman.ac);
  jpeg_destroy_decompress(&info);
  return true;
}

nvjpegStatus_t compress(const Source &source, const Encoding &encoding,
                        std::vector<unsigned char> &file, std::string &why) {
  try {
    Compressor compressor(source, encoding);
    if (compressor.run(file))
      return NVJPEG_STATUS_SUCCESS;
    why = compressor.error();
    return NVJPEG_STATUS_EXECUTION_FAILED;
  } catch (const std::bad_alloc &) {
    why = "there is no memory for the image";
    return NVJPEG_STATUS_ALLOCATOR_FAILURE;
  }
}

} // namespace heddle::nvjpeg
