// SPDX-License-Identifier: MIT
// See process_dispatch.h.
#include "ndk/process_dispatch.h"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <new>
#include <type_traits>

#include "ndk/refusal.h"

namespace opennd {

NTSTATUS refuse_inherited() noexcept {
    return refuse(STATUS_DEVICE_REMOVED, {.object = "an object of the parent process",
                                          .operation = "a function of its table",
                                          .asked = "its use in a child of fork",
                                          .limit = "the process that made it",
                                          .remedy = "open an adapter in the child",
                                          .requirement = "NDK-GEN-18"});
}

namespace {

// ---- what an inherited object answers -------------------------------------------------------------------------------

// A function of any type that refuses if it has a status, and otherwise does nothing and gives back 0.
struct Refusing {
    template <typename Result, typename... Arguments>
    using Function = Result (*)(Arguments...);

    template <typename Result, typename... Arguments>
    constexpr operator Function<Result, Arguments...>() const {
        return [](Arguments...) -> Result {
            if constexpr (std::is_same_v<Result, NTSTATUS>)
                return refuse_inherited();
            else
                return Result();
        };
    }
};
constexpr Refusing kRefusing;

NTSTATUS close_nothing(NDK_OBJECT_HEADER*, NDK_FN_CLOSE_COMPLETION, PVOID) { return STATUS_SUCCESS; }

constexpr DispatchTables kInherited = {
    .adapter = {kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing},
    .domain = {close_nothing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing},
    .completion_queue = {close_nothing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing},
    .queue_pair = {close_nothing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing,
                   kRefusing, kRefusing, kRefusing},
    .shared_receive_queue = {close_nothing, kRefusing, kRefusing, kRefusing},
    .region = {close_nothing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing},
    .window = {close_nothing, kRefusing, kRefusing},
    .shared_endpoint = {close_nothing, kRefusing, kRefusing},
    .connector = {close_nothing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing, kRefusing,
                  kRefusing, kRefusing, kRefusing, kRefusing},
    .listener = {close_nothing, kRefusing, kRefusing, kRefusing, kRefusing},
};

// ---- whose tables they are ------------------------------------------------------------------------------------------

// A page of its own, which nobody writes but a child, and that its own copy.
struct alignas(4096) Page {
    DispatchTables tables;
};
static_assert(sizeof(Page) == 4096);

// Set once in a process, and by a child before it has any other thread. Acquire and release.
constinit std::atomic<Page*> current{nullptr};
// Relaxed: written by a child before it has any other thread.
constinit std::atomic<unsigned> generation{0};

Page* new_page() {
    void* const memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    std::memcpy(memory, &kDispatch, sizeof kDispatch);
    mprotect(memory, sizeof(Page), PROT_READ);
    return static_cast<Page*>(memory);
}

// In the child, before anything else of it runs; only system calls.
void disown() {
    generation.fetch_add(1, std::memory_order_relaxed);
    Page* const inherited = current.exchange(nullptr, std::memory_order_relaxed);
    if (!inherited || mprotect(inherited, sizeof(Page), PROT_READ | PROT_WRITE) != 0) return;
    std::memcpy(inherited, &kInherited, sizeof kInherited);
    mprotect(inherited, sizeof(Page), PROT_READ);
}

}  // namespace

const DispatchTables& dispatch() {
    if (const Page* const page = current.load(std::memory_order_acquire)) return page->tables;
    Page* const made = new_page();
    if (!made) throw std::bad_alloc();
    static const int disowned_by_children = pthread_atfork(nullptr, nullptr, disown);
    static_cast<void>(disowned_by_children);
    Page* first = nullptr;
    if (current.compare_exchange_strong(first, made, std::memory_order_acq_rel)) return made->tables;
    munmap(made, sizeof(Page));
    return first->tables;
}

unsigned process_generation() { return generation.load(std::memory_order_relaxed); }

}  // namespace opennd
