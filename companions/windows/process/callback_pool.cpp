// SPDX-License-Identifier: MIT
// BindIoCompletionCallback: files are associated with the pool's port, the function as key (ND2-OVL-22); see
// callback_pool.h.
#include "windows/process/callback_pool.h"

#include <memory>
#include <new>
#include <system_error>
#include <thread>

#include "opennd.h"
#include "windows/last_error.h"

namespace opennd::windows {

CallbackPool& CallbackPool::instance() {
    static auto* const pool = new CallbackPool;
    return *pool;
}

HRESULT CallbackPool::bind(HANDLE file, LPOVERLAPPED_COMPLETION_ROUTINE function) {
    if (const HRESULT status = open(); FAILED(status)) return status;
    return opennd_port_associate(port_, file, reinterpret_cast<ULONG_PTR>(function));
}

HRESULT CallbackPool::open() {
    const std::lock_guard held(mutex_);
    if (port_ == nullptr)
        if (const HRESULT status = opennd_port_create(&port_); FAILED(status)) return status;
    if (threads_.load() == 0 && !add_thread()) return ND_INSUFFICIENT_RESOURCES;
    return ND_SUCCESS;
}

bool CallbackPool::call(LPOVERLAPPED_COMPLETION_ROUTINE function, void* argument) {
    const auto key = reinterpret_cast<ULONG_PTR>(function);
    return opennd_port_post(port_, 0, key, static_cast<OVERLAPPED*>(argument)) == ND_SUCCESS;
}

bool CallbackPool::add_thread() noexcept {
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

void CallbackPool::serve() {
    for (;;) {
        opennd_packet packet{};
        ULONG count = 0;
        const HRESULT status = opennd_port_wait(port_, &packet, 1, kIdleMs, &count);
        if (status == ND_TIMEOUT) {
            if (!ends_here()) continue;
            return;
        }
        if (FAILED(status)) return;  // the port is never closed
        // If no thread can be added, callbacks wait for each other; nothing else can be done.
        if (--waiting_ == 0 && threads_.load() < kMaxThreads) add_thread();
        const auto request_status = static_cast<HRESULT>(packet.status);
        const auto function = reinterpret_cast<LPOVERLAPPED_COMPLETION_ROUTINE>(packet.key);
        function(request_status == ND_SUCCESS ? 0u : static_cast<DWORD>(request_status), packet.bytes,
                 packet.overlapped);
        ++waiting_;
    }
}

// Whether this idle thread is one too many.
bool CallbackPool::ends_here() {
    unsigned waiting = waiting_.load();
    while (waiting > 1)
        if (waiting_.compare_exchange_weak(waiting, waiting - 1)) {
            --threads_;
            return true;
        }
    return false;
}

}  // namespace opennd::windows

using namespace opennd::windows;

BOOL BindIoCompletionCallback(HANDLE FileHandle, LPOVERLAPPED_COMPLETION_ROUTINE Function, ULONG Flags) {
    if (Function == nullptr || Flags != 0) return fail(ERROR_INVALID_PARAMETER, FALSE);
    return succeed_or_fail(CallbackPool::instance().bind(FileHandle, Function));
}
