// SPDX-License-Identifier: MIT
// The source lines that code of this process was compiled from, by the debug information of its files. libdw reads it, which is loaded
// at the first question (docs/decisions/0092).
#pragma once

#include <string>
#include <vector>

namespace opennd {

struct SourcePlace {
    std::string function;  // as the linker has it, which may be mangled; empty: nobody knows
    std::string file;      // as the compiler was told; empty: its file has no debug information (a compiler's -g)
    int line = 0;
};

// The places of the instruction at `code`, the innermost first: those in functions that the compiler put in place of their calls, then the one in the function
// around them. The answer is empty if nothing is known, or libdw is missing. The first question about a file takes milliseconds. Any thread. Throws std::bad_alloc.
std::vector<SourcePlace> source_places(const void* code);

// Returns why no code has places, and what to install; empty if libdw is there. Any thread. Throws std::bad_alloc.
std::string why_no_source_places();

}  // namespace opennd
