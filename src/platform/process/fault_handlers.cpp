// SPDX-License-Identifier: MIT
// See fault_handlers.h. The handler that a program sets later may hand on to the one that it found, which is the one here. So each
// place in front has an entry of its own with the action behind it, and no fault goes round in a circle.
#include "platform/process/fault_handlers.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/log.h"

namespace opennd {
namespace {

constexpr std::size_t kPlaces = 8;
constexpr std::array kSignals = {SIGSEGV, SIGBUS};

// The action behind an entry. `state` counts up once each: the thread that made it 1 fills `action`, and makes it 2 before an entry
// uses it. A handler reads `action` without a lock; only SA_RESETHAND changes it then.
struct Place {
    enum class State { free, claimed, filled };
    std::atomic<State> state{State::free};
    struct sigaction action {};
};

constinit std::array<std::array<Place, kPlaces>, kSignals.size()> places;
constinit std::atomic<FaultJudge> the_judge{nullptr};  // release: set before an entry is

using Entry = void (*)(int, siginfo_t*, void*);

bool is_sent(const siginfo_t& info) { return info.si_code <= 0; }

// The default action comes when the handler returns and the signal is let through, with the thread as it was at the fault. A fault
// comes again by itself where the system call is forbidden.
void act_by_default(int signal, siginfo_t* info) {
    struct sigaction by_default {};
    by_default.sa_handler = SIG_DFL;
    ::sigaction(signal, &by_default, nullptr);
    const long sent = ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), ::syscall(SYS_gettid), signal, info);
    if (sent != 0 && is_sent(*info)) ::raise(signal);
}

// Calls the handler as the kernel would have called it. Its mask goes with the return of the entry.
void hand_on(Place& place, int signal, siginfo_t* info, void* context) {
    const struct sigaction action = place.action;
    const bool informs = (action.sa_flags & SA_SIGINFO) != 0;
    if (!informs && action.sa_handler == SIG_IGN && is_sent(*info)) return;
    if (!informs && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) return act_by_default(signal, info);
    if ((action.sa_flags & SA_RESETHAND) != 0) {
        place.action = {};
        place.action.sa_handler = SIG_DFL;
    }
    ::pthread_sigmask(SIG_BLOCK, &action.sa_mask, nullptr);
    if ((action.sa_flags & SA_NODEFER) != 0) {
        sigset_t own;
        ::sigemptyset(&own);
        ::sigaddset(&own, signal);
        ::pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
    }
    if (informs)
        action.sa_sigaction(signal, info, context);
    else
        action.sa_handler(signal);
}

template <std::size_t kPlace>
void enter(int signal, siginfo_t* info, void* context) {
    if (!is_sent(*info) && the_judge.load(std::memory_order_acquire)(*info, context)) return;
    hand_on(places[signal == SIGSEGV ? 0 : 1][kPlace], signal, info, context);
}

template <std::size_t... kIndices>
constexpr std::array<Entry, sizeof...(kIndices)> make_entries(std::index_sequence<kIndices...>) {
    return {&enter<kIndices>...};
}
constexpr std::array<Entry, kPlaces> kEntries = make_entries(std::make_index_sequence<kPlaces>());

bool is_ours(const struct sigaction& action) {
    if ((action.sa_flags & SA_SIGINFO) == 0) return false;
    for (const Entry entry : kEntries)
        if (action.sa_sigaction == entry) return true;
    return false;
}

bool is_same(const struct sigaction& one, const struct sigaction& other) {
    return one.sa_sigaction == other.sa_sigaction && one.sa_flags == other.sa_flags;
}

// The place with this action behind it, which may be a new one.
std::optional<std::size_t> place_before(std::array<Place, kPlaces>& of_signal, const struct sigaction& behind) {
    for (std::size_t i = 0; i < kPlaces; ++i) {
        Place& place = of_signal[i];
        auto state = Place::State::free;
        if (place.state.compare_exchange_strong(state, Place::State::claimed, std::memory_order_acquire)) {
            place.action = behind;
            place.state.store(Place::State::filled, std::memory_order_release);
            return i;
        }
        if (state == Place::State::filled && is_same(place.action, behind)) return i;
    }
    return std::nullopt;
}

}  // namespace

void stand_before_handlers(FaultJudge judge) noexcept {
    the_judge.store(judge, std::memory_order_release);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction set {};
        if (::sigaction(kSignals[i], nullptr, &set) != 0 || is_ours(set)) continue;
        const std::optional<std::size_t> place = place_before(places[i], set);
        if (!place) {
            log(LogLevel::warn,
                "this process: its handler of signal {} was set anew more than {} times, and stands before OpenND's: a "
                "request that meets memory which is gone ends the process; set the handler before the first Register",
                kSignals[i], kPlaces);
            continue;
        }
        struct sigaction ours {};
        ours.sa_sigaction = kEntries[*place];
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigemptyset(&ours.sa_mask);
        ::sigaction(kSignals[i], &ours, nullptr);
    }
}

}  // namespace opennd
