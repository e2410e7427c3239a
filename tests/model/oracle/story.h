// SPDX-License-Identifier: MIT
//
// The story of a run: what each side did and saw, for readers.
#pragma once

#include <string>

#include "model/play/board.h"

namespace opennd::modeled {

std::string story(const Program& program, const Board& board);

}  // namespace opennd::modeled
