// Huffman-codes the coefficients of one scan.
#pragma once

#include <array>
#include <cstdint>

#include "storage/jpeg/bit_writer.h"
#include "storage/jpeg/huffman_table.h"
#include "storage/jpeg/scan_exceptions.h"
#include "storage/jpeg/scan_plan.h"

namespace freqstore {

/// How often a scan codes each symbol, by TableStart + SymbolPlace.
using ScanStatistics = std::array<uint32_t, kScanPlaces>;

/// The counts of the symbols of a table, class 0 for DC or 1 for AC; all zero if one occurs that no table can
/// code.
SymbolCounts SymbolCountsOf(const ScanStatistics& statistics, size_t huffman_class, size_t slot);

/// The codes to write with, [class][slot]; null where there are none. Those that the scan needs
/// (UsesTables, its components' slots) must not be null.
using ScanTables = std::array<std::array<const HuffmanCodes*, kHuffmanSlots>, kHuffmanClasses>;

/// Writes the scan's entropy-coded data, restart markers and all but its tail, to `writer`, whose bits are
/// whole bytes before and after. False if a value or symbol has no code, or the writer failed; then what was
/// written is of no use.
///
/// The bits are those of libjpeg's encoder but for what `details` says. Planes may hold any values.
bool WriteScan(const ScanPlan& plan, const ScanTables& tables, ScanDetails& details, BitWriter& writer);

/// Counts the symbols that WriteScan would write, on top of `statistics`.
void CountSymbols(const ScanPlan& plan, ScanDetails& details, ScanStatistics& statistics);

/// Both at once.
bool WriteAndCountScan(const ScanPlan& plan, const ScanTables& tables, ScanDetails& details,
                       BitWriter& writer, ScanStatistics& statistics);

}  // namespace freqstore
