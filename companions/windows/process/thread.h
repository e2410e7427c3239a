// SPDX-License-Identifier: MIT
// A thread of the program, as its handles see it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>

#include "win32/threads.h"
#include "windows/companion.h"
#include "windows/sync/apc_queue.h"

namespace opennd::windows {

class Thread final : public Companion {
public:
    // `ended` is a handle of the thread's own, beside the program's: those may be closed while the thread runs.
    explicit Thread(HANDLE ended) : ended_(ended) {}
    ~Thread() override;

    // In the thread itself: at its beginning, when it ends.
    void begin();
    void end();
    void set_exit_code(DWORD code) { exit_code_.store(code, std::memory_order_relaxed); }

    DWORD exit_code() const { return exit_code_.load(std::memory_order_relaxed); }
    // Waits until the thread has begun.
    pid_t id() const;
    const std::shared_ptr<ApcQueue>& apcs() const { return apcs_; }

private:
    const HANDLE ended_;
    const std::shared_ptr<ApcQueue> apcs_ = std::make_shared<ApcQueue>();
    std::atomic<DWORD> exit_code_{STILL_ACTIVE};
    std::atomic<pid_t> id_{0};  // 0: it has not begun
};

// The thread behind the handle, which may be GetCurrentThread(); 0: none.
pid_t thread_id_of(HANDLE thread);

}  // namespace opennd::windows
