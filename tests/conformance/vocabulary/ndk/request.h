// SPDX-License-Identifier: MIT
//
// Requests that end by a callback, as Operations. The callback's context keeps the request alive and is gone when the
// callback returns, so that the sanitizers find a second callback, or one for a request that did not pend (NDK-GEN-01).
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "conformance/vocabulary/ndk/outcomes.h"

namespace opennd::conformance::ndk {

class NdkRequest final : public Request {
public:
    Outcome now() override {
        const std::lock_guard lock(mutex_);
        return outcome_.value_or(Outcome::pending);
    }

    Outcome wait(milliseconds limit) override {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, limit, [this] { return outcome_.has_value(); });
        return outcome_.value_or(Outcome::pending);
    }

    void finish(Outcome outcome) {
        const std::lock_guard lock(mutex_);
        outcome_ = outcome;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Outcome> outcome_;
};

using SharedRequest = std::shared_ptr<NdkRequest>;

inline VOID request_completed(PVOID context, NTSTATUS status) {
    const std::unique_ptr<SharedRequest> request(static_cast<SharedRequest*>(context));
    (*request)->finish(outcome_of(status));
}

// call(completion, context) is the function. One that succeeds at once is pending for the vocabulary, and complete.
template <typename Call>
Operation begin(const SharedRequest& request, Call&& call) {
    auto context = std::make_unique<SharedRequest>(request);
    const NTSTATUS status = call(&request_completed, static_cast<PVOID>(context.get()));
    if (status == STATUS_PENDING)
        context.release();  // NOLINT(bugprone-unused-return-value): the callback's
    else if (status == STATUS_SUCCESS)
        request->finish(Outcome::success);
    else
        return Operation(outcome_of(status));
    return Operation(Outcome::pending, request);
}

template <typename Call>
Operation begin(Call&& call) {
    return begin(std::make_shared<NdkRequest>(), std::forward<Call>(call));
}

}  // namespace opennd::conformance::ndk
