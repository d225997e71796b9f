#include "storage/kv/rocks_ingest.h"

#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <rocksdb/sst_file_writer.h>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/kv/rocks_status.h"

namespace freqstore {

namespace {

/// A finished table, removed again unless the store took it (it then has another name).
struct Table {
  explicit Table(std::string file_path) : path(std::move(file_path)) {}
  ~Table() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::string path;
  rocksdb::ExternalSstFileInfo info;
};

rocksdb::Status Build(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family, const SortedEntries& run,
                      Table& table) {
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), db.GetOptions(family), family);
  rocksdb::Status status = writer.Open(table.path);
  for (auto entry = run.entries.begin(); status.ok() && entry != run.entries.end(); ++entry)
    status = writer.Put(entry->first, ToSlice(entry->second));
  return status.ok() ? writer.Finish(&table.info) : status;
}

}  // namespace

RocksIngest::RocksIngest(std::filesystem::path folder) : folder_(std::move(folder)) {}

absl::Status RocksIngest::Prepare() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
  std::filesystem::create_directories(folder_, error);
  if (!error) return absl::OkStatus();
  return MakeError(absl::StatusCode::kInternal, "STORE_FAILED",
                   fmt::format("cannot make {}: {}", folder_.string(), error.message()));
}

rocksdb::Status RocksIngest::Ingest(rocksdb::DB& db, HandleOf handle_of,
                                    std::span<const SortedEntries> runs) {
  std::vector<std::unique_ptr<Table>> tables;
  std::map<Family, rocksdb::IngestExternalFileArg> arguments;
  for (const SortedEntries& run : runs) {
    if (run.entries.empty()) continue;
    tables.push_back(
        std::make_unique<Table>((folder_ / fmt::format("{}.sst", next_file_.fetch_add(1))).string()));
    if (rocksdb::Status status = Build(db, handle_of(run.family), run, *tables.back()); !status.ok())
      return status;
    rocksdb::IngestExternalFileArg& argument = arguments[run.family];
    argument.column_family = handle_of(run.family);
    argument.external_files.push_back(tables.back()->path);
    argument.files_checksums.push_back(tables.back()->info.file_checksum);
    argument.files_checksum_func_names.push_back(tables.back()->info.file_checksum_func_name);
    argument.options.move_files = true;
    argument.options.write_global_seqno = false;
    // The file comes from the writer above with its checksum: no need to read it all back.
    argument.options.verify_file_checksum = false;
  }
  std::vector<rocksdb::IngestExternalFileArg> list;
  for (auto& [family, argument] : arguments) list.push_back(std::move(argument));
  return list.empty() ? rocksdb::Status::OK() : db.IngestExternalFiles(list);
}

}  // namespace freqstore
