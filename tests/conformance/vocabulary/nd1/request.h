// SPDX-License-Identifier: MIT
//
// Requests of version 1: its own part of overlapped ones (read conformance/vocabulary/com_request.h first), and the ND_RESULTs of
// posted ones.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "conformance/vocabulary/com_request.h"
#include "conformance/vocabulary/nd1/outcomes.h"

namespace opennd::conformance::nd1 {

struct Version {
    static Outcome outcome_of(HRESULT status) { return nd1::outcome_of(status); }
    static void check_begun(HRESULT begun, Request& request) {
        EXPECT_NE(begun, ND_TIMEOUT) << "never inline (ND1-GEN-02)";
        const bool done = begun != ND_SUCCESS || request.now() == Outcome::success;
        EXPECT_TRUE(done) << "dealt with before the return (ND1-OV-13)";
    }
};

template <typename Interface>
using Owner = ComOwner<Interface, Version>;

// A posted request: the program's data lies behind the ND_RESULT (ND1-RES-09).
struct Posted {
    ND_RESULT result{};
    Tag tag = 0;
    Tag queue_pair = 0;
    RequestKind kind = RequestKind::send;
    std::size_t bytes = 0;  // of the list
};

// Requests with an ND_RESULT that belongs to OpenND: until their completion, or for a silent one to the end
// (ND1-RES-06). Thread-safe.
class PostedRequests {
public:
    ND_RESULT* add(const Posted& posted) {
        auto owned = std::make_unique<Posted>(posted);
        ND_RESULT* const result = &owned->result;
        const std::lock_guard lock(mutex_);
        posted_[result] = std::move(owned);
        return result;
    }
    // The pointer that GetResults returned is one that was posted (ND1-RES-02), once.
    Posted take(ND_RESULT* result) {
        const std::lock_guard lock(mutex_);
        const auto found = posted_.find(result);
        if (found == posted_.end()) {
            ADD_FAILURE() << "a result that was not posted, or comes twice (ND1-CQ-04)";
            return {};
        }
        const Posted posted = *found->second;
        posted_.erase(found);
        return posted;
    }

private:
    std::mutex mutex_;
    std::unordered_map<ND_RESULT*, std::unique_ptr<Posted>> posted_;
};

}  // namespace opennd::conformance::nd1
