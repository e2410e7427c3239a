// SPDX-License-Identifier: MIT
// The socket at which a process tells what it does. A visitor asks one question, a record with its word. The answer is the number of
// bytes in decimal as one record, then the bytes in records of at most kRecordBytes. Other words are hung up on.
//
// `capture`, a blank and options as JSON begin a capture (capture_request.h). It lasts until the visitor sends another record, for
// which it gets a second answer, or hangs up.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/format.h"

namespace opennd {

inline constexpr std::string_view kInspectionPrefix = "opennd.inspection/";
inline constexpr std::size_t kRecordBytes = 32 * 1024;
inline constexpr std::size_t kMostAnswerBytes = 256 << 20;

// See process_report.h, event_report.h, capture_request.h.
enum class Question : std::uint8_t { report, objects, events, capture };
inline constexpr std::array<std::string_view, 4> kQuestions{"report", "objects", "events", "capture"};
inline constexpr std::size_t kMostQuestionBytes = 8 * 1024;

constexpr std::string_view word(Question question) { return kQuestions[static_cast<std::size_t>(question)]; }
constexpr std::optional<Question> question_of(std::string_view word) {
    for (std::size_t each = 0; each < kQuestions.size(); ++each)
        if (kQuestions[each] == word) return static_cast<Question>(each);
    return std::nullopt;
}

inline std::string inspection_socket(pid_t process) { return format("{}{}", kInspectionPrefix, process); }

}  // namespace opennd
