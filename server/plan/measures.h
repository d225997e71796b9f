// What a query costs, estimated or measured.
#pragma once

#include <cstdint>

namespace freqstore {

/// Seconds are of one thread, summed over threads, but for elapsed_seconds.
struct Measures {
  uint64_t rows = 0;
  uint64_t column_bytes = 0;  ///< from the `columns` family
  uint64_t delta_bytes = 0;   ///< from the delta
  uint64_t result_bytes = 0;
  double storage_seconds = 0;
  double decode_seconds = 0;
  double render_seconds = 0;
  double model_seconds = 0;
  double send_seconds = 0;
  double elapsed_seconds = 0;
};

/// The work behind the seconds.
struct WorkAmounts {
  uint64_t bytes = 0;         ///< read
  uint64_t values = 0;        ///< coefficients decoded
  uint64_t render_units = 0;  ///< coefficients used plus pixels made
  uint64_t model_images = 0;
  uint64_t result_bytes = 0;

  WorkAmounts& operator+=(const WorkAmounts& other) {
    bytes += other.bytes;
    values += other.values;
    render_units += other.render_units;
    model_images += other.model_images;
    result_bytes += other.result_bytes;
    return *this;
  }
};

}  // namespace freqstore
