// SPDX-License-Identifier: MIT
// Why something failed, in parts: the object, its operation, the argument, the limit, the change to make, and the
// requirement that sets the limit (ND2-GEN-02, ND2-GEN-10). The place that first decides which error it is makes the
// explanation; callers pass the Status on in silence. Everything here is cold, allocates nothing and does not throw.
//
// Two ways to fail, two functions:
//   explain()  a call fails: the calling thread keeps it as its last failure (opennd_last_error)
//   report()   an accepted request fails, on any thread: the thread's last failure stays
// Both write one line to the log and hand the parts to the failure sink.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "base/phrase.h"
#include "base/status.h"

namespace opennd {

enum class CheckRule : std::uint8_t;  // check_rule.h

// The texts are borrowed for the call. "asked", "limit" and "remedy" are parts of the line, without a full stop:
//   queue pair: Send: ND_DATA_OVERRUN: 17 scatter/gather entries; limit: 16; use fewer entries (ND2-QP-POST-03)
struct Explanation {
    std::string_view object;       // "queue pair", "listener 127.0.0.1:5000"
    std::string_view operation;    // the method: "Send"
    std::string_view asked;        // "17 scatter/gather entries"
    std::string_view limit;        // the largest possible value: "16"
    std::string_view remedy;       // the change that the program should make
    std::string_view requirement;  // "ND2-QP-POST-03"
    LogLevel level = LogLevel::warn;
    LogCause cause = LogCause::program;  // the failure sink gets every cause, the log has a budget for some
    std::string_view imposed_by = {};    // who set the limit, where it is not OpenND: "profile cxgb4"
    CheckRule rule = {};                 // the misuse that this failure is, for the checking layer; 0: none
};

// A Status at a face: the number that its methods return and that number's name in its headers, static text.
struct FaceStatus {
    std::int32_t number = 0;
    const char* name = "";
};

// An explanation with texts of its own.
struct Failure {
    FaceStatus status;
    Phrase object, operation, asked, limit, remedy, requirement;
};

// Gives back `status`, so that a refusal is one statement.
[[gnu::cold]] Status explain(Status status, const Explanation& explanation) noexcept;
[[gnu::cold]] Status report(Status status, const Explanation& explanation) noexcept;

// For the faces, where a refusal may have a number that no Status has.
[[gnu::cold]] void explain(const FaceStatus& status, const Explanation& explanation) noexcept;
// Keeps it as the thread's last failure without a report: the cause was reported before.
[[gnu::cold]] void remember(const FaceStatus& status, const Explanation& explanation) noexcept;

// The last failure of the calling thread; its status is 0 and its texts are empty if there was none. The reference stays,
// the content changes with the thread's next failure.
const Failure& last_failure() noexcept;
// How many failures this thread has kept so far: tells whether a call that just failed has been explained.
std::uint64_t failures_kept() noexcept;
void forget_last_failure() noexcept;

// How the numbers and names of faces are found. Until it is set, a Status has its own name and no number. Set once, by the
// composition root, before any object exists.
using FaceStatusOf = FaceStatus (*)(Status);
void set_face_status(FaceStatusOf of) noexcept;

// Called with every explained and reported failure, from any thread, never twice at a time. Must not call into OpenND.
using FailureFunction = void (*)(void* context, const Failure& failure);
// Replaces the sink; nullptr: none. On return the old one is not running.
void set_failure_sink(FailureFunction function, void* context);

// The call that this thread is in, in the words of the face that the program called. The layers below the faces do not
// know them: their refusals name the argument, the limit and the change to make. Object, method, requirement and the
// status's name are those of the call where a face has named it; otherwise they are the refusal's own, which are those
// of version 2.
// While it exists, explain() of a Status on this thread speaks for it. Calls may be within each other; the innermost
// counts. The words are borrowed. Inline, for a Bind that succeeds pays for it too.
class SpokenCall {
public:
    struct Words {
        std::string_view object;
        std::string_view operation;
        FaceStatusOf status;
        // The first of these that is not empty, or the refusal's own.
        std::string_view (*requirement_of)(Status) = nullptr;
        std::string_view requirement = {};
    };

    explicit SpokenCall(const Words& words) noexcept : outer_(std::exchange(innermost_, &words)) {}
    SpokenCall(const SpokenCall&) = delete;
    SpokenCall& operator=(const SpokenCall&) = delete;
    ~SpokenCall() { innermost_ = outer_; }

    // nullptr: this thread is in none.
    static const Words* current() noexcept { return innermost_; }

private:
    [[gnu::tls_model("initial-exec")]] static inline constinit thread_local const Words* innermost_ = nullptr;

    const Words* const outer_;
};

}  // namespace opennd
