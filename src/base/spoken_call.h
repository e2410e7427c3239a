// SPDX-License-Identifier: MIT
// The call that this thread is in, in the words of the face that the program called. The layers below the faces do not
// know them: their refusals name the argument, the limit and the change to make. Object, method, requirement and the
// status's name are those of the call where a face has named it; otherwise they are the refusal's own, which are those
// of version 2.
#pragma once

#include <string_view>
#include <utility>

#include "base/explanation.h"

namespace opennd {

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
