// SPDX-License-Identifier: MIT
// The service thread: turn() is its table of contents. See event_loop.h.
#include "platform/thread/event_loop.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/fork_step.h"
#include "base/format.h"
#include "base/log.h"
#include "base/until_memory.h"
#include "platform/process/errno_status.h"

namespace opennd {
namespace {

static_assert(EventLoop::kReadable == EPOLLIN && EventLoop::kArrival == (EPOLLIN | EPOLLET));
static_assert(EventLoop::kNothing == EPOLLET);
static_assert(EventLoop::kPeerEnded == (EPOLLRDHUP | EPOLLET));
static_assert(EventLoop::kFullSocket == (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET));
static_assert(EventLoop::tells_end(EPOLLRDHUP) && EventLoop::tells_end(EPOLLERR) && EventLoop::tells_end(EPOLLHUP));

constexpr std::uint64_t kWakeId = 0;
constexpr std::uint64_t kRecallId = 1;
constexpr std::size_t kEventsPerTurn = 64;
constexpr int kLooksPerTurn = 16;

constinit thread_local const EventLoop* in_turn_of = nullptr;
constinit thread_local const EventLoop* helper_of = nullptr;
constinit thread_local EventLoop::RunsItsPosts* own_posts = nullptr;
constinit thread_local EventLoop* waits_in = nullptr;  // null: in the loop of the process

epoll_event interest(std::uint32_t epoll_events, std::uint64_t watch_id) {
    epoll_event result{};
    result.events = epoll_events;
    result.data.u64 = watch_id;
    return result;
}

Status watch_status(int error) {
    switch (error) {
        case EBADF:
        case ELOOP: return Status::invalid_parameter;
        case EEXIST: return Status::invalid_state;
        default: return resource_status(error);
    }
}

}  // namespace

constinit std::atomic<EventLoop*> EventLoop::of_process_{nullptr};

// A child has no service thread, and the thread that forked may have been in a turn of its parent's.
class EventLoop::InChild final : public ForkStep {
    void begin_child() noexcept override {
        of_process_.store(nullptr, std::memory_order_relaxed);
        CommonWork::begin_child();
        in_turn_of = helper_of = nullptr;
        waits_in = nullptr;
        own_posts = nullptr;
    }
};

namespace {

constinit EventLoop::InChild event_loop_in_child;
[[maybe_unused]] const bool event_loop_listed = event_loop_in_child.list();

}  // namespace

EventLoop::EventLoop(std::size_t number) : number_(number) {}

EventLoop::~EventLoop() {
    if (waits_in == this) waits_in = nullptr;
    bool join = false;
    {
        const Held held(mutex_);
        stopping_ = true;
        join = started_;
        if (join) {
            wake_.ring();
            takes_over_.notify_one();
        }
    }
    if (join) thread_.join();
}

Status EventLoop::start() {
    if (started_) return Status::success;
    Status status = open_descriptors();
    const std::string name = number_ == 0 ? "opennd" : format("opennd-{}", number_);
    if (ok(status)) status = thread_.start(name.c_str(), &EventLoop::thread_main, this);
    started_ = ok(status);
    runs_.store(started_, std::memory_order_release);
    return status;
}

Status EventLoop::open_descriptors() {
    if (epoll_) return Status::success;
    Result<Doorbell> wake = Doorbell::create();
    if (!wake.ok()) return wake.status();
    Result<Doorbell> recall = Doorbell::create();
    if (!recall.ok()) return recall.status();
    Descriptor epoll = Descriptor::made([] { return ::epoll_create1(EPOLL_CLOEXEC); });
    epoll_event wake_interest = interest(kArrival, kWakeId);
    // Level-triggered: the service thread may wake first and must not consume the helper's signal.
    epoll_event recall_interest = interest(kReadable, kRecallId);
    if (!epoll || ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, wake.value().descriptor(), &wake_interest) != 0 ||
        ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, recall.value().descriptor(), &recall_interest) != 0) {
        const int error = errno;
        log(LogLevel::error, "service thread: epoll failed: {}; raise the limit on open files if it is reached",
            std::strerror(error));
        return resource_status(error);
    }
    epoll_ = std::move(epoll);
    wake_ = wake.take();
    recall_ = recall.take();
    return Status::success;
}

