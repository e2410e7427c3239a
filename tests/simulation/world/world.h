// SPDX-License-Identifier: MIT
// One run: its clock, its threads and what is to happen when. One thread runs at a time; which, and how long, the seed says.
//
// Virtual time goes on by a little with each step, and to the next event when every thread waits. So hours pass in no time, and
// nothing that a thread waits for can be late.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulation/system/fibre.h"
#include "simulation/world/dice.h"
#include "simulation/world/trace.h"

namespace opennd::simulation {

class FileTable;
class Process;
class Network;
class WaitList;

using Nanoseconds = std::int64_t;
inline constexpr Nanoseconds kMicrosecond = 1000, kMillisecond = 1000 * kMicrosecond, kSecond = 1000 * kMillisecond;

// A thread of a simulated process.
struct Thread {
    enum class State : std::uint8_t { runnable, waiting, over };

    std::uint32_t number = 0;
    Process* process = nullptr;
    Fibre* fibre = nullptr;
    State state = State::runnable;
    WaitList* waits_in = nullptr;
    std::uint64_t wait_number = 0;  // of the newest wait, so that an older deadline means nothing
    bool timed_out = false;
    int locks = 0;  // mutexes that it holds
    std::function<void()> main;
    std::string name;
};

// Threads that wait for the same thing.
class WaitList {
public:
    bool empty() const { return waiting_.empty(); }

private:
    friend class World;
    std::vector<Thread*> waiting_;
};

// How the threads take turns. Each run has its own.
struct Schedule {
    std::uint64_t switch_once_in = 8;   // steps; 0: only a waiting thread lets others run
    std::uint64_t hold_up_once_in = 0;  // steps after which a thread loses its processor for a while
    Nanoseconds longest_hold_up = 20 * kMillisecond;
    std::uint64_t branches_between_switches = 0;  // on average, in the layers that are compiled so; 0: none
    std::uint64_t hold_up_in_vain_once_in = 0;    // the same, of calls that found nothing there, or no room
    static Schedule of(Dice& dice);
};

class World {
public:
    enum class Outcome : std::uint8_t { done, failed, hung, endless };

    explicit World(std::uint64_t seed);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // The one that runs; null: none does, and the system is the real one.
    static World* now_running() { return running_; }

    // ---- the run
    Thread& spawn(Process& process, std::string name, std::function<void()> main);
    // Until every thread but those of the library is over. Once.
    Outcome run();
    // Ends the run; does not return.
    [[noreturn]] void fail(std::string why);
    const std::string& why() const { return why_; }

    // ---- for the files and calls of the simulated system
    // Others may run now.
    void step(Step step, std::uint64_t a = 0, std::uint64_t b = 0);
    // As step(), for a lock or a look, which change nothing. While all threads make only such steps, each step takes longer, up
    // to the next event: a thread that polls waits for an event, and may wait for hours.
    void idle_step(Step step, std::uint64_t a = 0, std::uint64_t b = 0);
    // As idle_step(), after a call that found no data, or no room. A wake-up can be lost between that answer and the thread's
    // reaction to it, so here the thread is held up more often than elsewhere.
    void step_in_vain(Step step, std::uint64_t a = 0, std::uint64_t b = 0);
    // A branch of the library, between two calls of the system.
    void branch() {
        if (--branches_left_ == 0) interrupt();
    }
    void yield();
    void sleep(Nanoseconds length);
    // Returns false if the deadline passed first.
    bool wait(WaitList& list, std::optional<Nanoseconds> deadline = std::nullopt);
    // Returns false if nobody waits.
    bool wake_one(WaitList& list);
    // The one that came last.
    bool wake_newest(WaitList& list);
    void wake_all(WaitList& list);
    // The waiters for the mutex, condition or thread at this address.
    WaitList& waiting_at(const void* address) { return by_address_[address]; }
    void at(Nanoseconds when, std::function<void()> happens);
    void after(Nanoseconds delay, std::function<void()> happens) { at(time_ + delay, std::move(happens)); }

