// SPDX-License-Identifier: MIT
// The calls that are queued to a thread (APCs), which it makes itself, in its alertable waits.
#pragma once

#include <memory>
#include <mutex>

#include "windows/sync/deadline.h"

namespace opennd::windows {

// One call. It is made before it is sure to be queued, so that queueing needs no memory.
class Apc {
public:
    // `owner`: a tag by which the call is withdrawn; null: it stays.
    explicit Apc(const void* owner) : owner_(owner) {}
    Apc(const Apc&) = delete;
    Apc& operator=(const Apc&) = delete;
    virtual ~Apc() = default;

    virtual void run() = 0;

private:
    friend class ApcQueue;
    const void* const owner_;
    std::unique_ptr<Apc> next_;  // the queue's
};

// Thread-safe, apart from what only its thread may do.
class ApcQueue {
public:
    ApcQueue() = default;
    ApcQueue(const ApcQueue&) = delete;
    ApcQueue& operator=(const ApcQueue&) = delete;
    ~ApcQueue();

    // The calling thread's, made if there is none. Throws std::bad_alloc.
    static const std::shared_ptr<ApcQueue>& of_this_thread();
    // The calling thread's, for an alertable wait. Null: it has none, so that no call can come while it waits.
    static ApcQueue* existing() noexcept;
    // The queue that the calling thread is born with, before it asks for its own.
    static void begin_thread(std::shared_ptr<ApcQueue> queue) noexcept;
    // The calling thread ends: calls that wait are dropped, and later ones refused.
    static void end_thread() noexcept;

    // Returns false if the thread has ended.
    bool push(std::unique_ptr<Apc> apc) noexcept;
    bool is_closed() const noexcept;

    // Whether a call of this owner waits; drops it.
    bool holds(const void* owner) const noexcept;
    void withdraw(const void* owner) noexcept;

    // The rest is for the queue's own thread.

    // Makes the calls that wait, the oldest first, and those that come meanwhile. Returns false if there was none.
    bool run_all();
    // Sleeps until a call comes. Returns false if none came in time.
    bool wait(const Deadline& deadline);
    // A descriptor that polls readable while calls wait. ND_SUCCESS; ND_INSUFFICIENT_RESOURCES: none is left.
    HRESULT descriptor(int& descriptor);

private:
    std::unique_ptr<Apc> take() noexcept;
    void close() noexcept;

    mutable std::mutex mutex_;    // guards the members below
    std::unique_ptr<Apc> first_;  // the list, the oldest first
    Apc* last_ = nullptr;         // of the list; null: it is empty
    bool closed_ = false;         // for good
    HANDLE waits_ = nullptr;      // an event, signalled while the list has a call; null until a descriptor is asked for
    alignas(4) DWORD changes_ = 0;  // counts pushes; atomic, for sleepers, not guarded
};

}  // namespace opennd::windows