Status EventLoop::add(int fd, std::uint32_t epoll_events, Ref<Watcher> watcher, Known known) {
    decltype(watches_) watch;  // dropped without the lock, as in remove()
    const Held held(mutex_);
    if (const Status status = start(); !ok(status)) return status;
    if (ids_by_fd_.contains(fd)) return Status::invalid_state;
    const std::uint64_t id = ++last_watch_id_;
    // Allocations come first.
    decltype(ids_by_fd_) named{{fd, id}};
    watch.emplace(id, Watch{std::move(watcher), fd, epoll_events});
    ids_by_fd_.reserve(ids_by_fd_.size() + 1);
    watches_.reserve(watches_.size() + 1);
    epoll_event wanted = interest(epoll_events, id);
    const bool stays = known == Known::left && ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &wanted) == 0;
    if (!stays && ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &wanted) != 0) return watch_status(errno);
    ids_by_fd_.merge(named);
    watches_.merge(watch);
    return Status::success;
}

Status EventLoop::modify(int fd, std::uint32_t epoll_events) {
    const Held held(mutex_);
    const auto id = ids_by_fd_.find(fd);
    if (id == ids_by_fd_.end()) return Status::invalid_parameter;
    epoll_event wanted = interest(epoll_events, id->second);
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &wanted) != 0) return watch_status(errno);
    watches_.find(id->second)->second.epoll_events = epoll_events;
    return Status::success;
}

void EventLoop::remove(int fd, Known known) {
    Ref<Watcher> last_reference;  // dropped without the lock: a destructor may call the loop
    const Held held(mutex_);
    const auto id = ids_by_fd_.find(fd);
    if (id == ids_by_fd_.end()) return;
    if (known == Known::no) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
    const auto watch = watches_.find(id->second);
    last_reference = std::move(watch->second.watcher);
    watches_.erase(watch);
    ids_by_fd_.erase(id);
}

// The other loop watches before this one stops: nothing that arrives meanwhile is missed, and it may be told twice.
Status EventLoop::move(int fd, EventLoop& to) {
    Ref<Watcher> watcher;
    std::uint32_t epoll_events = 0;
    {
        const Held held(mutex_);
        const auto id = ids_by_fd_.find(fd);
        if (id == ids_by_fd_.end()) return Status::invalid_parameter;
        const Watch& watch = watches_.find(id->second)->second;
        watcher = watch.watcher;
        epoll_events = watch.epoll_events;
    }
    try {
        if (const Status status = to.add(fd, epoll_events, std::move(watcher)); !ok(status)) return status;
    } catch (const std::bad_alloc&) {
        return Status::no_memory;
    }
    remove(fd);
    return Status::success;
}

void EventLoop::post(std::function<void()> function) {
    until_memory([&] {
        const Held held(mutex_);
        posted_.emplace_back();
        posted_.back().swap(function);
    });
    const Held held(mutex_);
    // Without a thread the function waits for the next call that can start one; start() has logged why.
    if (!ok(start())) return;
    if (own_posts != nullptr && own_posts->loop_ == this)
        own_posts->posted_ = true;
    else if (!std::exchange(told_of_posted_, true))
        wake();
}

EventLoop::RunsItsPosts::RunsItsPosts() : loop_(of_process()) {
    if (loop_ != nullptr && (in_callback() || own_posts != nullptr)) loop_ = nullptr;
    if (loop_ != nullptr) own_posts = this;
}

EventLoop::RunsItsPosts::~RunsItsPosts() {
    if (loop_ == nullptr) return;
    own_posts = nullptr;
    if (posted_) loop_->run_own_posts();
}

// A thread that is in a turn looks for functions once more behind it.
void EventLoop::run_own_posts() {
    if (!turn_mutex_.try_lock()) return;
    {
        const InTurn in_turn(*this);
        run_posted();
    }
    turn_mutex_.unlock();
    const Held held(mutex_);
    wake_if_left();
}

TimerId EventLoop::schedule(SteadyTime when, std::function<void()> function) {
    const Held held(mutex_);
    const TimerId id = timers_.add(when, std::move(function));
    if (ok(start()) && !ends_in_time(when)) wake();
    return id;
}

void EventLoop::repeat_later(const std::function<bool()>& attempt, std::chrono::milliseconds pause) {
    const std::chrono::milliseconds next = std::min(2 * pause, kLongestPause);
    until_memory([&] {
        schedule(now() + pause, [this, attempt, next] {
            if (!attempt()) repeat_later(attempt, next);
        });
    });
}

