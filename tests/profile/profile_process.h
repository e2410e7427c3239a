// SPDX-License-Identifier: MIT
//
// A test body in a process with a profile, and the explanations that the library gives there.
#pragma once

#include <opennd.h>

#include <cstdlib>
#include <mutex>
#include <string>

#include "process/child.h"

namespace opennd::profile_test {

template <typename Body>
void under(const char* profile, Body&& body) {
    process::in_child([&] {
        ::setenv("OPENND_PROFILE", profile, 1);
        body();
    });
}

// The limits of all failures while it lives, of calls and of requests.
class Explanations {
public:
    Explanations() { opennd_error_sink(&keep, this); }
    Explanations(const Explanations&) = delete;
    Explanations& operator=(const Explanations&) = delete;
    ~Explanations() { opennd_error_sink(nullptr, nullptr); }

    // The limit of the newest failure.
    std::string newest() {
        const std::lock_guard lock(mutex_);
        return newest_;
    }

private:
    static void keep(void* self, const opennd_error* error) {
        auto* const explanations = static_cast<Explanations*>(self);
        const std::lock_guard lock(explanations->mutex_);
        explanations->newest_ = error->limit;
    }

    std::mutex mutex_;
    std::string newest_;
};

}  // namespace opennd::profile_test
