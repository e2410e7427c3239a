// SPDX-License-Identifier: MIT
//
// NdkRequests: what requests of NDK are made on. NDK tells the end of a request by a callback; here the callback does to an
// OVERLAPPED what providers of the other versions do, so that one wait is enough for all. Objects of this folder have the
// methods of version 2, by their names, as far as this command calls them.
#pragma once

#include <opennd.h>
#include <opennd_ndk.h>

namespace nd {

class NdkRequests {
public:
    // Cancels the pending requests; the objects cannot be used any more, but for a completion queue and a listener.
    virtual void CancelOverlappedRequests() = 0;

    // The final status of a request, made on any object; waits for it.
    static HRESULT result(OVERLAPPED* request);

protected:
    NdkRequests() = default;
    NdkRequests(const NdkRequests&) = delete;
    NdkRequests& operator=(const NdkRequests&) = delete;
    ~NdkRequests() = default;

    // In progress from now on. Functions of NDK get complete() as their completion and the request as its context.
    static void begin(OVERLAPPED* request);
    static void complete(PVOID request, NTSTATUS status);
};

}  // namespace nd
