// SPDX-License-Identifier: MIT
//
// What the checking layer tells during a test. Under OPENND_CHECK a diagnostic that a test does not announce fails the test.
#pragma once

#include <gtest/gtest.h>
#include <opennd.h>

#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace opennd::support {

// The running test misuses OpenND on purpose, by these rules: "CHECK-READ-LIMIT". Once a test.
template <typename... Rules>
void provokes(Rules... rules) {
    std::string joined;
    for (std::string_view rule : std::initializer_list<std::string_view>{rules...}) {
        if (!joined.empty()) joined += ' ';
        joined += rule;
    }
    testing::Test::RecordProperty("provokes", joined);
}

// All diagnostics while it lives; there is one at a time.
class Diagnostics {
public:
    struct Told {
        std::string rule, object, fact, remedy, site;
        bool note;
    };

    Diagnostics() { opennd_check_sink(&keep, this); }
    Diagnostics(const Diagnostics&) = delete;
    Diagnostics& operator=(const Diagnostics&) = delete;
    ~Diagnostics() { opennd_check_sink(nullptr, nullptr); }

    std::vector<Told> all() const;
    std::vector<Told> of(std::string_view rule) const;
    bool has(std::string_view rule) const { return !of(rule).empty(); }

private:
    static void keep(void* self, const opennd_diagnostic* diagnostic);

    mutable std::mutex mutex_;
    std::vector<Told> told_;
};

// Fails tests by diagnostics that they do not announce, notes apart. For programs whose environment has OPENND_CHECK.
void fail_tests_by_diagnostics();

}  // namespace opennd::support
