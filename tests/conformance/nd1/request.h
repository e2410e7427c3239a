// SPDX-License-Identifier: MIT
//
// Requests of version 1: overlapped ones, and the ND_RESULTs of those that are posted.
#pragma once

#include <gtest/gtest.h>
#include <opennd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/driver.h"
#include "conformance/nd1/outcomes.h"
#include "support/com_ptr.h"
#include "support/overlapped_request.h"

namespace opennd::conformance::nd1 {

class Nd1Request final : public Request {
public:
    Outcome now() override {
        const ULONG_PTR status = std::atomic_ref(overlapped_.get()->Internal).load(std::memory_order_acquire);
        return outcome_of(static_cast<HRESULT>(status));
    }

    Outcome wait(milliseconds limit) override {
        const HRESULT waited = opennd_event_wait(overlapped_.event(), static_cast<DWORD>(limit.count()));
        return waited == ND_SUCCESS ? now() : Outcome::pending;
    }

    OVERLAPPED* overlapped() { return overlapped_.get(); }

private:
    support::OverlappedRequest overlapped_;
};

// One client reference to an object that takes overlapped requests, and the requests it has not finished.
template <typename Interface>
class Owner {
public:
    // `sole`: no other reference of the program's exists when this one goes.
    explicit Owner(support::ComPtr<Interface> object, bool sole = true) : sole_(sole), object_(std::move(object)) {}
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() {
        const unsigned left = object_.reset();
        EXPECT_TRUE(left == 0 || !sole_) << "the last Release must return 0 (ND1-COM-08)";
    }

    Interface* get() const { return object_.get(); }
    Interface* operator->() const { return object_.get(); }

    // call(OVERLAPPED*) submits the request. One that succeeds at once is pending for the vocabulary: the outcome is in
    // the OVERLAPPED either way (ND1-OV-13).
    template <typename Call>
    Operation begin(Call&& call) {
        std::erase_if(requests_, [](const auto& request) { return request->now() != Outcome::pending; });
        auto request = std::make_shared<Nd1Request>();
        const HRESULT begun = call(request->overlapped());
        EXPECT_NE(begun, ND_TIMEOUT) << "never inline (ND1-GEN-02)";
        if (FAILED(begun)) return Operation(outcome_of(begun));
        const bool done = begun != ND_SUCCESS || request->now() == Outcome::success;
        EXPECT_TRUE(done) << "dealt with before the return (ND1-OV-13)";
        requests_.push_back(request);
        return Operation(Outcome::pending, std::move(request));
    }

private:
    const bool sole_;
    std::vector<std::shared_ptr<Nd1Request>> requests_;  // destroyed after the object's Release in ~Owner
    support::ComPtr<Interface> object_;
};

// A posted request: what the program knows of it lies behind the ND_RESULT (ND1-RES-09).
struct Posted {
    ND_RESULT result{};
    Tag tag = 0;
    Tag queue_pair = 0;
    RequestKind kind = RequestKind::send;
    std::size_t bytes = 0;  // of the list
};

// Those whose ND_RESULT belongs to OpenND: until their completion, or for a silent one to the end (ND1-RES-06).
// Thread-safe.
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
