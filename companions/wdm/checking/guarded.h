// SPDX-License-Identifier: MIT
// The guard's record of one NDK object. It is found through the part of the header that providers never touch
// (NDK-GEN-14), and lives until the object is closed. The record of an object with events lives as long as its adapter,
// so that an event that comes too late finds it.
#pragma once

#include <ndkpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "wdm/checking/checking.h"

namespace opennd::wdm {

class Guarded;

// A callback of the consumer's that may come any number of times.
struct Event {
    Guarded& object;
    const char* name;  // "CQ notification"
    void (*function)();
    void* context;
};

// Everything that was made from one open of an adapter.
class GuardedAdapter {
public:
    // Owned here until one of those below.
    Guarded& make(const char* kind, const void* made_at);
    // Drops an object that was never made.
    void drop(Guarded& object);
    // Drops one that is closed; it is kept if an event could still come by mistake.
    void retire(Guarded& object);

private:
    std::mutex mutex_;  // guards objects_
    std::unordered_map<Guarded*, std::unique_ptr<Guarded>> objects_;
};

class Guarded {
public:
    Guarded(GuardedAdapter& adapter, const char* kind, const void* made_at)
        : adapter_(adapter), kind_(kind), made_at_(made_at) {}
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    static Guarded& of(const NDK_OBJECT_HEADER& header) { return *static_cast<Guarded*>(header.NdkReserved.rf[0]); }

    GuardedAdapter& adapter() const { return adapter_; }
    const void* provider_table() const { return provider_table_; }
    Subject subject() const { return {kind_, header_}; }

    // The object exists from now on, and is open.
    void adopt(NDK_OBJECT_HEADER& header, const void* provider_table);

    // Whether `call` may reach the provider; if not, that is reported. (NDK-GEN-09)
    bool may_call(const char* call) const {
        if (state_.load(std::memory_order_relaxed) == State::open) return true;
        if (state_.load(std::memory_order_relaxed) == State::closing && runs_event_here()) return true;
        report_use(call);
        return false;
    }

    // False, and reported: it has begun before.
    bool begin_close();
    void end_close();

    Event& add_event(const char* name, void (*function)(), void* context);
    // Reports an event that comes too late.
    void expect_events(const char* name) const;

    // The MDLs of a region: not to be freed until it is deregistered.
    void hold(PMDL chain);
    void let_go();

private:
    enum class State { open, closing, closed };

    void report_use(const char* call) const;
    // An event of the object's runs on this thread: the close waits for it to return, and it cannot know that somebody has
    // begun to close. Consumers drain and arm a queue there while they take it down (NDK-CONS-61).
    bool runs_event_here() const;

    GuardedAdapter& adapter_;
    const char* const kind_;
    const void* const made_at_;
    NDK_OBJECT_HEADER* header_ = nullptr;  // both set by adopt()
    const void* provider_table_ = nullptr;
    std::atomic<State> state_{State::open};

    friend class GuardedAdapter;
    std::mutex mutex_;  // guards both below
    std::vector<std::unique_ptr<Event>> events_;
    std::vector<PMDL> held_;
};

// An event of this object runs on this thread for as long as it lives.
class RunningEvent {
public:
    explicit RunningEvent(const Guarded& object);
    RunningEvent(const RunningEvent&) = delete;
    RunningEvent& operator=(const RunningEvent&) = delete;
    ~RunningEvent();

private:
    const Guarded* const before_;
};

// DISPATCH_LEVEL for as long as it lives; a callback that returns at another one is reported.
class AtDispatchLevel {
public:
    explicit AtDispatchLevel(const char* callback) : callback_(callback), before_(opennd_wdm_callback_begins()) {}
    AtDispatchLevel(const AtDispatchLevel&) = delete;
    AtDispatchLevel& operator=(const AtDispatchLevel&) = delete;
    ~AtDispatchLevel() { opennd_wdm_callback_ends(before_, callback_); }

private:
    const char* const callback_;
    const KIRQL before_;
};

}  // namespace opennd::wdm
