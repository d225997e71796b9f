// A model small enough to reason about.
#pragma once

#include <string>

#include "client/cpp/client.h"

namespace freqstore::testutil {

/// An ONNX file: input [N, 3, 8, 8], output [N, 3] = the mean of each channel.
std::string ChannelMeanModel();

/// Registers it as `name` with labels "red", "green", "blue" and pixels in 0..1.
void RegisterChannelMean(client::Client& client, const std::string& name);

}  // namespace freqstore::testutil
