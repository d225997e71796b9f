// libjpeg-turbo's coefficient reader, behind a boundary that its longjmp does not cross. Private to
// storage/jpeg.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>

// libjpeg's header needs <cstdio> before it.
#include <jpeglib.h>

#include "storage/base/coding.h"
#include "storage/base/coefficient_planes.h"

namespace freqstore {

/// Reads one file. Call in order: ReadHeader, ReadCoefficients, CopyPlanes. Each returns false where
/// libjpeg-turbo gave up; then only the accessors may be used. Not thread-safe. Prints nothing.
class LibjpegDecoder {
 public:
  LibjpegDecoder();
  ~LibjpegDecoder();
  LibjpegDecoder(const LibjpegDecoder&) = delete;
  LibjpegDecoder& operator=(const LibjpegDecoder&) = delete;

  /// Reads up to the first scan; takes no memory for coefficients. `file` must outlive the decoder.
  bool ReadHeader(Bytes file);

  /// Reads all scans, `scans_max` at most.
  bool ReadCoefficients(uint32_t scans_max);

  /// Copies the coefficients of a component, all 64 frequencies, in raster order without the padding of its
  /// last MCUs.
  bool CopyPlanes(int component, CoefficientPlanes& planes);

  /// Size, components, colour space and tables, as far as they have been read.
  const jpeg_decompress_struct& info() const { return state_.info; }

  int error_code() const { return state_.errors.msg_code; }  ///< J_MESSAGE_CODE of <jerror.h>
  const char* error_message() const { return state_.message; }
  bool scans_exceeded() const { return state_.scans_exceeded; }

  uint32_t warnings() const { return state_.warnings; }
  bool truncated() const { return state_.truncated; }  ///< a warning said that data ended early

 private:
  /// Plain data: longjmp passes over it.
  struct State {
    jpeg_decompress_struct info;
    jpeg_error_mgr errors;
    jpeg_progress_mgr progress;
    std::jmp_buf on_error;
    char message[JMSG_LENGTH_MAX];
    uint32_t warnings;
    uint32_t scans_max;
    bool truncated;
    bool scans_exceeded;

    const uint8_t* file;
    size_t file_bytes;
    jvirt_barray_ptr* coefficients;
    int component;
    int16_t* planes[DCTSIZE2];  // by natural index
  };

  static bool Run(State* state, void (*step)(State*));
  static void ReadHeaderStep(State* state);
  static void ReadCoefficientsStep(State* state);
  static void CopyPlanesStep(State* state);
  static void OnError(j_common_ptr info);
  static void OnMessage(j_common_ptr info, int level);
  static void OnProgress(j_common_ptr info);

  State state_;
};

}  // namespace freqstore
