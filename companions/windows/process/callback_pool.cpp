// SPDX-License-Identifier: MIT
// BindIoCompletionCallback: files are associated with one port of ours, the function as key, and threads of a pool take
// its packets (ND2-OVL-22). A callback may block, on a lock that the thread which waits for other callbacks holds, too:
// so there is always one more thread that waits for a packet than are inside callbacks.
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "opennd.h"
#include "win32/ports.h"
#include "windows/last_error.h"

namespace opennd::windows {
namespace {

class CallbackPool {
public:
    // ND_SUCCESS; why no port or no thread could be had.
    HRESULT bind(HANDLE file, LPOVERLAPPED_COMPLETION_ROUTINE function) {
        if (const HRESULT status = open(); FAILED(status)) return status;
        return opennd_port_associate(port_, file, reinterpret_cast<ULONG_PTR>(function));
    }

private:
    static constexpr unsigned kMaxThreads = 512;
    static constexpr DWORD kIdleMs = 20'000;  // then a thread ends that is one too many

    HRESULT open() {
        const std::lock_guard held(mutex_);
        if (port_ == nullptr)
            if (const HRESULT status = opennd_port_create(&port_); FAILED(status)) return status;
        if (threads_.load() == 0 && !add_thread()) return ND_INSUFFICIENT_RESOURCES;
        return ND_SUCCESS;
    }

    bool add_thread() noexcept {
        ++threads_;
        ++waiting_;
        try {
            std::thread([this] { serve(); }).detach();
            return true;
        } catch (const std::system_error&) {
            --threads_;
            --waiting_;
            return false;
        } catch (const std::bad_alloc&) {
            --threads_;
            --waiting_;
            return false;
        }
    }

    void serve() {
        for (;;) {
            opennd_packet packet{};
            ULONG count = 0;
            const HRESULT status = opennd_port_wait(port_, &packet, 1, kIdleMs, &count);
            if (status == ND_TIMEOUT) {
                if (!ends_here()) continue;
                return;
            }
            if (FAILED(status)) return;  // the port is never closed
            // Without another thread, callbacks wait for each other; that is all that can be done then.
            if (--waiting_ == 0 && threads_.load() < kMaxThreads) add_thread();
            const auto request_status = static_cast<HRESULT>(packet.status);
            const auto function = reinterpret_cast<LPOVERLAPPED_COMPLETION_ROUTINE>(packet.key);
            function(request_status == ND_SUCCESS ? 0u : static_cast<DWORD>(request_status), packet.bytes,
                     packet.overlapped);
            ++waiting_;
        }
    }

    // Whether this idle thread is one too many.
    bool ends_here() {
        unsigned waiting = waiting_.load();
        while (waiting > 1)
            if (waiting_.compare_exchange_weak(waiting, waiting - 1)) {
                --threads_;
                return true;
            }
        return false;
    }

    std::mutex mutex_;       // guards making the port
    HANDLE port_ = nullptr;  // set once
    std::atomic<unsigned> threads_{0};
    std::atomic<unsigned> waiting_{0};  // threads outside callbacks
};

CallbackPool& pool() {
    static auto* const pool = new CallbackPool;  // its threads run until the process ends
    return *pool;
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

BOOL BindIoCompletionCallback(HANDLE FileHandle, LPOVERLAPPED_COMPLETION_ROUTINE Function, ULONG Flags) {
    if (Function == nullptr || Flags != 0) return fail(ERROR_INVALID_PARAMETER, FALSE);
    return succeed_or_fail(pool().bind(FileHandle, Function));
}
