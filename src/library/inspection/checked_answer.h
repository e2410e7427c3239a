// SPDX-License-Identifier: MIT
// The words of another process, which may be any: whoever listens at an inspection socket answers as it likes. They are checked here,
// once, before anybody makes values of them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "library/json/json.h"

namespace opennd {

// A report has seven levels. Code that walks values calls itself for each.
inline constexpr std::size_t kMostDepth = 32;
// Values and names of members. Those of 100,000 connections; each takes some 50 bytes.
inline constexpr std::size_t kMostValues = 4'000'000;

// One JSON object within these bounds; otherwise null. Throws std::bad_alloc.
ordered_json bounded_json(std::string_view text);

// A report as its reader may have it: `pid` and `user`, where it has them, are those that the kernel names. invalid_parameter: the text is
// no object within the bounds. Throws std::bad_alloc.
Result<std::string> checked_answer(std::string_view text, pid_t process, uid_t user);

}  // namespace opennd
