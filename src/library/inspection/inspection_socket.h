// SPDX-License-Identifier: MIT
// The socket at which a process tells what it does. A visitor asks one question, a record with its word. Other words are hung up on. The
// process asks back: `prove` and a number; the visitor answers with the name of that descriptor (trace_proof.h), without which it is hung
// up on. Then comes the number of bytes of the answer in decimal as one record, and the bytes in records of at most kRecordBytes.
//
// `capture`, a blank and options as JSON begin a capture (capture_request.h), with a descriptor: an end of a socket for its files
// (file_desk.h). It lasts until the visitor sends another record, for which it gets a second answer, or hangs up.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "platform/descriptor/local_socket.h"
#include "platform/process/clock.h"

namespace opennd {

inline constexpr std::string_view kInspectionPrefix = "opennd.inspection/";
inline constexpr std::size_t kRecordBytes = 32 * 1024;
inline constexpr std::size_t kMostAnswerBytes = 32 << 20;  // 100,000 connections; as values it takes some times that

// See process_report.h, event_report.h, capture_request.h.
enum class Question : std::uint8_t { report, objects, events, capture };
inline constexpr std::array<std::string_view, 4> kQuestions{"report", "objects", "events", "capture"};
inline constexpr std::size_t kMostQuestionBytes = 8 * 1024;
inline constexpr std::string_view kProve = "prove ";

constexpr std::string_view word(Question question) { return kQuestions[static_cast<std::size_t>(question)]; }
constexpr std::optional<Question> question_of(std::string_view word) {
    for (std::size_t each = 0; each < kQuestions.size(); ++each)
        if (kQuestions[each] == word) return static_cast<Question>(each);
    return std::nullopt;
}

inline std::string inspection_socket(pid_t process) { return format("{}{}", kInspectionPrefix, process); }

// Words between two processes, a record each, as both sides of the inspection socket and of a file desk wait for them.
struct Words {
    std::string text;
    std::vector<ForeignDescriptor> descriptors;
};

// Waits for one record, and cuts it to `room`. Nothing: none came until then, or the other side hung up. Throws
// std::bad_alloc.
std::optional<Words> receive_words(LocalSocket& from, std::span<std::byte> room, std::optional<SteadyTime> until);

// The whole text is one decimal number.
std::optional<std::size_t> number_in(std::string_view text);

}  // namespace opennd
