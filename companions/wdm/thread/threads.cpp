// SPDX-License-Identifier: MIT
// Threads of a consumer's own.
#include "kernel/threads.h"

#include <pthread.h>
#include <unistd.h>

#include <memory>
#include <new>

#include "kernel/irql.h"
#include "wdm/checking/checking.h"
#include "wdm/checking/references.h"
#include "wdm/sync/dispatcher.h"
#include "wdm/sync/time_limit.h"

using namespace opennd::wdm;

namespace {

constinit thread_local _KTHREAD* current_thread = nullptr;  // null: not started here

class Reference {
public:
    explicit Reference(_KTHREAD& thread) : thread_(thread) {}
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;
    ~Reference() { drop_reference(thread_); }

private:
    _KTHREAD& thread_;
};

struct Start {
    _KTHREAD* thread;  // with a reference of the running thread's
    PKSTART_ROUTINE routine;
    void* context;
};

// Lives on the stack of the new thread; return and PsTerminateSystemThread both destroy it.
class Running {
public:
    explicit Running(_KTHREAD& thread) : thread_(thread) {
        current_thread = &thread;
        thread.id.store(gettid(), std::memory_order_release);
        thread.id.notify_all();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
        (void)expect_irql_at_most(PASSIVE_LEVEL, "the end of a thread", {"thread", &thread_});
        (void)signal(thread_.header);
        drop_reference(thread_);
    }

private:
    _KTHREAD& thread_;
};

void* run(void* argument) {
    const std::unique_ptr<Start> start(static_cast<Start*>(argument));
    const Running running(*start->thread);
    start->routine(start->context);
    return nullptr;
}

bool start_detached(std::unique_ptr<Start> start) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t ignored;
    const int error = pthread_create(&ignored, &attributes, run, start.get());
    pthread_attr_destroy(&attributes);
    if (error == 0) (void)start.release();
    return error == 0;
}

}  // namespace

NTSTATUS PsCreateSystemThread(PHANDLE ThreadHandle, ULONG, POBJECT_ATTRIBUTES, HANDLE ProcessHandle,
                              PCLIENT_ID ClientId, PKSTART_ROUTINE StartRoutine, PVOID StartContext) {
    (void)expect_irql_at_most(PASSIVE_LEVEL, "PsCreateSystemThread", {"thread", nullptr});
    if (ThreadHandle == nullptr || ProcessHandle != nullptr || StartRoutine == nullptr) return STATUS_INVALID_PARAMETER;
    try {
        // One reference is the thread's, one the handle's, one this function's.
        auto* const thread = new _KTHREAD{.header = {}, .references = 3, .id = 0};
        initialize(thread->header, kThread, false);
        const Reference held(*thread);
        const HANDLE handle = open_handle(*thread);
        if (!start_detached(std::unique_ptr<Start>(new Start{thread, StartRoutine, StartContext}))) {
            drop_reference(*thread);
            (void)ZwClose(handle);
            return STATUS_INSUFFICIENT_RESOURCES;
        }
        *ThreadHandle = handle;
        if (ClientId != nullptr) {
            thread->id.wait(0, std::memory_order_acquire);
            *ClientId = {.UniqueProcess = reinterpret_cast<HANDLE>(static_cast<ULONG_PTR>(getpid())),
                         .UniqueThread = reinterpret_cast<HANDLE>(static_cast<ULONG_PTR>(thread->id.load()))};
        }
        return STATUS_SUCCESS;
    } catch (const std::bad_alloc&) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
}

NTSTATUS PsTerminateSystemThread(NTSTATUS) {
    if (current_thread == nullptr) return STATUS_INVALID_PARAMETER;
    pthread_exit(nullptr);
}

NTSTATUS KeDelayExecutionThread(KPROCESSOR_MODE, BOOLEAN, PLARGE_INTEGER Interval) {
    (void)expect_irql_at_most(APC_LEVEL, "KeDelayExecutionThread", {"thread", current_thread});
    DISPATCHER_HEADER never;
    initialize(never, kNotificationEvent, false);
    (void)wait(never, time_limit(Interval));
    return STATUS_SUCCESS;
}
