// SPDX-License-Identifier: MIT
// Waiting for one handle or many. A wait for many sleeps in poll() on the events' descriptors, and takes signals only
// once it is awake; a wait that loses the race sleeps on. A mutex counts as an event, unless the waiting thread holds
// it: then it needs no signal. An alertable wait has one descriptor more, that of the calls queued to its thread.
#include <poll.h>

#include <array>
#include <cerrno>
#include <memory>
#include <new>
#include <span>

#include "opennd.h"
#include "win32/events.h"
#include "windows/companion.h"
#include "windows/last_error.h"
#include "windows/sync/apc_queue.h"
#include "windows/sync/deadline.h"
#include "windows/sync/mutex.h"

using namespace opennd::windows;

namespace {

class ManyEvents {
public:
    // apcs: of an alertable wait; otherwise null.
    ManyEvents(std::span<const HANDLE> handles, ApcQueue* apcs) : handles_(handles), apcs_(apcs) {}

    // ND_SUCCESS; ND_INVALID_HANDLE; ND_INSUFFICIENT_RESOURCES. Throws std::bad_alloc.
    HRESULT open() {
        for (std::size_t i = 0; i < handles_.size(); ++i) {
            polled_[i].events = POLLIN;
            const HRESULT status = opennd_event_descriptor(handles_[i], &polled_[i].fd);
            if (FAILED(status)) return status;
            mutexes_[i] = find_mutex(handles_[i]);
            mutexes_count_ += mutexes_[i] != nullptr;
            if (!is_held(i)) events_[events_count_++] = handles_[i];
        }
        if (mutexes_count_ != 0) Mutex::make_room(mutexes_count_);
        call_ = {.fd = -1, .events = POLLIN, .revents = 0};
        return apcs_ != nullptr ? apcs_->descriptor(call_.fd) : ND_SUCCESS;
    }

    // Takes the first that is signalled, or that this thread holds. ND_SUCCESS; ND_TIMEOUT: none is; a failure.
    HRESULT take_one(DWORD& index) const {
        for (std::size_t i = 0; i < handles_.size(); ++i) {
            const HRESULT status = is_held(i) ? ND_SUCCESS : opennd_event_wait(handles_[i], 0);
            index = static_cast<DWORD>(i);
            if (status != ND_TIMEOUT) return status;
        }
        return ND_TIMEOUT;
    }

    // Takes all or none. The same statuses.
    HRESULT take_all() const {
        return events_count_ == 0 ? ND_SUCCESS : opennd_event_take_all(events_.data(), events_count_);
    }

    // The wait's result after it took this one, or all.
    DWORD result_of_one(DWORD index) const {
        return (mutexes_[index] ? Mutex::take(mutexes_[index]) : WAIT_OBJECT_0) + index;
    }
    DWORD result_of_all() const {
        DWORD result = WAIT_OBJECT_0;
        for (DWORD i = 0; i < handles_.size(); ++i)
            if (mutexes_[i] && Mutex::take(mutexes_[i]) == WAIT_ABANDONED) result = WAIT_ABANDONED_0 + i;
        return result;
    }

    // Makes the calls that are queued to the thread. Returns false if there were none, or the wait is not alertable.
    bool make_calls() const { return apcs_ != nullptr && apcs_->run_all(); }

    // Sleeps until any is signalled, or a call is queued.
    void sleep_for_any(const Deadline& deadline) {
        polled_[handles_.size()] = call_;
        poll(polled_.data(), handles_.size() + 1, deadline.poll_timeout());
    }

    // Sleeps until one that is not signalled becomes so, or a call is queued: the others would keep poll() from
    // sleeping.
    void sleep_for_missing(const Deadline& deadline) {
        poll(polled_.data(), handles_.size(), 0);
        for (std::size_t i = 0; i < handles_.size(); ++i) {
            if (polled_[i].revents != 0 || is_held(i)) continue;
            std::array both{polled_[i], call_};
            poll(both.data(), both.size(), deadline.poll_timeout());
            return;
        }
    }

private:
    // Nothing changes that while this thread waits.
    bool is_held(std::size_t i) const { return mutexes_[i] && mutexes_[i]->is_mine(); }

