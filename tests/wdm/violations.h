// SPDX-License-Identifier: MIT
// The rules that a test breaks on purpose, in place of the log.
#pragma once

#include <gtest/gtest.h>
#include <wdm.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace opennd {

class Violations {
public:
    Violations() { opennd_wdm_set_violation_sink(take, this); }
    Violations(const Violations&) = delete;
    Violations& operator=(const Violations&) = delete;
    ~Violations() { opennd_wdm_set_violation_sink(nullptr, nullptr); }

    struct One {
        opennd_wdm_rule rule;
        std::string object;
        const void* address;
        std::string text;
    };

    // Those since the last call.
    std::vector<One> take_all() {
        const std::lock_guard held(mutex_);
        return std::exchange(all_, {});
    }

    // Whether there was one since the last call, of this rule and about this object, and no other.
    testing::AssertionResult was_only(opennd_wdm_rule rule, const char* object, const void* address = nullptr) {
        const auto all = take_all();
        if (all.size() != 1) return testing::AssertionFailure() << all.size() << " violations: " << text_of(all);
        const One& one = all.front();
        if (one.rule != rule || one.object != object || (address != nullptr && one.address != address))
            return testing::AssertionFailure() << "rule " << one.rule << ": " << one.text;
        return testing::AssertionSuccess() << one.text;
    }

    testing::AssertionResult were_none() {
        const auto all = take_all();
        return all.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << text_of(all);
    }

private:
    static std::string text_of(const std::vector<One>& all) {
        std::string text;
        for (const One& one : all) text += one.text + '\n';
        return text;
    }

    static void take(void* context, const opennd_wdm_violation* violation) {
        auto* const self = static_cast<Violations*>(context);
        const std::lock_guard held(self->mutex_);
        self->all_.push_back({violation->rule, violation->object, violation->address, violation->text});
    }

    std::mutex mutex_;  // guards all_
    std::vector<One> all_;
};

}  // namespace opennd
