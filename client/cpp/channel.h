// The connection under a Client.
#pragma once

#include <memory>
#include <string>

#include <grpcpp/channel.h>

namespace freqstore::client {

/// Connects when first used, again within seconds once a server that was away is back, and notices within
/// seconds when nobody takes what is sent. Unary calls that the API calls idempotent are tried a few times
/// over about a second where they fail with UNAVAILABLE; all others once.
std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address);

}  // namespace freqstore::client
