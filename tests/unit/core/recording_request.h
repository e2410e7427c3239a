// SPDX-License-Identifier: MIT
// A request that records its events.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "core/request/async_request.h"

namespace opennd {

struct RequestRecord {
    std::atomic<int> begun{0};
    std::atomic<int> completed{0};
    std::atomic<Status> status{Status::success};

    bool pending() const { return begun == 1 && completed == 0; }
    bool untouched() const { return begun == 0 && completed == 0; }
    // The outcome, if it has completed exactly once.
    std::optional<Status> outcome() const {
        return begun == 1 && completed == 1 ? std::optional<Status>(status.load()) : std::nullopt;
    }
};

class RecordingRequest final : public AsyncRequest {
public:
    // `order`, if given, gets `record` when the request completes.
    explicit RecordingRequest(RequestRecord& record, std::vector<RequestRecord*>* order = nullptr)
        : record_(record), order_(order) {}

    void begin() override { ++record_.begun; }
    void complete(Status status) override {
        record_.status.store(status);
        ++record_.completed;
        if (order_) order_->push_back(&record_);
    }

private:
    RequestRecord& record_;
    std::vector<RequestRecord*>* const order_;
};

inline std::unique_ptr<AsyncRequest> recording(RequestRecord& record, std::vector<RequestRecord*>* order = nullptr) {
    return std::make_unique<RecordingRequest>(record, order);
}

}  // namespace opennd
