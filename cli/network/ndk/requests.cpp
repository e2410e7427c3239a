// SPDX-License-Identifier: MIT
//
// Read requests.h first.
#include "network/ndk/requests.h"

#include <atomic>

namespace nd {
namespace {

using Status = std::atomic_ref<ULONG_PTR>;

constexpr auto kPending = static_cast<ULONG_PTR>(ND_PENDING);

}  // namespace

void NdkRequests::begin(OVERLAPPED* request) {
    if (request->hEvent != nullptr) opennd_event_reset(request->hEvent);
    Status(request->Internal).store(kPending, std::memory_order_relaxed);
}

// The status comes last: afterwards the request may be gone (ND2-OVL-07).
void NdkRequests::complete(PVOID context, NTSTATUS status) {
    auto* const request = static_cast<OVERLAPPED*>(context);
    if (request->hEvent != nullptr) opennd_event_set(request->hEvent);
    const Status ended(request->Internal);
    ended.store(static_cast<ULONG_PTR>(status), std::memory_order_release);
    ended.notify_all();
}

HRESULT NdkRequests::result(OVERLAPPED* request) {
    const Status status(request->Internal);
    status.wait(kPending, std::memory_order_acquire);
    return static_cast<HRESULT>(status.load(std::memory_order_relaxed));
}

}  // namespace nd
