// RocksDB's log of messages, in a file.
#pragma once

#include <memory>
#include <string>

#include <rocksdb/env.h>

namespace freqstore {

/// Appends messages to a file, and loses those that cannot be written: RocksDB's own logger ends the process
/// when it writes again after an error (as Debian builds it, with assertions), and a full disk is no reason
/// for that. Null if the file cannot be opened. Thread-safe.
std::shared_ptr<rocksdb::Logger> OpenMessageLog(const std::string& path);

}  // namespace freqstore