void EventLoop::cancel(TimerId timer) {
    std::function<void()> function;  // destroyed without the lock
    const Held held(mutex_);
    function = timer == due_again_.id ? std::exchange(due_again_, {}).function : timers_.cancel(timer);
}

bool EventLoop::on_loop_thread() const { return in_turn_of == this; }
bool EventLoop::in_callback() { return in_turn_of != nullptr; }

EventLoop* EventLoop::of_thread() { return waits_in ? waits_in : of_process(); }
bool EventLoop::thread_has_own() { return waits_in != nullptr; }
void EventLoop::serve_thread() { waits_in = this; }

void* EventLoop::thread_main(void* loop) {
    EventLoop& self = *static_cast<EventLoop*>(loop);
    while (self.run_once()) {
    }
    return nullptr;
}

bool EventLoop::run_once() {
    {
        const Held held(mutex_);
        stand_by();
    }
    run_errands();
    int timeout = 0;
    {
        const Held held(mutex_);
        if (stopping_) return false;
        timeout = choose_sleep(service_sleep_, std::nullopt);
    }
    return turn(timeout);
}

// Sleep, then watchers, posted functions, timers. False: the loop is broken.
bool EventLoop::turn(int timeout_ms) {
    std::array<epoll_event, kEventsPerTurn> events;
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), timeout_ms);
    if (count < 0 && errno != EINTR) {
        log(LogLevel::error,
            "service thread: stopped, epoll_wait failed: {}; has the program closed a foreign descriptor?",
            std::strerror(errno));
        runs_.store(false, std::memory_order_relaxed);
        return false;
    }
    for (int i = 0; i < count; ++i)
        if (events[i].data.u64 == kRecallId) hear_recall();
    if (count == 1 && events[0].data.u64 == kRecallId) return true;
    {
        const Held turn(turn_mutex_);
        const InTurn in_turn(*this);
        without_memory_.store(false);
        for (int i = 0; i < count; ++i) dispatch(events[i].data.u64, events[i].events);
        run_all();
        if (must_look()) look();
    }
    pause_without_memory();
    return true;
}

void EventLoop::run_all() {
    if (calls_again_) [[unlikely]]
        call_again();
    for (Ref<Spot>& each : spots_again_)
        if (const Ref<Spot> spot = std::exchange(each, nullptr)) do_work_at(spot);
    run_posted();
    run_due_timers();
}

// Returns false if the callback threw std::bad_alloc; it is called again.
template <typename Callback>
bool EventLoop::has_memory_for(Callback&& callback) {
    try {
        callback();
        return true;
    } catch (const std::bad_alloc&) {
        without_memory_.store(true);
        return false;
    }
}

// Behind a turn; other threads of the program may free some meanwhile.
void EventLoop::pause_without_memory() {
    if (without_memory_.load()) [[unlikely]]
        std::this_thread::sleep_for(kWithoutMemory);
}

EventLoop::InTurn::InTurn(const EventLoop& loop) { in_turn_of = &loop; }
EventLoop::InTurn::~InTurn() { in_turn_of = nullptr; }

EventLoop::Looking EventLoop::own_looking() const { return helper_of == this ? Looking::helper : Looking::service; }

bool EventLoop::must_look() const {
    const Looking looking = lookers_caller_.load(std::memory_order_acquire);
    return looking == Looking::anybody || looking == own_looking();
}

bool EventLoop::keep_looking(Ref<Looker> looker) {
    const auto place = std::ranges::find_if(lookers_, [](const Ref<Looker>& each) { return !each; });
    if (place == lookers_.end()) return false;
    *place = std::move(looker);
    if (lookers_caller_.load(std::memory_order_relaxed) == Looking::nobody)
        lookers_caller_.store(own_looking(), std::memory_order_release);
    return true;
}

void EventLoop::look() {
    lookers_caller_.store(own_looking(), std::memory_order_relaxed);
    bool more = true;
    for (int looks = 0; looks < kLooksPerTurn && more; ++looks) {
        for (Ref<Looker>& looker : lookers_) {
            bool goes_on = true;  // also without memory
            if (looker && has_memory_for([&] { goes_on = looker->look(); }) && !goes_on) looker = nullptr;
        }
        more = std::ranges::any_of(lookers_, [](const Ref<Looker>& each) { return static_cast<bool>(each); });
    }
    if (!more) lookers_caller_.store(Looking::nobody, std::memory_order_release);
}

// Only the helper clears recall_; the service thread yields to the helper's turn.
void EventLoop::hear_recall() {
    if (helper_of == this)
        recall_.clear();
    else
        std::this_thread::yield();
}

