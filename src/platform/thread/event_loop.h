// SPDX-License-Identifier: MIT
// A service thread: sleeps in epoll, runs watchers, posted functions and timers. Progress that no caller drives (ND2-OVL-24) happens
// here. A process has one, or several (transport/soft/engine/services.h). A thread of the program that waits for an OpenND result sleeps
// here too and does the work meanwhile, so that the event it waits for wakes it directly (docs/decisions/0010;
// platform/waiting/wait_point.h).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/status.h"
#include "base/until_memory.h"
#include "platform/descriptor/descriptor.h"
#include "platform/descriptor/doorbell.h"
#include "platform/process/clock.h"
#include "platform/process/signals.h"
#include "platform/thread/common_work.h"
#include "platform/thread/condition.h"
#include "platform/thread/look_pacing.h"
#include "platform/thread/timer_queue.h"

namespace opennd {

// Thread-safe. The thread, named "opennd", or "opennd-1" and so on, and with all signals blocked, starts with the first add, post or
// schedule. Every callback runs on the service thread or on a helping thread, in turns: one callback at a time. Only the lock of
// the turn is held: callbacks may call back into the loop, and must not block, nor wait for an event or a port. One that throws
// std::bad_alloc is called again, after a pause of kWithoutMemory, until it has memory; it throws nothing else.
class EventLoop {
public:
    class Watcher : public RefCounted {
    public:
        // `epoll_events`: EPOLLIN and so on, EPOLLERR and EPOLLHUP unasked. Called again while the state lasts, or with
        // kArrival for each arrival.
        virtual void on_ready(std::uint32_t epoll_events) = 0;
    };

    // Expects something soon of which no descriptor here will tell.
    class Looker : public RefCounted {
    public:
        // Looks, and does not wait. False: it gives up, and is not called again.
        virtual bool look() = 0;
    };

    // A watcher whose work also shows in memory. While a thread looks there, the descriptor need not tell of it.
    class Spot : public Watcher {
    public:
        // By one thread at a time, around its looks. What shows after end_look() is told by the descriptor; so the thread looks once
        // more behind it. Sequentially consistent.
        virtual void begin_look() = 0;
        virtual void end_look() = 0;
        // Some loads.
        virtual bool shows_work() const = 0;
        // A callback.
        virtual void on_work() = 0;
    };

    // Something small that may wait until the program had its turn, as it may save it.
    class Errand {
    public:
        // A callback, which throws nothing. What the errand is for may have ended meanwhile.
        virtual void before_sleep() = 0;

    protected:
        ~Errand() = default;
    };

    // The usual interest (EPOLLIN).
    static constexpr std::uint32_t kReadable = 1;
    // The same, reported once for each arrival (EPOLLET), for watchers that read everything. Of the threads that sleep
    // in the loop an arrival wakes one, the latest sleeper; a level wakes the next as well.
    static constexpr std::uint32_t kArrival = kReadable | 1u << 31;
    // The peer of a socket sends no more, or the connection broke (EPOLLRDHUP; EPOLLERR and EPOLLHUP); told once.
    static constexpr std::uint32_t kPeerEnded = 0x2000 | 1u << 31;
    // Nothing, until the interest changes: what is there then is reported.
    static constexpr std::uint32_t kNothing = 1u << 31;
    // A socket's arrivals and its end. Reported once each.
    static constexpr std::uint32_t kSocket = kArrival | kPeerEnded;
    // The same, and room to send again (EPOLLOUT), for a socket that was full: room that there is already is reported at once.
    static constexpr std::uint32_t kFullSocket = kSocket | 4;
    // Whether the reported events include the end.
    static constexpr bool tells_end(std::uint32_t epoll_events) { return (epoll_events & (0x2000 | 8 | 16)) != 0; }

