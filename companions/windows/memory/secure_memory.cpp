// SPDX-License-Identifier: MIT
// AddSecureMemoryCacheCallback and its kin; see secure_memory.h.
#include "windows/memory/secure_memory.h"

#include <atomic>
#include <mutex>
#include <new>

#include "windows/last_error.h"

namespace opennd::windows {
namespace {

// A callback stays in the list for good, so that readers need no lock; `times` counts its additions minus its removals.
// A program has one or two.
struct Listener {
    const PSECURE_MEMORY_CACHE_CALLBACK callback;
    std::atomic<unsigned> times;
    Listener* const next;
};

std::mutex changing;                    // held while the list or a count changes
std::atomic<Listener*> first{nullptr};  // release: publishes the listener's members

Listener* find(PSECURE_MEMORY_CACHE_CALLBACK callback) {
    Listener* listener = first.load(std::memory_order_acquire);
    while (listener != nullptr && listener->callback != callback) listener = listener->next;
    return listener;
}

}  // namespace

void tell_that_memory_goes(void* address, SIZE_T bytes) noexcept {
    for (const Listener* listener = first.load(std::memory_order_acquire); listener != nullptr;
         listener = listener->next)
        for (unsigned i = listener->times.load(std::memory_order_acquire); i > 0; --i)
            listener->callback(address, bytes);
}

}  // namespace opennd::windows

using namespace opennd::windows;

BOOL AddSecureMemoryCacheCallback(PSECURE_MEMORY_CACHE_CALLBACK pfnCallBack) {
    if (pfnCallBack == nullptr) return fail(ERROR_INVALID_PARAMETER, FALSE);
    const std::lock_guard held(changing);
    if (Listener* const known = find(pfnCallBack)) {
        known->times.fetch_add(1, std::memory_order_release);
        return TRUE;
    }
    auto* const listener = new (std::nothrow) Listener{pfnCallBack, {1}, first.load(std::memory_order_relaxed)};
    if (listener == nullptr) return fail(ERROR_NOT_ENOUGH_MEMORY, FALSE);
    first.store(listener, std::memory_order_release);
    return TRUE;
}

BOOL RemoveSecureMemoryCacheCallback(PSECURE_MEMORY_CACHE_CALLBACK pfnCallBack) {
    const std::lock_guard held(changing);
    Listener* const known = find(pfnCallBack);
    if (known == nullptr || known->times.load(std::memory_order_relaxed) == 0)
        return fail(ERROR_INVALID_PARAMETER, FALSE);
    known->times.fetch_sub(1, std::memory_order_release);
    return TRUE;
}
