// SPDX-License-Identifier: MIT
// Everything of the set and of the C++ library in a file that is compiled with _WIN32.
#include "windows_headers.h"

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

static_assert(sizeof(std::vector<DWORD>) != 0);
