// SPDX-License-Identifier: MIT
// The threads that make calls of the program's: completion routines of BindIoCompletionCallback, work of the thread
// pool.
#pragma once

#include <atomic>
#include <mutex>

#include "win32/ports.h"

namespace opennd::windows {

// Calls wait at one port, which threads take them from. A call may block, on a lock that the thread which waits for
// other calls holds, too: so there is always one more thread that waits for a call than are inside calls.
class CallbackPool {
public:
    static CallbackPool& instance();

    // Lets requests that complete on the file call the function. ND_SUCCESS; why no port or no thread could be had.
    HRESULT bind(HANDLE file, LPOVERLAPPED_COMPLETION_ROUTINE function);

    // Before the first call of call(). ND_SUCCESS; why no port or no thread could be had.
    HRESULT open();
    // Lets a thread call the function, with the argument as its OVERLAPPED. Returns false if there is no memory.
    bool call(LPOVERLAPPED_COMPLETION_ROUTINE function, void* argument);

private:
    static constexpr unsigned kMaxThreads = 512;
    static constexpr DWORD kIdleMs = 20'000;  // then a thread ends that is one too many

    CallbackPool() = default;  // its threads run until the process ends

    bool add_thread() noexcept;
    void serve();
    bool ends_here();

    std::mutex mutex_;       // guards making the port
    HANDLE port_ = nullptr;  // set once
    std::atomic<unsigned> threads_{0};
    std::atomic<unsigned> waiting_{0};  // threads outside calls
};

}  // namespace opennd::windows