bool EventLoop::try_help() {
    if (!runs_.load(std::memory_order_acquire) || in_callback()) return false;
    if (helped_.load(std::memory_order_relaxed) || helped_.exchange(true, std::memory_order_acquire)) return false;
    helper_of = this;
    return true;
}

void EventLoop::help(std::optional<SteadyTime> deadline) {
    run_errands();
    if (!must_look() && look_before_sleep(deadline)) return;
    int timeout = 0;
    {
        const Held held(mutex_);
        timeout = choose_sleep(helper_sleep_, deadline);
    }
    turn(timeout);
}

// Lookers are left to the service thread, or the next helper.
void EventLoop::end_help() {
    if (lookers_caller_.load(std::memory_order_relaxed) == Looking::helper)
        lookers_caller_.store(Looking::anybody, std::memory_order_release);
    helper_of = nullptr;
    if (recalled_.exchange(Recall::none) == Recall::rung) recall_.clear();
    const Held held(mutex_);
    ++helps_;
    const SteadyTime before = std::exchange(left_at_, now());
    helps_often_ = left_at_ - before < 2 * kNap;
    const bool has_errands = has_put_off_.load(std::memory_order_relaxed);
    helped_.store(false, std::memory_order_release);
    if (stands_by_ == StandBy::deep) takes_over_.notify_one();
    if (stands_by_ == StandBy::no && has_errands) wake_.ring();  // the service thread begins to stand by
    wake_if_left();
}

void EventLoop::recall() {
    if (helper_of == this) return;
    recalled_.store(Recall::told);
    if (helper_looks_.load()) return;
    recalled_.store(Recall::rung);
    recall_.ring();
}

void EventLoop::dispatch(std::uint64_t watch_id, std::uint32_t epoll_events) {
    if (watch_id == kWakeId) return Doorbell::heard();
    if (watch_id == kRecallId) return;
    Ref<Watcher> watcher;
    {
        const Held held(mutex_);
        const auto watch = watches_.find(watch_id);
        // Removed since epoll reported it, perhaps by an earlier callback of this turn.
        if (watch == watches_.end()) return;
        watcher = watch->second.watcher;
    }
    if (has_memory_for([&] { watcher->on_ready(epoll_events); })) return;
    // The watcher may have read what was there: epoll would not report it again.
    const Held held(mutex_);
    const auto watch = watches_.find(watch_id);
    if (watch == watches_.end()) return;
    watch->second.again |= epoll_events;
    calls_again_ = true;
}

void EventLoop::call_again() {
    std::array<epoll_event, kEventsPerTurn> missed;
    std::size_t count = 0;
    {
        const Held held(mutex_);
        for (auto& [id, watch] : watches_) {
            if (watch.again == 0 || count == missed.size()) continue;
            missed[count].data.u64 = id;
            missed[count++].events = std::exchange(watch.again, 0);
        }
    }
    calls_again_ = count == missed.size();  // there may be more
    for (std::size_t i = 0; i < count; ++i) dispatch(missed[i].data.u64, missed[i].events);
}

// Nothing tells of this work again.
void EventLoop::do_work_at(const Ref<Spot>& spot) {
    if (has_memory_for([&] { spot->on_work(); })) return;
    const auto place = std::ranges::find_if(spots_again_, [&](const Ref<Spot>& each) { return !each || each == spot; });
    if (place != spots_again_.end()) *place = spot;
}

void EventLoop::run_posted() {
    if (running_.empty()) {
        const Held held(mutex_);
        running_.swap(posted_);
        told_of_posted_ = false;
    }
    for (; ran_ < running_.size(); ++ran_) {
        if (!has_memory_for(running_[ran_])) return;
        running_[ran_] = nullptr;  // its captures are destroyed before the next one runs
    }
    running_.clear();
    ran_ = 0;
}

// Runs the timers that are due at the start of this turn; later ones wait for the next turn, so that timers cannot
// starve descriptors.
void EventLoop::run_due_timers() {
    const SteadyTime at = now();
    for (;;) {
        TimerQueue::Due due;
        {
            const Held held(mutex_);
            due = due_again_.function ? std::exchange(due_again_, {}) : timers_.take_due(at);
        }
        if (!due.function) return;
        if (has_memory_for(due.function)) continue;
        const Held held(mutex_);
        due_again_ = std::move(due);
        return;
    }
}

}  // namespace opennd
