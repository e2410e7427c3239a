// SPDX-License-Identifier: MIT
// A provider of NDK objects that does nothing but remember: each request pends until the test ends it, or ends inline.
#pragma once

#include <kernel/status.h>
#include <ndkpi.h>

#include <functional>
#include <utility>

namespace opennd {

class FakeProvider {
public:
    FakeProvider();

    NDK_ADAPTER* adapter() { return &adapter_; }

    bool pends = false;                        // creates, closes and requests
    NTSTATUS request_status = STATUS_SUCCESS;  // of requests that do not pend, and of the next end()
    int calls = 0;                             // that reached the provider
    int closes = 0;

    // Ends the pending request.
    void end() { std::exchange(end_, nullptr)(); }

    // The callbacks of the consumer's queue and listener.
    NDK_FN_CQ_NOTIFICATION_CALLBACK notification = nullptr;
    PVOID notification_context = nullptr;
    NDK_FN_CONNECT_EVENT_CALLBACK connect_event = nullptr;
    PVOID connect_context = nullptr;
    NDK_FN_DISCONNECT_EVENT_CALLBACK disconnect_event = nullptr;
    PVOID disconnect_context = nullptr;

    NDK_CQ cq{};
    NDK_PD pd{};
    NDK_MR mr{};
    NDK_LISTENER listener{};
    NDK_CONNECTOR connector{};

private:
    static FakeProvider& instance();

    NTSTATUS request(NDK_FN_REQUEST_COMPLETION completion, PVOID context);
    NTSTATUS made(NDK_OBJECT_HEADER& header, NDK_FN_CREATE_COMPLETION completion, PVOID context);
    static NTSTATUS close(NDK_OBJECT_HEADER*, NDK_FN_CLOSE_COMPLETION completion, PVOID context);

    NDK_ADAPTER_DISPATCH adapter_table_{};
    NDK_CQ_DISPATCH cq_table_{};
    NDK_PD_DISPATCH pd_table_{};
    NDK_MR_DISPATCH mr_table_{};
    NDK_LISTENER_DISPATCH listener_table_{};
    NDK_CONNECTOR_DISPATCH connector_table_{};
    NDK_ADAPTER adapter_{};
    std::function<void()> end_;
};

}  // namespace opennd
