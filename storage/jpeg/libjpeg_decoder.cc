#include "storage/jpeg/libjpeg_decoder.h"

#include <algorithm>
#include <jerror.h>

#include "storage/jpeg/block_transpose.h"

namespace freqstore {

LibjpegDecoder::LibjpegDecoder() : state_{} {
  state_.info.err = jpeg_std_error(&state_.errors);
  state_.errors.error_exit = OnError;
  state_.errors.emit_message = OnMessage;
  state_.errors.output_message = [](j_common_ptr) {};
  state_.progress.progress_monitor = OnProgress;
  state_.info.client_data = &state_;
}

// Safe in every state: libjpeg destroys what was created, and nothing where nothing was.
LibjpegDecoder::~LibjpegDecoder() {
  jpeg_destroy_decompress(&state_.info);
}

bool LibjpegDecoder::ReadHeader(Bytes file) {
  state_.file = file.data();
  state_.file_bytes = file.size();
  return Run(&state_, ReadHeaderStep);
}

bool LibjpegDecoder::ReadCoefficients(uint32_t scans_max) {
  state_.scans_max = scans_max;
  return Run(&state_, ReadCoefficientsStep);
}

bool LibjpegDecoder::CopyPlanes(int component, CoefficientPlanes& planes) {
  state_.component = component;
  for (int z = 0; z < kFrequencies; ++z) {
    state_.planes[kZigzagToNatural[static_cast<size_t>(z)]] = planes.plane(z).data();
  }
  return Run(&state_, CopyPlanesStep);
}

// The one setjmp. libjpeg-turbo leaves a step by longjmp to here, so neither this function nor a step may own
// anything that has a destructor.
bool LibjpegDecoder::Run(State* state, void (*step)(State*)) {
  if (setjmp(state->on_error) != 0) return false;
  step(state);
  return true;
}

void LibjpegDecoder::ReadHeaderStep(State* state) {
  jpeg_create_decompress(&state->info);
  state->info.progress = &state->progress;
  jpeg_mem_src(&state->info, state->file, state->file_bytes);
  jpeg_read_header(&state->info, TRUE);
}

void LibjpegDecoder::ReadCoefficientsStep(State* state) {
  state->coefficients = jpeg_read_coefficients(&state->info);
}

void LibjpegDecoder::CopyPlanesStep(State* state) {
  jpeg_decompress_struct* info = &state->info;
  const jpeg_component_info& component = info->comp_info[state->component];
  PlanePointers planes;
  std::copy(std::begin(state->planes), std::end(state->planes), planes.begin());
  for (JDIMENSION y = 0; y < component.height_in_blocks; ++y) {
    JBLOCKARRAY row = info->mem->access_virt_barray(reinterpret_cast<j_common_ptr>(info),
                                                    state->coefficients[state->component], y, 1, FALSE);
    TransposeBlocks(row[0], component.width_in_blocks, planes);
    for (int16_t*& plane : planes) plane += component.width_in_blocks;
  }
}

void LibjpegDecoder::OnError(j_common_ptr info) {
  State* state = static_cast<State*>(info->client_data);
  state->errors.format_message(info, state->message);
  std::longjmp(state->on_error, 1);
}

void LibjpegDecoder::OnMessage(j_common_ptr info, int level) {
  if (level >= 0) return;  // a trace message
  State* state = static_cast<State*>(info->client_data);
  ++state->warnings;
  const int code = state->errors.msg_code;
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) state->truncated = true;
}

// libjpeg-turbo calls it once a row of MCUs while it reads scans: a file of a thousand scans stops early.
void LibjpegDecoder::OnProgress(j_common_ptr info) {
  State* state = static_cast<State*>(info->client_data);
  if (static_cast<uint32_t>(state->info.input_scan_number) <= state->scans_max) return;
  state->scans_exceeded = true;
  std::longjmp(state->on_error, 1);
}

}  // namespace freqstore
