// The C library's allocator, told what this process does with memory.
#pragma once

namespace freqstore {

/// Keeps freed memory for the next image instead of giving it back to the system: coefficients of an image
/// are about a megabyte, and mapping that anew costs as much as decoding it. To be called once, at the start
/// of a program. Does nothing with another C library than glibc.
void KeepFreedMemory();

}  // namespace freqstore
