// SPDX-License-Identifier: MIT
// CreateWaitableTimer and its kin, and the one thread that signals timers; see timer.h.
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <map>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "opennd.h"
#include "win32/clock.h"
#include "win32/handles.h"
#include "windows/last_error.h"
#include "windows/sync/names.h"
#include "windows/sync/timer.h"

namespace opennd::windows {
namespace {

constexpr LONGLONG kUnitsPerSecond = 10'000'000;      // 100 ns
constexpr LONGLONG kFrom1601To1970 = 11'644'473'600;  // seconds

// All zero would stop the descriptor's timer.
timespec or_soon(timespec time) { return time.tv_sec <= 0 && time.tv_nsec <= 0 ? timespec{0, 1} : time; }

timespec span_of(ULONGLONG units) {
    return or_soon({.tv_sec = static_cast<time_t>(units / kUnitsPerSecond),
                    .tv_nsec = static_cast<long>(units % kUnitsPerSecond) * 100});
}

timespec date_of(LONGLONG units) {
    if (units / kUnitsPerSecond < kFrom1601To1970) return or_soon({});
    return or_soon({.tv_sec = static_cast<time_t>(units / kUnitsPerSecond - kFrom1601To1970),
                    .tv_nsec = static_cast<long>(units % kUnitsPerSecond) * 100});
}

// Waits for the descriptors of all timers. It runs until the process ends.
class TimerThread {
public:
    // ERROR_SUCCESS; ERROR_NO_SYSTEM_RESOURCES. Throws std::bad_alloc.
    DWORD add(const std::shared_ptr<Timer>& timer) {
        const std::lock_guard held(mutex_);
        if (!start()) return ERROR_NO_SYSTEM_RESOURCES;
        timers_.insert_or_assign(timer->descriptor(), timer);
        epoll_event wanted{.events = EPOLLIN, .data = {.fd = timer->descriptor()}};
        if (epoll_ctl(descriptors_, EPOLL_CTL_ADD, timer->descriptor(), &wanted) == 0) return ERROR_SUCCESS;
        timers_.erase(timer->descriptor());
        return ERROR_NO_SYSTEM_RESOURCES;
    }

    // Before the descriptor is closed: its number may come again.
    void remove(int descriptor) {
        const std::lock_guard held(mutex_);
        timers_.erase(descriptor);
    }

private:
    bool start() {
        if (descriptors_ < 0) descriptors_ = epoll_create1(EPOLL_CLOEXEC);
        if (descriptors_ < 0 || runs_) return runs_;
        try {
            std::thread([this] { serve(); }).detach();
        } catch (const std::system_error&) {
            return false;
        }
        return runs_ = true;
    }

    void serve() {
        for (;;) {
            epoll_event ready{};
            if (epoll_wait(descriptors_, &ready, 1, -1) != 1) continue;
            if (const std::shared_ptr<Timer> timer = find(ready.data.fd)) timer->expire();
        }
    }

    // Returns null if the timer ends.
    std::shared_ptr<Timer> find(int descriptor) {
        const std::lock_guard held(mutex_);
        const auto found = timers_.find(descriptor);
        return found != timers_.end() ? found->second.lock() : nullptr;
    }

    std::mutex mutex_;  // guards the members below
    int descriptors_ = -1;
    bool runs_ = false;
    std::map<int, std::weak_ptr<Timer>> timers_;  // by descriptor
};

TimerThread& timer_thread() {
    static auto* const thread = new TimerThread;
    return *thread;
}

}  // namespace

// The routine's call, queued to the thread that set the timer.
class Timer::Call final : public Apc {
public:
    Call(const Timer* timer, PTIMERAPCROUTINE routine, LPVOID argument)
        : Apc(timer), routine_(routine), argument_(argument) {}

