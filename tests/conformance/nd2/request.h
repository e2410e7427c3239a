// SPDX-License-Identifier: MIT
//
// Overlapped requests as Operations. An OVERLAPPED must outlive its request, whatever the test does with the Operation;
// so the object that took the request keeps it until it is complete or the object is released (ND2-COM-10).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "conformance/driver.h"
#include "conformance/nd2/outcomes.h"
#include "support/com_ptr.h"
#include "support/overlapped_request.h"

namespace opennd::conformance::nd2 {

class Nd2Request final : public Request {
public:
    // Read straight from the OVERLAPPED, so that it works after the object is released (ND2-OVL-21).
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
    explicit Owner(support::ComPtr<Interface> object) : object_(std::move(object)) {}
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() { EXPECT_EQ(object_.reset(), 0u) << "the last Release must return 0 (ND2-COM-06)"; }

    Interface* get() const { return object_.get(); }
    Interface* operator->() const { return object_.get(); }

    // call(OVERLAPPED*) submits the request.
    template <typename Call>
    Operation begin(Call&& call) {
        std::erase_if(requests_, [](const auto& request) { return request->now() != Outcome::pending; });
        auto request = std::make_shared<Nd2Request>();
        const HRESULT begun = call(request->overlapped());
        EXPECT_NE(begun, ND_SUCCESS) << "an overlapped request may not complete inline (ND2-OVL-01)";
        if (begun != ND_PENDING) return Operation(outcome_of(begun));
        requests_.push_back(request);
        return Operation(Outcome::pending, std::move(request));
    }

private:
    std::vector<std::shared_ptr<Nd2Request>> requests_;  // destroyed after the object's Release in ~Owner
    support::ComPtr<Interface> object_;
};

}  // namespace opennd::conformance::nd2