    // `number`: among the loops of the process; 0: the first.
    explicit EventLoop(std::size_t number = 0);
    // Stops and joins the thread; functions that have not run are destroyed without running. Not from a callback, and
    // not while another thread calls into the loop. The process-wide loop is never destroyed.
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    // Calls `watcher` whenever `fd` is ready for any of `epoll_events`. The loop holds the Ref until remove(). The
    // caller keeps `fd`, and removes it before closing it.
    //   invalid_parameter       fd is not open
    //   invalid_state           fd is watched already
    //   insufficient_resources  no descriptor, thread or epoll watch left, or fd cannot be polled (a regular file)
    //   no_memory
    // `left`: remove() may have left `fd` in the set; then its interest is changed.
    enum class Known : std::uint8_t { no, left };
    Status add(int fd, std::uint32_t epoll_events, Ref<Watcher> watcher, Known known = Known::no);

    // Changes the interest in a watched `fd`. invalid_parameter: not watched.
    Status modify(int fd, std::uint32_t epoll_events);

    // Ends watching; no effect if `fd` is not watched. On the service thread no further call follows. From another
    // thread one call that began before may still be running when this returns; it holds its own Ref.
    // `left`: the caller closes it next, or adds it again. The system is not told, and its reports until then reach nobody. The
    // interest is in edges alone, since a level would keep the thread awake.
    void remove(int fd, Known known = Known::no);

    // Lets `to` watch `fd` instead, with the same interest: it reports what is there now. No other thread changes the interest meanwhile.
    // A call of this loop that began before may still be running. On failure nothing changes.
    //   invalid_parameter       fd is not watched here
    //   invalid_state           `to` watches it already
    //   insufficient_resources, no_memory: as add()
    Status move(int fd, EventLoop& to);

    // Runs `function` soon, in the order posted.
    void post(std::function<void()> function);

    // Around a call of the program that holds no lock of OpenND at the end. The thread then runs itself, as callbacks, the functions that
    // it has posted to the loop of the process meanwhile, so that no other thread is woken for them. No effect in a callback.
    class RunsItsPosts {
    public:
        RunsItsPosts();
        ~RunsItsPosts();
        RunsItsPosts(const RunsItsPosts&) = delete;
        RunsItsPosts& operator=(const RunsItsPosts&) = delete;

    private:
        friend class EventLoop;
        EventLoop* loop_;  // null: no effect
        bool posted_ = false;
    };

    // Runs `function` at `when` or as soon after as possible (up to a millisecond late by design); at once if it has
    // passed. Several due functions run in the order of their times.
    TimerId schedule(SteadyTime when, std::function<void()> function);

    // Runs `attempt` now, in the caller; as long as it returns false again, on the service thread, after pauses that double from
    // kFirstPause to kLongestPause. Waits for memory.
    static constexpr std::chrono::milliseconds kFirstPause{1}, kLongestPause{16};
    template <std::predicate Attempt>
    void repeat(const Attempt& attempt) {
        if (attempt()) return;
        std::function<bool()> kept;
        until_memory([&] { kept = attempt; });
        repeat_later(kept, kFirstPause);
    }

    // Best effort: the function may be running, or be about to, when this returns on another thread. On the service
    // thread it does not run any more. No effect for a timer that has run.
    void cancel(TimerId timer);

    // From a callback alone. Until `looker` gives up the loop does not sleep: it calls look(), as a callback, over and over, and
    // between some looks turns to descriptors, functions and timers. False: kMostLookers look already.
    static constexpr std::size_t kMostLookers = 4;
    static constexpr std::chrono::milliseconds kWithoutMemory{1};
    [[nodiscard]] bool keep_looking(Ref<Looker> looker);
    // Whether that pays. In a callback of this loop alone.
    LookPacing& looks() { return looks_; }

    // In a callback, in the turn of a thread that helps: `errand`, a part of `owner`, is called before a thread sleeps here next: behind
    // the program's next call if this thread's wait is over, else soon. False, and no effect: another thread has the
    // turn, threads help rarely, or kMostErrands wait.
    static constexpr std::size_t kMostErrands = 16;
    [[nodiscard]] bool put_off(Ref<RefCounted> owner, Errand& errand);

    // In a callback: there was work of this kind at `spot`. A thread that helps looks there before it sleeps, if that pays
    // (look_pacing.h). Kept until forget(), or until kSpots others had work since.
    void had_work(Ref<Spot> spot);
    // No effect if it is not kept. A look that began before may still call it.
    void forget(const Spot& spot);

    // In a callback of this loop.
    bool on_loop_thread() const;
    // In a callback of any loop.
    static bool in_callback();
    std::size_t number() const { return number_; }

