// SPDX-License-Identifier: MIT
//
// A program as C++ over the public headers alone, which tells what it sees: for those who look for the fault, and to
// begin a test with. Version 2, whatever the program's face; both sides are threads of one process.
#pragma once

#include <string>

#include "model/program/program.h"

namespace opennd::modeled {

std::string listing(const Program& program);

}  // namespace opennd::modeled
