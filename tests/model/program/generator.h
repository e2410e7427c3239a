// SPDX-License-Identifier: MIT
//
// The program of a seed. What it is about is drawn first (which operations, how many misfortunes, how much waiting), so that some programs
// are all messages and must succeed to the last byte, and others are all endings.
#pragma once

#include "model/program/program.h"

namespace opennd::modeled {

// Face, transport and number of processes are as in `fixed`; the rest is drawn.
Program generate(std::uint64_t seed, const Setting& fixed);

}  // namespace opennd::modeled
