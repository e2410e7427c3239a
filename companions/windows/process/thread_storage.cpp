// SPDX-License-Identifier: MIT
// TlsAlloc and its kin. A thread's values lie in a block of its own, made at its first value. An index that is taken
// again is of the next generation: values of the one before, which other threads' blocks still have, count as NULL.
#include "win32/thread_storage.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "windows/last_error.h"

namespace opennd::windows {
namespace {

constexpr DWORD kIndices = 1088;  // of a process on Windows

struct Value {
    LPVOID pointer;
    DWORD generation;
};

class ThreadStorage {
public:
    // A key of the system frees the blocks: unlike an object of the thread it is made anew where a later destructor
    // sets a value.
    ThreadStorage() { has_key_ = pthread_key_create(&key_, std::free) == 0; }

    DWORD take() {
        const std::lock_guard held(mutex_);
        for (DWORD index = 0; has_key_ && index < kIndices; ++index)
            if (!taken_[index]) {
                taken_[index] = true;
                generations_[index].fetch_add(1, std::memory_order_relaxed);
                return index;
            }
        return TLS_OUT_OF_INDEXES;
    }

    bool give_back(DWORD index) {
        const std::lock_guard held(mutex_);
        if (index >= kIndices || !taken_[index]) return false;
        taken_[index] = false;
        return true;
    }

    LPVOID value(DWORD index) const {
        const Value* const block = values();
        return block != nullptr && block[index].generation == generation(index) ? block[index].pointer : nullptr;
    }

    // Returns false if there is no memory.
    bool set(DWORD index, LPVOID pointer) {
        Value* block = values();
        if (block == nullptr) {
            if (pointer == nullptr) return true;
            block = static_cast<Value*>(std::calloc(kIndices, sizeof(Value)));
            if (block == nullptr || pthread_setspecific(key_, block) != 0) {
                std::free(block);
                return false;
            }
        }
        block[index] = {pointer, generation(index)};
        return true;
    }

private:
    Value* values() const { return has_key_ ? static_cast<Value*>(pthread_getspecific(key_)) : nullptr; }
    // A thread knows an index from the thread that took it, which orders the two: no order is needed here.
    DWORD generation(DWORD index) const { return generations_[index].load(std::memory_order_relaxed); }

    pthread_key_t key_{};   // constant
    bool has_key_ = false;  // constant
    std::mutex mutex_;      // guards taken_, and changes of generations_
    std::array<bool, kIndices> taken_{};
    std::array<std::atomic<DWORD>, kIndices> generations_{};
};

ThreadStorage& storage() {
    static auto* const storage = new ThreadStorage;  // never destroyed: threads use it while the process ends
    return *storage;
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

DWORD TlsAlloc(VOID) {
    const DWORD index = storage().take();
    return index != TLS_OUT_OF_INDEXES ? index : fail(ERROR_NO_MORE_ITEMS, index);
}

BOOL TlsFree(DWORD dwTlsIndex) { return storage().give_back(dwTlsIndex) ? TRUE : fail(ERROR_INVALID_PARAMETER, FALSE); }

LPVOID TlsGetValue(DWORD dwTlsIndex) {
    if (dwTlsIndex >= kIndices) return fail(ERROR_INVALID_PARAMETER, LPVOID{});
    SetLastError(ERROR_SUCCESS);
    return storage().value(dwTlsIndex);
}

BOOL TlsSetValue(DWORD dwTlsIndex, LPVOID lpTlsValue) {
    if (dwTlsIndex >= kIndices) return fail(ERROR_INVALID_PARAMETER, FALSE);
    return storage().set(dwTlsIndex, lpTlsValue) ? TRUE : fail(ERROR_NOT_ENOUGH_MEMORY, FALSE);
}
