// SPDX-License-Identifier: MIT
//
// Overlapped requests of either version as Operations. An OVERLAPPED must outlive its request, even if the test drops
// the Operation; so the object that took the request keeps it until it is complete or the object is released
// (ND2-COM-10).
//
// Version supplies the differences: outcome_of(HRESULT), and check_begun(HRESULT, request), which judges the answer of
// a call that takes a request.
#pragma once

#include <gtest/gtest.h>
#include <opennd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "conformance/vocabulary/driver.h"
#include "support/com_ptr.h"
#include "support/overlapped_request.h"

namespace opennd::conformance {

template <typename Version>
class ComRequest final : public Request {
public:
    // Read straight from the OVERLAPPED, so that it works after the object is released (ND2-OVL-21).
    Outcome now() override {
        const ULONG_PTR status = std::atomic_ref(overlapped_.get()->Internal).load(std::memory_order_acquire);
        return Version::outcome_of(static_cast<HRESULT>(status));
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
template <typename Interface, typename Version>
class ComOwner {
public:
    // `sole`: no other reference of the program's exists when this one goes.
    explicit ComOwner(support::ComPtr<Interface> object, bool sole = true) : sole_(sole), object_(std::move(object)) {}
    ComOwner(const ComOwner&) = delete;
    ComOwner& operator=(const ComOwner&) = delete;
    ~ComOwner() {
        const unsigned left = object_.reset();
        EXPECT_TRUE(left == 0 || !sole_) << "the last Release must return 0 (ND1-COM-08, ND2-COM-06)";
    }

    Interface* get() const { return object_.get(); }
    Interface* operator->() const { return object_.get(); }

    // call(OVERLAPPED*) submits the request. One that succeeds at once is pending for the vocabulary: the outcome is in
    // the OVERLAPPED either way.
    template <typename Call>
    Operation begin(Call&& call) {
        std::erase_if(requests_, [](const auto& request) { return request->now() != Outcome::pending; });
        auto request = std::make_shared<ComRequest<Version>>();
        const HRESULT begun = call(request->overlapped());
        Version::check_begun(begun, *request);
        if (FAILED(begun)) return Operation(Version::outcome_of(begun));
        requests_.push_back(request);
        return Operation(Outcome::pending, std::move(request));
    }

private:
    const bool sole_;
    std::vector<std::shared_ptr<ComRequest<Version>>> requests_;  // destroyed after the object's Release in ~ComOwner
    support::ComPtr<Interface> object_;
};

}  // namespace opennd::conformance
