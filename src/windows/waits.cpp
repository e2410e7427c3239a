// SPDX-License-Identifier: MIT
// Waiting for one handle or many. A wait for many sleeps in poll() on the events' descriptors, and takes signals only
// once it is awake: whoever takes first has them, the others sleep on.
#include <poll.h>

#include <array>
#include <cerrno>
#include <span>

#include "opennd.h"
#include "win32/events.h"
#include "windows/deadline.h"
#include "windows/last_error.h"

using namespace opennd::windows;

namespace {

class ManyEvents {
public:
    explicit ManyEvents(std::span<const HANDLE> events) : events_(events) {}

    // ND_SUCCESS; ND_INVALID_HANDLE.
    HRESULT open() {
        for (std::size_t i = 0; i < events_.size(); ++i) {
            polled_[i].events = POLLIN;
            const HRESULT status = opennd_event_descriptor(events_[i], &polled_[i].fd);
            if (FAILED(status)) return status;
        }
        return ND_SUCCESS;
    }

    // Takes the first event that is signalled. ND_SUCCESS; ND_TIMEOUT: none is; a failure.
    HRESULT take_one(DWORD& index) const {
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const HRESULT status = opennd_event_wait(events_[i], 0);
            index = static_cast<DWORD>(i);
            if (status != ND_TIMEOUT) return status;
        }
        return ND_TIMEOUT;
    }

    // Takes all or none. The same statuses.
    HRESULT take_all() const { return opennd_event_take_all(events_.data(), static_cast<ULONG>(events_.size())); }

    // Sleeps until any is signalled.
    void sleep_for_any(const Deadline& deadline) { poll(polled_.data(), events_.size(), deadline.poll_timeout()); }

    // Sleeps until one that is not signalled becomes so: the others would keep poll() from sleeping.
    void sleep_for_missing(const Deadline& deadline) {
        poll(polled_.data(), events_.size(), 0);
        for (std::size_t i = 0; i < events_.size(); ++i) {
            if (polled_[i].revents != 0) continue;
            poll(&polled_[i], 1, deadline.poll_timeout());
            return;
        }
    }

private:
    const std::span<const HANDLE> events_;
    std::array<pollfd, MAXIMUM_WAIT_OBJECTS> polled_{};
};

bool are_distinct(std::span<const HANDLE> handles) {
    for (std::size_t i = 1; i < handles.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (handles[i] == handles[j]) return false;
    return true;
}

}  // namespace

DWORD WaitForSingleObject(HANDLE hHandle, DWORD dwMilliseconds) {
    const HRESULT status = opennd_event_wait(hHandle, dwMilliseconds);
    if (status == ND_TIMEOUT) return WAIT_TIMEOUT;
    return FAILED(status) ? fail(win32_error(status), WAIT_FAILED) : WAIT_OBJECT_0;
}

DWORD WaitForMultipleObjects(DWORD nCount, const HANDLE* lpHandles, BOOL bWaitAll, DWORD dwMilliseconds) {
    if (nCount == 0 || nCount > MAXIMUM_WAIT_OBJECTS || lpHandles == nullptr)
        return fail(ERROR_INVALID_PARAMETER, WAIT_FAILED);
    const std::span<const HANDLE> handles(lpHandles, nCount);
    if (bWaitAll && !are_distinct(handles)) return fail(ERROR_INVALID_PARAMETER, WAIT_FAILED);
    ManyEvents events(handles);
    if (const HRESULT status = events.open(); FAILED(status)) return fail(win32_error(status), WAIT_FAILED);

    const Deadline deadline(dwMilliseconds);
    for (;;) {
        const bool last_look = deadline.has_passed();
        DWORD index = 0;
        const HRESULT status = bWaitAll ? events.take_all() : events.take_one(index);
        if (FAILED(status)) return fail(win32_error(status), WAIT_FAILED);
        if (status == ND_SUCCESS) return WAIT_OBJECT_0 + index;
        if (last_look) return WAIT_TIMEOUT;
        if (bWaitAll)
            events.sleep_for_missing(deadline);
        else
            events.sleep_for_any(deadline);
    }
}

DWORD WaitForSingleObjectEx(HANDLE hHandle, DWORD dwMilliseconds, BOOL) {
    return WaitForSingleObject(hHandle, dwMilliseconds);
}

DWORD WaitForMultipleObjectsEx(DWORD nCount, const HANDLE* lpHandles, BOOL bWaitAll, DWORD dwMilliseconds, BOOL) {
    return WaitForMultipleObjects(nCount, lpHandles, bWaitAll, dwMilliseconds);
}
