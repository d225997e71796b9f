// The table files of a database.
#pragma once

#include <vector>

#include <rocksdb/db.h>

namespace freqstore {

/// Those that are part of it now. Their names begin with a slash.
inline std::vector<rocksdb::LiveFileMetaData> LiveTables(rocksdb::DB& db) {
  std::vector<rocksdb::LiveFileMetaData> tables;
  db.GetLiveFilesMetaData(&tables);
  return tables;
}

}  // namespace freqstore
