// SPDX-License-Identifier: MIT
// See world.h.
#include "simulation/world/world.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "simulation/file/file.h"
#include "simulation/world/network.h"
#include "simulation/world/process.h"

namespace opennd::simulation {
namespace {

// A step takes as long as a system call does, or a little less.
constexpr Nanoseconds kStep = 100;
// A step that changes nothing takes longer once kFirstIdleSteps came before it: twice as long after each kIdleSteps, in the end
// kLongestIdleStep. The first ones take no longer, because two threads that meet in shared memory make no other steps.
constexpr std::uint64_t kFirstIdleSteps = 2000, kIdleSteps = 100;
constexpr Nanoseconds kLongestIdleStep = 100 * kMicrosecond, kLongestIdleYield = 10 * kMillisecond;
// Steps that a thread runs while others could: a thread that spins for another must give way.
constexpr std::uint64_t kLeastSlice = 300, kMostSlice = 700;

}  // namespace

World* World::running_ = nullptr;

Schedule Schedule::of(Dice& dice) {
    constexpr std::uint64_t kRates[] = {0, 2, 4, 16, 64};
    constexpr std::uint64_t kHoldUps[] = {0, 0, 50, 300, 2000};
    constexpr std::uint64_t kInVain[] = {0, 0, 2, 8, 40};
    constexpr std::uint64_t kBranches[] = {0, 0, 30, 300, 3000};
    Schedule schedule;
    schedule.switch_once_in = kRates[dice.below(std::size(kRates))];
    schedule.hold_up_once_in = kHoldUps[dice.below(std::size(kHoldUps))];
    schedule.branches_between_switches = kBranches[dice.below(std::size(kBranches))];
    schedule.hold_up_in_vain_once_in = kInVain[dice.below(std::size(kInVain))];
    schedule.longest_hold_up = static_cast<Nanoseconds>(dice.of_any_size(10 * kMicrosecond, 50 * kMillisecond));
    return schedule;
}

World::World(std::uint64_t seed)
    : dice_(seed),
      schedule_(Schedule::of(dice_)),
      files_(std::make_unique<FileTable>()),
      network_(std::make_unique<Network>(*this)) {
    Fibre::of_main();
    draw_branches();
    running_ = this;
}

World::~World() { running_ = nullptr; }

Thread& World::spawn(Process& process, std::string name, std::function<void()> main) {
    threads_.push_back(std::make_unique<Thread>());
    Thread& thread = *threads_.back();
    thread.number = static_cast<std::uint32_t>(threads_.size() - 1);
    thread.process = &process;
    thread.name = process.name() + "/" + name;
    thread.main = std::move(main);
    thread.fibre = &Fibre::obtain();
    thread.fibre->prepare([this, &thread] { thread_main(thread); });
    if (name != Process::kServiceThread) ++program_threads_;
    runnable_.push_back(&thread);
    note(Step::thread_starts, thread.number);
    return thread;
}

void World::thread_main(Thread& thread) {
    thread.main();
    thread.main = nullptr;
    thread.state = Thread::State::over;
    note(Step::thread_ends);
    wake_all(waiting_at(&thread));
    thread.fibre->give_back();  // nothing else runs before it is left
    // When the fibre is used again, this returns.
    if (!thread.name.ends_with(Process::kServiceThread) && --program_threads_ == 0) return leave(Outcome::done);
    reschedule();
}

World::Outcome World::run() {
    if (program_threads_ == 0) return Outcome::done;
    over_ = false;
    reschedule();
    current_ = nullptr;
    return outcome_;
}

void World::leave(Outcome outcome) {
    outcome_ = outcome;
    over_ = true;
    Fibre::of_main().switch_to();
}

void World::fail(std::string why) {
    why_ = std::move(why);
    say(why_);
    leave(Outcome::failed);
    std::abort();
}

void World::make_runnable(Thread& thread) {
    thread.state = Thread::State::runnable;
    thread.waits_in = nullptr;
    (thread.process->stopped() ? stopped_ : runnable_).push_back(&thread);
}

bool World::stood_still() {
    if (!current_->process->stopped()) return false;
    stopped_.push_back(current_);
    reschedule();
    return true;
}

void World::take_from_list(Thread& thread) {
    if (thread.waits_in) std::erase(thread.waits_in->waiting_, &thread);
    thread.waits_in = nullptr;
}

void World::run_due_events() {
    in_event_ = true;
    while (!events_.empty() && events_.front().when <= time_) {
        std::pop_heap(events_.begin(), events_.end(), std::greater<>());
        Event event = std::move(events_.back());
        events_.pop_back();
        event.happens();
    }
    in_event_ = false;
}

void World::at(Nanoseconds when, std::function<void()> happens) {
    events_.push_back({std::max(when, time_), ++last_event_, std::move(happens)});
    std::push_heap(events_.begin(), events_.end(), std::greater<>());
}

void World::reschedule() {
    run_due_events();
    while (runnable_.empty()) {
        if (events_.empty()) {
            why_ = "nothing can happen any more, and the program waits: " + waiting();
            return leave(Outcome::hung);
        }
        time_ = std::max(time_, events_.front().when);
        if (time_ > latest_) {
            why_ =
                "the program is not done after " + std::to_string(latest_ / kSecond) + " s of its time: " + waiting();
            return leave(Outcome::endless);
        }
        run_due_events();
    }
    const std::size_t chosen = dice_.below(runnable_.size());
    Thread& next = *runnable_[chosen];
    runnable_[chosen] = runnable_.back();
    runnable_.pop_back();
    go_to(next);
}

void World::go_to(Thread& thread) {
    if (current_ != &thread) {
        current_ = &thread;
        steps_of_current_ = 0;
        slice_ = dice_.between(kLeastSlice, kMostSlice);
        note(Step::runs);
        thread.process->enter();
    }
    thread.fibre->switch_to();
}

void World::step(Step step, std::uint64_t a, std::uint64_t b) {
    if (in_event_ || over_ || !current_) return;
    time_ += kStep;
    idle_steps_ = 0;
    take_turns(step, a, b);
}

void World::idle_step(Step step, std::uint64_t a, std::uint64_t b) {
    if (in_event_ || over_ || !current_) return;
    time_ += length_of_idle_step();
    take_turns(step, a, b);
}

Nanoseconds World::length_of_idle_step() {
    if (++idle_steps_ < kFirstIdleSteps) return kStep;
    const std::uint64_t doubled = std::min<std::uint64_t>((idle_steps_ - kFirstIdleSteps) / kIdleSteps, 20);
    const Nanoseconds length = std::min(kStep << doubled, kLongestIdleStep);
    const Nanoseconds to_next_event = events_.empty() ? length : events_.front().when - time_;
    return std::max(kStep, std::min(length, to_next_event));
}

void World::take_turns(Step step, std::uint64_t a, std::uint64_t b) {
    idle_yield_ = kMicrosecond;
    looks_at_clock_ = 0;
    note(step, a, b);
    if (++steps_ > most_steps_) {
        why_ = "the program is not done after " + std::to_string(most_steps_) + " steps: " + waiting();
        return leave(Outcome::endless);
    }
    if (!events_.empty() && events_.front().when <= time_) run_due_events();
    if (stood_still()) return;
    if (dice_.once_in(schedule_.hold_up_once_in)) {
        hold_up();
    } else if (!runnable_.empty()) {
        if (++steps_of_current_ > slice_)
            give_way();
        else if (dice_.once_in(schedule_.switch_once_in)) {
            runnable_.push_back(current_);
            reschedule();
        }
    }
}

void World::step_in_vain(Step step, std::uint64_t a, std::uint64_t b) {
    idle_step(step, a, b);
    if (in_event_ || over_ || !current_) return;
    if (dice_.once_in(schedule_.hold_up_in_vain_once_in)) hold_up();
}

void World::hold_up() {
    note(Step::is_held_up);
    sleep(static_cast<Nanoseconds>(dice_.of_any_size(100, static_cast<std::uint64_t>(schedule_.longest_hold_up))));
}

void World::draw_branches() {
    const std::uint64_t mean = schedule_.branches_between_switches;
    branches_left_ = mean == 0 ? ~std::uint64_t{0} : dice_.between(1, 2 * mean);
}

void World::interrupt() {
    draw_branches();
    if (in_event_ || over_ || !current_) return;
    note(Step::is_interrupted);
    time_ += kStep;
    if (runnable_.empty() || dice_.once_in(4))
        hold_up();
    else
        give_way();
}

// Another runs now; there is one.
void World::give_way() {
    const std::size_t chosen = dice_.below(runnable_.size());
    Thread& next = *runnable_[chosen];
    runnable_[chosen] = current_;
    go_to(next);
}

// Lets another thread run if there is one. If none is runnable, time advances faster and faster, since only an event can end
// the caller's spin.
void World::yield() {
    if (in_event_ || over_ || !current_) return;
    if (++steps_ > most_steps_) {
        why_ = "the program is not done after " + std::to_string(most_steps_) + " steps: " + waiting();
        return leave(Outcome::endless);
    }
    if (runnable_.empty()) {
        time_ += idle_yield_;
        idle_yield_ = std::min(idle_yield_ * 2, kLongestIdleYield);
    } else {
        time_ += std::max(kMicrosecond, length_of_idle_step());
    }
    note(Step::yields);
    run_due_events();
    if (!stood_still() && !runnable_.empty()) give_way();
}

void World::sleep(Nanoseconds length) {
    WaitList nobody;
    (void)wait(nobody, time_ + length);
}

bool World::wait(WaitList& list, std::optional<Nanoseconds> deadline) {
    Thread& self = *current_;
    if (++steps_ > most_steps_) {
        why_ = "the program is not done after " + std::to_string(most_steps_) + " steps: " + waiting();
        leave(Outcome::endless);
    }
    const std::uint64_t number = ++self.wait_number;
    self.state = Thread::State::waiting;
    self.waits_in = &list;
    self.timed_out = false;
    list.waiting_.push_back(&self);
    if (deadline) {
        at(*deadline, [this, &self, number] {
            if (self.state != Thread::State::waiting || self.wait_number != number) return;
            take_from_list(self);
            self.timed_out = true;
            make_runnable(self);
        });
    }
    reschedule();
    return !self.timed_out;
}

bool World::wake_one(WaitList& list) {
    if (list.waiting_.empty()) return false;
    Thread& chosen = *list.waiting_[dice_.below(list.waiting_.size())];
    take_from_list(chosen);
    make_runnable(chosen);
    return true;
}

bool World::wake_newest(WaitList& list) {
    if (list.waiting_.empty()) return false;
    Thread& newest = *list.waiting_.back();
    take_from_list(newest);
    make_runnable(newest);
    return true;
}

void World::wake_all(WaitList& list) {
    while (wake_newest(list)) {
    }
}

bool World::kill(int id) {
    const auto of_it = [&](const auto& thread) { return thread->process->id() == id; };
    const auto first = std::find_if(threads_.begin(), threads_.end(), of_it);
    if (first == threads_.end()) return false;
    const Process& process = *(*first)->process;
    while (holds_a_lock(process)) yield();
    note(Step::dies, static_cast<std::uint64_t>(id));
    killed_.push_back(id);
    end_threads_of(process);
    files_->close_all_of(process, *this);
    process.die();
    return true;
}

bool World::holds_a_lock(const Process& process) const {
    return std::any_of(threads_.begin(), threads_.end(), [&](const auto& thread) {
        return thread->process == &process && thread->state != Thread::State::over && thread->locks > 0;
    });
}

void World::stop(Process& process, Nanoseconds length) {
    if (process.stopped()) return;
    if (holds_a_lock(process)) return after(kMicrosecond, [this, &process, length] { stop(process, length); });
    note(Step::nemesis, 5, static_cast<std::uint64_t>(length));
    process.set_stopped(true);
    const auto others = std::stable_partition(runnable_.begin(), runnable_.end(),
                                              [&](const Thread* thread) { return thread->process != &process; });
    stopped_.insert(stopped_.end(), others, runnable_.end());
    runnable_.erase(others, runnable_.end());
    after(length, [this, &process] {
        note(Step::nemesis, 6);
        process.set_stopped(false);
        const auto its = std::stable_partition(stopped_.begin(), stopped_.end(),
                                               [&](const Thread* thread) { return thread->process != &process; });
        runnable_.insert(runnable_.end(), its, stopped_.end());
        stopped_.erase(its, stopped_.end());
    });
}

void World::end_threads_of(const Process& process) {
    for (const std::unique_ptr<Thread>& thread : threads_) {
        if (thread->process != &process || thread->state == Thread::State::over) continue;
        if (thread->state == Thread::State::waiting) take_from_list(*thread);
        std::erase(runnable_, thread.get());
        std::erase(stopped_, thread.get());
        thread->state = Thread::State::over;
        if (!thread->name.ends_with(Process::kServiceThread)) --program_threads_;
    }
}

std::string World::waiting() const {
    constexpr std::size_t kMostNamed = 12;
    std::string all;
    std::size_t count = 0;
    for (const std::unique_ptr<Thread>& thread : threads_) {
        if (thread->state == Thread::State::over || ++count > kMostNamed) continue;
        if (!all.empty()) all += ", ";
        all += thread->name + (thread->state == Thread::State::waiting ? " (waits)" : " (runs)");
    }
    if (count > kMostNamed) all += " and " + std::to_string(count - kMostNamed) + " more";
    return all;
}

void World::print_trace() const {
    std::vector<std::string> names;
    for (const std::unique_ptr<Thread>& thread : threads_) names.push_back(thread->name);
    trace_.print(stderr, names);
}

}  // namespace opennd::simulation