    const std::span<const HANDLE> handles_;
    ApcQueue* const apcs_;
    pollfd call_{};  // descriptor -1: poll() passes over it
    std::array<pollfd, MAXIMUM_WAIT_OBJECTS + 1> polled_{};
    std::array<std::shared_ptr<Mutex>, MAXIMUM_WAIT_OBJECTS> mutexes_;  // null: not a mutex
    std::array<HANDLE, MAXIMUM_WAIT_OBJECTS> events_{};                 // that need a signal
    ULONG events_count_ = 0;
    std::size_t mutexes_count_ = 0;
};

bool are_distinct(std::span<const HANDLE> handles) {
    for (std::size_t i = 1; i < handles.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (number_of(handles[i]) == number_of(handles[j])) return false;
    return true;
}

DWORD wait_for_many(std::span<const HANDLE> handles, bool all, DWORD milliseconds, ApcQueue* apcs) {
    ManyEvents events(handles, apcs);
    if (const HRESULT status = events.open(); FAILED(status)) return fail(win32_error(status), WAIT_FAILED);

    const Deadline deadline(milliseconds);
    for (;;) {
        const bool last_look = deadline.has_passed();
        DWORD index = 0;
        const HRESULT status = all ? events.take_all() : events.take_one(index);
        if (FAILED(status)) return fail(win32_error(status), WAIT_FAILED);
        if (status == ND_SUCCESS) return all ? events.result_of_all() : events.result_of_one(index);
        if (events.make_calls()) return WAIT_IO_COMPLETION;
        if (last_look) return WAIT_TIMEOUT;
        if (all)
            events.sleep_for_missing(deadline);
        else
            events.sleep_for_any(deadline);
    }
}

}  // namespace

DWORD WaitForSingleObject(HANDLE hHandle, DWORD dwMilliseconds) try {
    const auto mutex = find_mutex(hHandle);
    if (mutex) Mutex::make_room(1);
    if (mutex && mutex->is_mine()) return Mutex::take(mutex);
    const HRESULT status = opennd_event_wait(hHandle, dwMilliseconds);
    if (status == ND_TIMEOUT) return WAIT_TIMEOUT;
    if (FAILED(status)) return fail(win32_error(status), WAIT_FAILED);
    return mutex ? Mutex::take(mutex) : WAIT_OBJECT_0;
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, WAIT_FAILED);
}

DWORD WaitForSingleObjectEx(HANDLE hHandle, DWORD dwMilliseconds, BOOL bAlertable) try {
    ApcQueue* const apcs = bAlertable ? ApcQueue::existing() : nullptr;
    return apcs != nullptr ? wait_for_many({&hHandle, 1}, false, dwMilliseconds, apcs)
                           : WaitForSingleObject(hHandle, dwMilliseconds);
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, WAIT_FAILED);
}

DWORD WaitForMultipleObjects(DWORD nCount, const HANDLE* lpHandles, BOOL bWaitAll, DWORD dwMilliseconds) {
    return WaitForMultipleObjectsEx(nCount, lpHandles, bWaitAll, dwMilliseconds, FALSE);
}

DWORD WaitForMultipleObjectsEx(DWORD nCount, const HANDLE* lpHandles, BOOL bWaitAll, DWORD dwMilliseconds,
                               BOOL bAlertable) try {
    if (nCount == 0 || nCount > MAXIMUM_WAIT_OBJECTS || lpHandles == nullptr)
        return fail(ERROR_INVALID_PARAMETER, WAIT_FAILED);
    const std::span<const HANDLE> handles(lpHandles, nCount);
    if (bWaitAll && !are_distinct(handles)) return fail(ERROR_INVALID_PARAMETER, WAIT_FAILED);
    return wait_for_many(handles, bWaitAll != FALSE, dwMilliseconds, bAlertable ? ApcQueue::existing() : nullptr);
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, WAIT_FAILED);
}
