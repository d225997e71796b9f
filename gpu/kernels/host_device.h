// Marks the arithmetic that the CPU and the CUDA device share.
//
// Always inlined: the CPU compiles its loops once an instruction set, and an out-of-line copy of a shared
// function made for a newer one must never be the copy that the linker keeps for all.
#pragma once

#ifdef __CUDACC__
#define FREQSTORE_HD __host__ __device__ __forceinline__
#else
#define FREQSTORE_HD [[gnu::always_inline]] inline
#endif
