// SPDX-License-Identifier: MIT
// See process_dispatch.h.
#include "ndk/call/process_dispatch.h"

#include <atomic>
#include <new>
#include <type_traits>

#include "base/fork_step.h"
#include "ndk/call/refusal.h"
#include "platform/memory/constant_page.h"

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

// ---- functions of an inherited object --------------------------------------------------------------------------------

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

// ---- the tables of this process -------------------------------------------------------------------------------------

// On a page of its own. Set once in a process, and by a child before it has any other thread. Acquire and release.
constinit std::atomic<const DispatchTables*> current{nullptr};

// The objects of the parent refuse from then on.
class Tables final : public ForkStep {
    void begin_child() noexcept override {
        const DispatchTables* const inherited = current.exchange(nullptr, std::memory_order_relaxed);
        if (inherited) replace_constant_page(inherited, &kInherited, sizeof kInherited);
    }
};
constinit Tables tables_in_child;
[[maybe_unused]] const bool tables_listed = tables_in_child.list();

}  // namespace

const DispatchTables& dispatch() {
    if (const DispatchTables* const tables = current.load(std::memory_order_acquire)) return *tables;
    const auto* const made = static_cast<const DispatchTables*>(make_constant_page(&kDispatch, sizeof kDispatch));
    if (!made) throw std::bad_alloc();
    const DispatchTables* first = nullptr;
    if (current.compare_exchange_strong(first, made, std::memory_order_acq_rel)) return *made;
    drop_constant_page(made, sizeof *made);
    return *first;
}

}  // namespace opennd