    // Helping: at most one thread at a time. Meanwhile, and for kNap to twice that behind it, the service thread stands by. True: the
    // caller is the helper until end_help(). False: there is a helper already, or no service thread, or the caller is in a callback.
    static constexpr std::chrono::microseconds kNap{50};
    bool try_help();
    // One turn of the loop: looks and sleeps until there is something to do, until recall() or until `deadline`, and does it.
    void help(std::optional<SteadyTime> deadline);
    void end_help();
    // Ends the sleep of the thread in help(), now or as soon as it sleeps. No effect if the caller is that thread.
    void recall();

    // The loop that a wait of the calling thread helps with, which lives for good: that of the process, unless serve_thread() said
    // another. Null: none so far.
    static EventLoop* of_thread();
    // The calling thread has one of its own.
    static bool thread_has_own();
    void serve_thread();
    static EventLoop* of_process() { return of_process_.load(std::memory_order_acquire); }
    void serve_process() { of_process_.store(this, std::memory_order_release); }
    // The step of a fork (base/fork_step.h).
    class InChild;

private:
    static constexpr std::size_t kSpots = 4;
    // The thread that calls the lookers; anybody: the next one that has a turn.
    enum class Looking : std::uint8_t { nobody, anybody, service, helper };

    Status start() REQUIRES(mutex_);
    Status open_descriptors() REQUIRES(mutex_);
    void wake() REQUIRES(mutex_);
    bool leaves_work() const REQUIRES(mutex_);
    bool ends_in_time(SteadyTime when) const REQUIRES(mutex_);
    void wake_if_left() REQUIRES(mutex_);
    void stand_by() REQUIRES(mutex_);
    void run_own_posts() EXCLUDES(mutex_, turn_mutex_);
    static void* thread_main(void* loop);
    // While an object lives, its thread is in a turn: turn_mutex_ is held.
    class InTurn {
    public:
        explicit InTurn(const EventLoop& loop);
        ~InTurn();

    private:
        const CommonWork work_;
    };
    bool run_once();
    bool turn(int timeout_ms) EXCLUDES(turn_mutex_);
    void run_all() REQUIRES(turn_mutex_);
    template <typename Callback>
    bool has_memory_for(Callback&& callback);
    void pause_without_memory() EXCLUDES(turn_mutex_);
    void hear_recall();
    // When a sleep ends by itself; empty: never.
    using SleepEnd = std::optional<SteadyTime>;
    int choose_sleep(SleepEnd& end, SleepEnd deadline) REQUIRES(mutex_);
    void dispatch(std::uint64_t watch_id, std::uint32_t epoll_events) REQUIRES(turn_mutex_);
    void call_again() REQUIRES(turn_mutex_);
    void repeat_later(const std::function<bool()>& attempt, std::chrono::milliseconds pause);
    void run_posted() REQUIRES(turn_mutex_);
    void run_due_timers() REQUIRES(turn_mutex_);
    void do_work_at(const Ref<Spot>& spot) REQUIRES(turn_mutex_);
    void run_errands() EXCLUDES(mutex_, turn_mutex_);
    Looking own_looking() const;
    bool must_look() const;
    void look();
    using Spots = std::array<Ref<Spot>, kSpots>;
    bool look_before_sleep(std::optional<SteadyTime> deadline) EXCLUDES(mutex_, turn_mutex_);
    bool look_at(const Spots& spots, SteadyTime until, bool& yielded) const;
    static bool shows_work(const Spots& spots);
    void do_work_at(const Spots& spots) EXCLUDES(turn_mutex_);

    static std::atomic<EventLoop*> of_process_;

    const std::size_t number_;

    // Held during a turn, but not while sleeping. Taken before every other lock.
    Mutex turn_mutex_;
    // The lookers are called by one thread, which does not sleep meanwhile. Written in turns, and by a helper that leaves
    // the lookers to anybody, and rings.
    // Release and acquire.
    std::atomic<Looking> lookers_caller_{Looking::nobody};
    std::array<Ref<Looker>, kMostLookers> lookers_;  // touched in turns alone, as the next one
    LookPacing looks_;

