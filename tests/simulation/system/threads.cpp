// SPDX-License-Identifier: MIT
// pthreads(7), as far as the library and its programs use them. Outside a run there is one thread, and these do no more than
// that needs. The state of a lock is where the system has it.
#include <pthread.h>

#include <cerrno>

#include "simulation/system/real.h"
#include "simulation/world/process.h"
#include "simulation/world/world.h"

using opennd::simulation::Nanoseconds;
using opennd::simulation::Process;
using opennd::simulation::Step;
using opennd::simulation::Thread;
using opennd::simulation::World;
namespace real = opennd::simulation::real;

namespace {

World* world() {
    World* const world = World::now_running();
    return world && world->current() ? world : nullptr;
}

bool is_recursive(const pthread_mutex_t* mutex) { return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP; }

int own_number() {
    World* const world = ::world();
    return world ? static_cast<int>(world->current()->number) + 1 : 1;
}

bool take(pthread_mutex_t* mutex) {
    if (mutex->__data.__lock != 0 && (!is_recursive(mutex) || mutex->__data.__owner != own_number())) return false;
    if (World* const world = ::world(); world && mutex->__data.__lock == 0) ++world->current()->locks;
    ++mutex->__data.__lock;
    mutex->__data.__owner = own_number();
    return true;
}

void give(pthread_mutex_t* mutex) {
    if (mutex->__data.__lock > 0) --mutex->__data.__lock;
    if (mutex->__data.__lock > 0) return;
    mutex->__data.__owner = 0;
    if (World* const world = ::world()) {
        --world->current()->locks;
        (void)world->wake_one(world->waiting_at(mutex));
    }
}

void take_or_wait(World& world, pthread_mutex_t* mutex) {
    while (!take(mutex)) (void)world.wait(world.waiting_at(mutex));
}

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
    World* const world = ::world();
    if (!world) return ETIMEDOUT;
    std::optional<Nanoseconds> deadline;
    if (until) deadline = until->tv_sec * opennd::simulation::kSecond + until->tv_nsec;
    give(mutex);
    // Waits may end without a cause.
    if (!deadline && world->dice().once_in(200)) deadline = world->time() + opennd::simulation::kMillisecond;
    const bool in_time = world->wait(world->waiting_at(condition), deadline);
    take_or_wait(*world, mutex);
    return in_time || !until || world->time() < *deadline ? 0 : ETIMEDOUT;
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*), void* argument) {
    World* const world = ::world();
    if (!world) return real::pthread_create(thread, attributes, main, argument);
    Thread& made = world->spawn(world->process(), Process::kServiceThread, [main, argument] { (void)main(argument); });
    *thread = reinterpret_cast<pthread_t>(&made);
    world->step(Step::thread_starts, made.number);
    return 0;
}

int pthread_join(pthread_t thread, void** result) {
    World* const world = ::world();
    if (!world) return real::pthread_join(thread, result);
    const auto* const joined = reinterpret_cast<const Thread*>(thread);
    while (joined->state != Thread::State::over) (void)world->wait(world->waiting_at(joined));
    return 0;
}

// Threads of a run leave nothing to free.
int pthread_detach(pthread_t thread) { return world() ? 0 : real::pthread_detach(thread); }

int pthread_setname_np(pthread_t thread, const char* name) {
    return world() ? 0 : real::pthread_setname_np(thread, name);
}

// The threads of a world share one of the system, which hears the signals of this program. The fault of a copy that ends by a jump
// leaves its signal blocked there.
int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
    if (!world()) return real::pthread_sigmask(how, set, before);
    sigset_t faults;
    ::sigemptyset(&faults);
    ::sigaddset(&faults, SIGSEGV);
    ::sigaddset(&faults, SIGBUS);
    return real::pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    World* const world = ::world();
    if (!world) return take(mutex) ? 0 : EDEADLK;
    world->idle_step(Step::lock);
    take_or_wait(*world, mutex);
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
    World* const world = ::world();
    if (world) world->idle_step(Step::lock);
    return take(mutex) ? 0 : EBUSY;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
    give(mutex);
    if (World* const world = ::world()) world->idle_step(Step::unlock);
    return 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) { return wait(condition, mutex, nullptr); }

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t, const timespec* until) {
    return wait(condition, mutex, until);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
    return wait(condition, mutex, until);
}

int pthread_cond_signal(pthread_cond_t* condition) {
    if (World* const world = ::world()) (void)world->wake_one(world->waiting_at(condition));
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) {
    if (World* const world = ::world()) world->wake_all(world->waiting_at(condition));
    return 0;
}

int sched_yield(void) {
    World* const world = ::world();
    if (!world) return real::sched_yield();
    world->yield();
    return 0;
}

int nanosleep(const timespec* time, timespec* left) {
    World* const world = ::world();
    if (!world) return real::nanosleep(time, left);
    world->sleep(time->tv_sec * opennd::simulation::kSecond + time->tv_nsec);
    return 0;
}

// The compiler's call in every branch of the layers that CMakeLists.txt names.
void __sanitizer_cov_trace_pc() {
    if (World* const world = World::now_running()) world->branch();
}

int clock_gettime(clockid_t clock, timespec* time) {
    World* const world = ::world();
    if (!world) return real::clock_gettime(clock, time);
    world->look_at_clock();
    time->tv_sec = world->time() / opennd::simulation::kSecond;
    time->tv_nsec = world->time() % opennd::simulation::kSecond;
    return 0;
}

}  // extern "C"