    // Ends a process as SIGKILL does, at a moment when none of its threads holds a mutex: the simulated processes share some.
    // False: no process has this number.
    bool kill(int process);
    bool was_killed(int process) const { return std::ranges::find(killed_, process) != killed_.end(); }
    // Stops a process for so long, as SIGSTOP and SIGCONT do, at a moment as of kill().
    void stop(Process& process, Nanoseconds length);
    // A thread that ends with its process never runs again.
    void end_threads_of(const Process& process);

    Nanoseconds time() const { return time_; }
    // Later at each call, though no time has passed.
    Nanoseconds distinct_time() { return last_distinct_ = std::max(last_distinct_ + 1, time_); }
    // One look at the clock takes no time, or a fact that a process finds out once would change its first run. A thread that
    // only looks at the clock sees time pass.
    void look_at_clock() {
        if (++looks_at_clock_ % 64 == 0) time_ += kMicrosecond;
    }
    Dice& dice() { return dice_; }
    Trace& trace() { return trace_; }
    Thread* current() const { return current_; }
    Process& process() const { return *current_->process; }
    FileTable& files() { return *files_; }
    Network& network() { return *network_; }
    Schedule& schedule() { return schedule_; }
    void note(Step step, std::uint64_t a = 0, std::uint64_t b = 0) {
        trace_.add(time_, current_ && !in_event_ ? current_->number : kNobody, step, a, b);
    }
    void say(std::string_view text) { trace_.say(time_, current_ ? current_->number : kNobody, text); }
    void print_trace() const;
    // How many steps a run may have, and how long it may take.
    void set_limits(std::uint64_t steps, Nanoseconds time) {
        most_steps_ = steps;
        latest_ = time;
    }
    std::uint64_t steps() const { return steps_; }
    // The threads that are left, for the report of a hang.
    std::string waiting() const;

    static constexpr std::uint32_t kNobody = ~0u;

private:
    struct Event {
        Nanoseconds when;
        std::uint64_t number;
        std::function<void()> happens;
        bool operator>(const Event& other) const {
            return when != other.when ? when > other.when : number > other.number;
        }
    };

    void take_turns(Step step, std::uint64_t a, std::uint64_t b);
    Nanoseconds length_of_idle_step();
    void make_runnable(Thread& thread);
    bool holds_a_lock(const Process& process) const;
    // The current thread is of a stopped process, and others ran until that goes on.
    bool stood_still();
    void take_from_list(Thread& thread);
    void run_due_events();
    void hold_up();
    void interrupt();
    void draw_branches();
    // Lets another thread run, or this one on.
    void reschedule();
    void give_way();
    void go_to(Thread& thread);
    void leave(Outcome outcome);
    void thread_main(Thread& thread);
    std::size_t program_threads() const { return program_threads_; }

    static World* running_;

    Dice dice_;
    Schedule schedule_;
    Trace trace_;
    std::unique_ptr<FileTable> files_;
    std::unique_ptr<Network> network_;
    Nanoseconds time_ = 0, last_distinct_ = 0;
    std::uint64_t steps_ = 0, most_steps_ = 3'000'000;
    Nanoseconds latest_ = 24 * 3600 * kSecond;
    Thread* current_ = nullptr;
    std::uint64_t steps_of_current_ = 0;  // since it was switched to
    std::uint64_t slice_ = 0;
    std::uint64_t branches_left_ = 0;  // until the next switch between two calls
    bool in_event_ = false;
    bool over_ = false;
    std::vector<int> killed_;
    std::vector<std::unique_ptr<Thread>> threads_;
    std::vector<Thread*> runnable_, stopped_;
    std::size_t program_threads_ = 0;
    std::vector<Event> events_;  // a heap, the earliest first
    std::uint64_t last_event_ = 0;
    std::unordered_map<const void*, WaitList> by_address_;  // never walked: its order is that of addresses
    Outcome outcome_ = Outcome::done;
    std::string why_;
    Nanoseconds idle_yield_ = kMicrosecond;
    std::uint64_t idle_steps_ = 0;      // since the newest step that did something
    std::uint64_t looks_at_clock_ = 0;  // since the newest step
};

}  // namespace opennd::simulation
