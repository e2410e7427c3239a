// SPDX-License-Identifier: MIT
// Work of the thread pool, whose calls the callback pool makes.
#include "win32/thread_pool.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>

#include "windows/last_error.h"
#include "windows/process/callback_pool.h"

using namespace opennd::windows;

struct _TP_CALLBACK_INSTANCE {};

struct _TP_WORK {
public:
    _TP_WORK(PTP_WORK_CALLBACK function, PVOID context) : function_(function), context_(context) {}
    _TP_WORK(const _TP_WORK&) = delete;
    _TP_WORK& operator=(const _TP_WORK&) = delete;

    void submit() {
        {
            const std::lock_guard held(mutex_);
            ++asked_;
            ++users_;
        }
        if (!CallbackPool::instance().call(make_one, this)) make_one(0, 0, reinterpret_cast<LPOVERLAPPED>(this));
    }

    void wait(bool drop) {
        std::unique_lock held(mutex_);
        if (drop) asked_ = 0;
        idle_.wait(held, [this] { return asked_ == 0 && running_ == 0; });
    }

    // The program, or a call that the pool had, is done with the work.
    void leave() {
        std::unique_lock held(mutex_);
        if (--users_ != 0) return;
        held.unlock();
        delete this;
    }

private:
    ~_TP_WORK() = default;

    static VOID CALLBACK make_one(DWORD, DWORD, LPOVERLAPPED argument) {
        auto* const work = reinterpret_cast<_TP_WORK*>(argument);
        if (work->begin()) {
            TP_CALLBACK_INSTANCE instance;
            work->function_(&instance, work->context_, work);
            work->end();
        }
        work->leave();
    }

    // Returns false if the call was dropped.
    bool begin() {
        const std::lock_guard held(mutex_);
        if (asked_ == 0) return false;
        --asked_;
        ++running_;
        return true;
    }

    void end() {
        const std::lock_guard held(mutex_);
        if (--running_ == 0 && asked_ == 0) idle_.notify_all();
    }

    const PTP_WORK_CALLBACK function_;
    const PVOID context_;
    std::mutex mutex_;              // guards the members below
    std::condition_variable idle_;  // no call is asked for, and none runs
    ULONGLONG asked_ = 0;           // calls that have not begun
    ULONGLONG running_ = 0;
    ULONGLONG users_ = 1;  // the program, and the calls that the pool has, dropped ones too
};

PTP_WORK CreateThreadpoolWork(PTP_WORK_CALLBACK pfnwk, PVOID pv, PTP_CALLBACK_ENVIRON pcbe) {
    if (pfnwk == nullptr || pcbe != nullptr) return fail(ERROR_INVALID_PARAMETER, PTP_WORK{});
    if (const HRESULT status = CallbackPool::instance().open(); FAILED(status))
        return fail(win32_error(status), PTP_WORK{});
    auto* const work = new (std::nothrow) TP_WORK(pfnwk, pv);
    return work != nullptr ? work : fail(ERROR_NOT_ENOUGH_MEMORY, PTP_WORK{});
}

VOID SubmitThreadpoolWork(PTP_WORK pwk) { pwk->submit(); }

VOID WaitForThreadpoolWorkCallbacks(PTP_WORK pwk, BOOL fCancelPendingCallbacks) {
    pwk->wait(fCancelPendingCallbacks != FALSE);
}

VOID CloseThreadpoolWork(PTP_WORK pwk) { pwk->leave(); }