    void tell_time() { GetSystemTimeAsFileTime(&time_); }
    void run() override { routine_(argument_, time_.dwLowDateTime, time_.dwHighDateTime); }

private:
    const PTIMERAPCROUTINE routine_;
    const LPVOID argument_;
    FILETIME time_{};
};

Timer::~Timer() {
    timer_thread().remove(descriptor_);
    stop();
    close(descriptor_);
    opennd_handle_close(event_);
}

void Timer::set(const Times& times, PTIMERAPCROUTINE routine, LPVOID argument) {
    Completion completion;
    if (routine != nullptr)
        completion = {routine, argument, ApcQueue::of_this_thread(), std::make_unique<Call>(this, routine, argument)};
    const std::lock_guard held(mutex_);
    stop();
    completion_ = std::move(completion);
    opennd_event_reset(event_);
    const bool is_span = times.due <= 0;
    itimerspec wanted{};
    wanted.it_value = is_span ? span_of(0 - static_cast<ULONGLONG>(times.due)) : date_of(times.due);
    wanted.it_interval = {.tv_sec = times.period / 1000, .tv_nsec = times.period % 1000 * 1'000'000L};
    timerfd_settime(descriptor_, is_span ? 0 : TFD_TIMER_ABSTIME, &wanted, nullptr);
}

void Timer::cancel() {
    const std::lock_guard held(mutex_);
    stop();
}

void Timer::expire() {
    const std::lock_guard held(mutex_);
    std::uint64_t times = 0;
    if (read(descriptor_, &times, sizeof times) != sizeof times) return;  // set anew or stopped meanwhile
    if (completion_.queue && completion_.queue->is_closed()) {
        stop();
        return;
    }
    opennd_event_set(event_);
    if (completion_.queue) queue_call();
}

// The descriptor forgets what it has counted, too.
void Timer::stop() {
    constexpr itimerspec kNever{};
    timerfd_settime(descriptor_, 0, &kNever, nullptr);
    if (completion_.queue) completion_.queue->withdraw(this);
    completion_ = {};
}

void Timer::queue_call() {
    if (completion_.queue->holds(this)) return;
    if (!completion_.next)
        completion_.next.reset(new (std::nothrow) Call(this, completion_.routine, completion_.argument));
    if (!completion_.next) return;  // as if the last call were still queued
    static_cast<Call&>(*completion_.next).tell_time();
    completion_.queue->push(std::move(completion_.next));
}

namespace {

HANDLE create(BOOL manual_reset, bool named) try {
    if (named) return refuse_name("CreateWaitableTimer");
    // A span is measured by the clock that nobody sets, all the same.
    const int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (descriptor < 0) return fail(ERROR_NO_SYSTEM_RESOURCES, HANDLE{});
    const auto [handle, own] = open_event_of_two(manual_reset, FALSE);
    if (handle == nullptr) {
        close(descriptor);
        return nullptr;
    }
    std::shared_ptr<Timer> timer;
    try {
        timer = std::make_shared<Timer>(own, descriptor);
        keep_companion(handle, timer);
        if (const DWORD error = timer_thread().add(timer); error != ERROR_SUCCESS) {
            CloseHandle(handle);
            return fail(error, HANDLE{});
        }
    } catch (const std::bad_alloc&) {
        if (!timer) {
            close(descriptor);
            opennd_handle_close(own);
        }
        CloseHandle(handle);
        throw;
    }
    return handle;
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, HANDLE{});
}

HANDLE create_with_flags(DWORD flags, bool named) {
    constexpr DWORD kKnown = CREATE_WAITABLE_TIMER_MANUAL_RESET | CREATE_WAITABLE_TIMER_HIGH_RESOLUTION;
    if ((flags & ~kKnown) != 0) return fail(ERROR_INVALID_PARAMETER, HANDLE{});
    return create((flags & CREATE_WAITABLE_TIMER_MANUAL_RESET) != 0, named);
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

HANDLE CreateWaitableTimerA(LPSECURITY_ATTRIBUTES, BOOL bManualReset, LPCSTR lpTimerName) {
    return create(bManualReset, lpTimerName != nullptr);
}

HANDLE CreateWaitableTimerW(LPSECURITY_ATTRIBUTES, BOOL bManualReset, LPCWSTR lpTimerName) {
    return create(bManualReset, lpTimerName != nullptr);
}

HANDLE CreateWaitableTimerExA(LPSECURITY_ATTRIBUTES, LPCSTR lpTimerName, DWORD dwFlags, DWORD) {
    return create_with_flags(dwFlags, lpTimerName != nullptr);
}

HANDLE CreateWaitableTimerExW(LPSECURITY_ATTRIBUTES, LPCWSTR lpTimerName, DWORD dwFlags, DWORD) {
    return create_with_flags(dwFlags, lpTimerName != nullptr);
}

BOOL SetWaitableTimer(HANDLE hTimer, const LARGE_INTEGER* lpDueTime, LONG lPeriod,
                      PTIMERAPCROUTINE pfnCompletionRoutine, LPVOID lpArgToCompletionRoutine, BOOL fResume) try {
    const auto timer = find_companion<Timer>(hTimer);
    if (!timer) return fail(ERROR_INVALID_HANDLE, FALSE);
    if (lpDueTime == nullptr || lPeriod < 0) return fail(ERROR_INVALID_PARAMETER, FALSE);
    timer->set({lpDueTime->QuadPart, lPeriod}, pfnCompletionRoutine, lpArgToCompletionRoutine);
    if (fResume) SetLastError(ERROR_NOT_SUPPORTED);
    return TRUE;
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, FALSE);
}

BOOL CancelWaitableTimer(HANDLE hTimer) {
    const auto timer = find_companion<Timer>(hTimer);
    if (!timer) return fail(ERROR_INVALID_HANDLE, FALSE);
    timer->cancel();
    return TRUE;
}
