// SPDX-License-Identifier: MIT
// The judge of faults and the recovery point of a thread; see guarded_copy.h.
#include "platform/memory/guarded_copy.h"

#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "platform/memory/long_copy.h"
#include "platform/process/fault_handlers.h"

namespace opennd {
namespace {

// A copy that is under way in this thread.
struct Copy {
    const std::byte* to;
    const std::byte* from;
    std::size_t bytes;
    sigjmp_buf recovery;
};

// The kernel may name the page's begin.
bool lies_in(const std::byte* address, const std::byte* begin, std::size_t bytes) {
    const auto page = [](const std::byte* byte) { return reinterpret_cast<std::uintptr_t>(byte) / kCopyPage; };
    return bytes != 0 && page(begin) <= page(address) && page(address) <= page(begin + bytes - 1);
}

// Written by the thread, read by the handler on the same one. In the library's own block of a thread: the handler must not make it.
[[gnu::tls_model("initial-exec")]] constinit thread_local Copy* copy_under_way = nullptr;
[[gnu::tls_model("initial-exec")]] constinit thread_local const std::byte* absent = nullptr;

#if defined(__x86_64__)
// A row of guarded_copy.h: distances from the members' own places to the first instruction, behind the last, and to where a thread goes on.
struct Landing {
    std::int32_t begin, end, absent;
};

std::uintptr_t named_by(const std::int32_t& distance) {
    return reinterpret_cast<std::uintptr_t>(&distance) + static_cast<std::uintptr_t>(std::intptr_t{distance});
}
}  // namespace

// The linker names the ends of the section; weak, because a build without moves has none.
extern "C" {
[[gnu::visibility("hidden"),
  gnu::weak]] extern const Landing __start_opennd_landings[];  // NOLINT(bugprone-reserved-identifier)
[[gnu::visibility("hidden"),
  gnu::weak]] extern const Landing __stop_opennd_landings[];  // NOLINT(bugprone-reserved-identifier)
}

namespace {
bool land(void* context) {
    greg_t& instruction = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
    const auto at = static_cast<std::uintptr_t>(instruction);
    for (const Landing* row = __start_opennd_landings; row != __stop_opennd_landings; ++row) {
        if (at < named_by(row->begin) || at >= named_by(row->end)) continue;
        instruction = static_cast<greg_t>(named_by(row->absent));
        return true;
    }
    return false;
}
#else
bool land(void*) { return false; }
#endif

bool judge(const siginfo_t& info, void* context) noexcept {
    const auto* const address = static_cast<const std::byte*>(info.si_addr);
    if (land(context)) {
        absent = address;
        return true;
    }
    Copy* const copy = copy_under_way;
    if (!copy || !(lies_in(address, copy->to, copy->bytes) || lies_in(address, copy->from, copy->bytes))) return false;
    absent = address;
    copy_under_way = nullptr;
    // A jump leaves the signal blocked, which a return would not.
    ::pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t*>(context)->uc_sigmask, nullptr);
    siglongjmp(copy->recovery, 1);
}

// The handler runs between two instructions of this thread: only the compiler must keep the order.
template <typename Work>
bool with_recovery(std::byte* to, const std::byte* from, std::size_t bytes, Work work) {
    Copy copy{to, from, bytes, {}};
    if (sigsetjmp(copy.recovery, 0) != 0) return false;
    copy_under_way = &copy;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    work();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    copy_under_way = nullptr;
    return true;
}

}  // namespace

void guard_copies() noexcept { stand_before_handlers(&judge); }

const std::byte* absent_memory() noexcept { return absent; }

bool is_absent_in(const std::byte* begin, std::size_t bytes) noexcept { return lies_in(absent, begin, bytes); }

bool copy_with_recovery(std::byte* to, const std::byte* from, std::size_t bytes) {
    return with_recovery(to, from, bytes, [=] {
        if (bytes > kCopyStrideBytes)
            copy_longer(to, from, bytes);
        else
            std::memcpy(to, from, bytes);
    });
}

bool store_with_recovery(std::byte* to, const std::byte* from, std::size_t bytes) {
    return with_recovery(to, from, bytes, [=] {
        // The thread sanitizer stores under a lock of its own, which a jump would leave held: memory that is gone is met before.
        static_cast<void>(*static_cast<const volatile std::byte*>(to));
        if (bytes == sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, from, sizeof word);
            std::atomic_ref(*reinterpret_cast<std::uint64_t*>(to)).store(word, std::memory_order_release);
        } else {
            std::atomic_ref(*reinterpret_cast<std::uint8_t*>(to))
                .store(static_cast<std::uint8_t>(*from), std::memory_order_release);
        }
    });
}

}  // namespace opennd