    // A callback of the last turn had no memory. Written in turns; sequentially consistent.
    std::atomic<bool> without_memory_{false};
    // The functions that a turn took, run up to ran_. One that had no memory keeps its place.
    std::vector<std::function<void()>> running_ GUARDED_BY(turn_mutex_);
    std::size_t ran_ GUARDED_BY(turn_mutex_) = 0;
    // Work at a spot that had no memory, of which nothing tells again.
    std::array<Ref<Spot>, kSpots> spots_again_ GUARDED_BY(turn_mutex_);
    bool calls_again_ GUARDED_BY(turn_mutex_) = false;  // a watch has events that are told again
    struct PutOff {
        Ref<RefCounted> owner;
        Errand* errand = nullptr;
    };
    std::array<PutOff, kMostErrands> put_off_;  // touched in turns alone
    // Written in turns. Relaxed: the next thread that sleeps comes behind end_help().
    std::atomic<bool> has_put_off_{false};

    Mutex mutex_;
    bool started_ GUARDED_BY(mutex_) = false;
    bool stopping_ GUARDED_BY(mutex_) = false;
    std::uint64_t last_watch_id_ GUARDED_BY(mutex_) = 1;  // 0 and 1 are wake_'s and recall_'s own
    struct Watch {
        Ref<Watcher> watcher;
        int fd;
        std::uint32_t epoll_events;
        std::uint32_t again = 0;  // the events of calls that had no memory; 0: none
    };
    // By watch id, which epoll hands back: a descriptor number may be reused, an id is not.
    std::unordered_map<std::uint64_t, Watch> watches_ GUARDED_BY(mutex_);
    std::unordered_map<int, std::uint64_t> ids_by_fd_ GUARDED_BY(mutex_);
    std::vector<std::function<void()>> posted_ GUARDED_BY(mutex_);
    // Who posted some of them has woken the thread, or is in a turn. A call that runs its own tells nobody, and may wait meanwhile for
    // what another thread posts.
    bool told_of_posted_ GUARDED_BY(mutex_) = false;
    TimerQueue timers_ GUARDED_BY(mutex_);
    TimerQueue::Due due_again_ GUARDED_BY(mutex_);  // a timer that had no memory

    Spots spots_ GUARDED_BY(mutex_);  // the latest first
    LookPacing look_pacing_ GUARDED_BY(mutex_);
    LookPacing::Place look_place_ GUARDED_BY(mutex_);  // all spots
    bool look_pays_ GUARDED_BY(mutex_) = false;

    // The ends of the newest sleeps in the set. A timer that is cancelled leaves them: the next one is likely to be later, and then needs
    // no bell.
    SleepEnd service_sleep_ GUARDED_BY(mutex_), helper_sleep_ GUARDED_BY(mutex_);

    // The service thread does not sleep in the set while threads of the program take the arrivals (tests/protocols/standing_by.pml).
    enum class StandBy : std::uint8_t {
        no,
        naps,  // for kNap; the next nap follows if a thread helped meanwhile
        deep,  // for as long as one thread helps
    };
    StandBy stands_by_ GUARDED_BY(mutex_) = StandBy::no;
    std::uint32_t helps_ GUARDED_BY(mutex_) = 0;  // calls of end_help()
    SteadyTime left_at_ GUARDED_BY(mutex_){};     // the newest of them
    bool helps_often_ = false;                 // the newest two came close together. Belongs to the thread that helps
    Condition takes_over_ GUARDED_BY(mutex_);  // the service thread does

    std::atomic<bool> runs_{false};  // started_, readable without mutex_
    // try_help() succeeded; acquire and release order one helper after the other. Taken back under mutex_.
    std::atomic<bool> helped_{false};
    // The helper looks at spots before it sleeps, and takes a recall without the doorbell. Sequentially consistent, as
    // recalled_ beside it.
    std::atomic<bool> helper_looks_{false};
    enum class Recall : std::uint8_t { none, told, rung };
    std::atomic<Recall> recalled_{Recall::none};

    // Constant once started_.
    Descriptor epoll_;
    Doorbell wake_;    // new functions or timers
    Doorbell recall_;  // for the thread that helps
    QuietThread thread_;
};

}  // namespace opennd
