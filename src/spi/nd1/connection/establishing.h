// SPDX-License-Identifier: MIT
// Requests of a connector on their way to the program's OVERLAPPED: the effect of their outcome on the endpoint, and
// version 1's name for it.
#pragma once

#include <memory>
#include <utility>

#include "base/ref.h"
#include "core/request/async_request.h"
#include "spi/nd1/queue/endpoint.h"

namespace opennd {

// Connect: a peer that broke off has refused, and both objects may connect again (ND1-CN-CONN-10, -14).
class Nd1Connecting final : public AsyncRequest {
public:
    explicit Nd1Connecting(std::unique_ptr<AsyncRequest> request) : request_(std::move(request)) {}

    void begin() override { request_->begin(); }
    void complete(Status status) override {
        request_->complete(status == Status::connection_aborted ? Status::connection_refused : status);
    }

private:
    const std::unique_ptr<AsyncRequest> request_;
};

// CompleteConnect or Accept: the endpoint is Connected, or Closed, before the program sees the completion.
class Nd1Establishing final : public AsyncRequest {
public:
    // `timeout`: the status of a handshake without an answer (ND1-CN-CPL-05, ND1-CN-ACC-05).
    Nd1Establishing(std::unique_ptr<AsyncRequest> request, Ref<Nd1Endpoint> endpoint, Status timeout)
        : request_(std::move(request)), endpoint_(std::move(endpoint)), timeout_(timeout) {}

    void begin() override { request_->begin(); }
    void complete(Status status) override {
        if (ok(status))
            endpoint_->open();
        else
            endpoint_->shut();
        if (status == Status::timed_out) status = timeout_;
        if (status == Status::connection_refused) status = Status::connection_aborted;  // ND1-CN-ACC-04
        request_->complete(status);
    }

private:
    const std::unique_ptr<AsyncRequest> request_;
    const Ref<Nd1Endpoint> endpoint_;
    const Status timeout_;
};

// NotifyDisconnect: the connection has ended, by either side (ND1-CN-NDISC-01, ND1-AMB-29).
class Nd1AwaitingEnd final : public AsyncRequest {
public:
    explicit Nd1AwaitingEnd(std::unique_ptr<AsyncRequest> request) : request_(std::move(request)) {}

    void begin() override { request_->begin(); }
    void complete(Status status) override { request_->complete(status == Status::canceled ? status : Status::success); }

private:
    const std::unique_ptr<AsyncRequest> request_;
};

}  // namespace opennd
