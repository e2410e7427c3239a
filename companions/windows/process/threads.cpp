// SPDX-License-Identifier: MIT
// Threads: a handle is an event that the thread signals when it ends, with a Thread as companion.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "opennd.h"
#include "process.h"
#include "windows/last_error.h"
#include "windows/process/module_entries.h"
#include "windows/process/thread.h"
#include "windows/sync/apc_queue.h"
#include "windows/sync/mutex.h"

namespace opennd::windows {
namespace {

constinit thread_local Thread* current_thread = nullptr;  // null: not started by CreateThread

struct Start {
    std::shared_ptr<Thread> thread;
    LPTHREAD_START_ROUTINE routine;
    LPVOID parameter;
};

// Lives on the stack of the new thread; return and ExitThread both destroy it.
class Running {
public:
    explicit Running(std::shared_ptr<Thread> thread) : thread_(std::move(thread)) {
        current_thread = thread_.get();
        ApcQueue::begin_thread(thread_->apcs());
        thread_->begin();
        tell_modules(DLL_THREAD_ATTACH);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
        tell_modules(DLL_THREAD_DETACH);
        ApcQueue::end_thread();
        Mutex::abandon_all();  // both before anybody learns of the end
        thread_->end();
    }

private:
    const std::shared_ptr<Thread> thread_;
};

void* run(void* argument) {
    const std::unique_ptr<Start> start(static_cast<Start*>(argument));
    const Running running(start->thread);
    start->thread->apcs()->run_all();  // those that were queued before the thread began
    start->thread->set_exit_code(start->routine(start->parameter));
    return nullptr;
}

class UserApc final : public Apc {
public:
    UserApc(PAPCFUNC function, ULONG_PTR data) : Apc(nullptr), function_(function), data_(data) {}
    void run() override { function_(data_); }

private:
    const PAPCFUNC function_;
    const ULONG_PTR data_;
};

// The queue of the thread behind the handle; null: not a thread. Throws std::bad_alloc.
std::shared_ptr<ApcQueue> apcs_of(HANDLE thread) {
    if (thread == GetCurrentThread()) return ApcQueue::of_this_thread();
    const auto found = find_companion<Thread>(thread);
    return found ? found->apcs() : nullptr;
}

// 0, or an errno. A stack of 0 bytes is one of the default size.
int start_detached(SIZE_T stack_bytes, std::unique_ptr<Start> start) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const SIZE_T least = static_cast<SIZE_T>(PTHREAD_STACK_MIN);
    if (stack_bytes != 0) pthread_attr_setstacksize(&attributes, stack_bytes < least ? least : stack_bytes);
    pthread_t ignored;
    const int error = pthread_create(&ignored, &attributes, run, start.get());
    pthread_attr_destroy(&attributes);
    if (error == 0) (void)start.release();
    return error;
}

}  // namespace

Thread::~Thread() { opennd_handle_close(ended_); }

void Thread::begin() {
    id_.store(gettid(), std::memory_order_release);
    id_.notify_all();
}

void Thread::end() { opennd_event_set(ended_); }

pid_t Thread::id() const {
    id_.wait(0, std::memory_order_acquire);
    return id_.load(std::memory_order_acquire);
}

pid_t thread_id_of(HANDLE thread) {
    if (thread == GetCurrentThread()) return gettid();
    const auto found = find_companion<Thread>(thread);
    return found ? found->id() : 0;
}

}  // namespace opennd::windows

using namespace opennd::windows;

HANDLE CreateThread(LPSECURITY_ATTRIBUTES, SIZE_T dwStackSize, LPTHREAD_START_ROUTINE lpStartAddress,
                    LPVOID lpParameter, DWORD dwCreationFlags, LPDWORD lpThreadId) {
    if (lpStartAddress == nullptr || (dwCreationFlags & ~DWORD{STACK_SIZE_PARAM_IS_A_RESERVATION}) != 0)
        return fail(ERROR_INVALID_PARAMETER, HANDLE{});
    const auto [handle, own] = open_event_of_two(TRUE, FALSE);
    if (handle == nullptr) return nullptr;
    std::shared_ptr<Thread> thread;
    try {
        thread = std::make_shared<Thread>(own);
        keep_companion(handle, thread);
        auto start = std::make_unique<Start>(Start{thread, lpStartAddress, lpParameter});
        if (start_detached(dwStackSize, std::move(start)) != 0) {
            CloseHandle(handle);
            return fail(ERROR_NO_SYSTEM_RESOURCES, HANDLE{});
        }
    } catch (const std::bad_alloc&) {
        if (!thread) opennd_handle_close(own);
        CloseHandle(handle);
        return fail(ERROR_NOT_ENOUGH_MEMORY, HANDLE{});
    }
    if (lpThreadId != nullptr) *lpThreadId = static_cast<DWORD>(thread->id());
    return handle;
}

VOID ExitThread(DWORD dwExitCode) {
    if (current_thread != nullptr) current_thread->set_exit_code(dwExitCode);
    pthread_exit(nullptr);
}

BOOL GetExitCodeThread(HANDLE hThread, LPDWORD lpExitCode) {
    const auto thread = find_companion<Thread>(hThread);
    if (!thread || lpExitCode == nullptr)
        return fail(thread ? DWORD{ERROR_INVALID_PARAMETER} : DWORD{ERROR_INVALID_HANDLE}, FALSE);
    *lpExitCode = thread->exit_code();
    return TRUE;
}

HANDLE GetCurrentThread(VOID) { return reinterpret_cast<HANDLE>(LONG_PTR{-2}); }

DWORD GetCurrentThreadId(VOID) {
    thread_local const pid_t id = gettid();
    return static_cast<DWORD>(id);
}

VOID Sleep(DWORD dwMilliseconds) {
    if (dwMilliseconds == 0) {
        sched_yield();
        return;
    }
    do std::this_thread::sleep_for(std::chrono::milliseconds(dwMilliseconds));
    while (dwMilliseconds == INFINITE);
}

DWORD SleepEx(DWORD dwMilliseconds, BOOL bAlertable) {
    ApcQueue* const apcs = bAlertable ? ApcQueue::existing() : nullptr;
    if (apcs != nullptr) return apcs->wait(Deadline(dwMilliseconds)) && apcs->run_all() ? DWORD{WAIT_IO_COMPLETION} : 0;
    Sleep(dwMilliseconds);
    return 0;
}

DWORD QueueUserAPC(PAPCFUNC pfnAPC, HANDLE hThread, ULONG_PTR dwData) try {
    if (pfnAPC == nullptr) return fail(ERROR_INVALID_PARAMETER, DWORD{0});
    const auto queue = apcs_of(hThread);
    if (!queue) return fail(ERROR_INVALID_HANDLE, DWORD{0});
    return queue->push(std::make_unique<UserApc>(pfnAPC, dwData)) ? 1u : fail(ERROR_GEN_FAILURE, DWORD{0});
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, DWORD{0});
}

BOOL SwitchToThread(VOID) { return sched_yield() == 0; }

uintptr_t _beginthreadex(void* security, unsigned stack_size, unsigned(WINAPI* start_address)(void*), void* arglist,
                         unsigned initflag, unsigned* thrdaddr) {
    return reinterpret_cast<uintptr_t>(CreateThread(static_cast<LPSECURITY_ATTRIBUTES>(security), stack_size,
                                                    start_address, arglist, initflag, thrdaddr));
}

void _endthreadex(unsigned retval) { ExitThread(retval); }

int _getpid(void) { return getpid(); }
