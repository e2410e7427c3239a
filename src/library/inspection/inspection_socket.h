// SPDX-License-Identifier: MIT
// The socket at which a process tells what it does, and the form of its answer: the number of bytes in decimal as one record, then the
// bytes in records of at most kRecordBytes. Nothing is asked.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "base/format.h"

namespace opennd {

inline constexpr std::string_view kInspectionPrefix = "opennd.inspection/";
inline constexpr std::size_t kRecordBytes = 32 * 1024;
inline constexpr std::size_t kMostAnswerBytes = 256 << 20;

inline std::string inspection_socket(pid_t process) { return format("{}{}", kInspectionPrefix, process); }

}  // namespace opennd
