// SPDX-License-Identifier: MIT
// See fork_step.h.
#include "base/fork_step.h"

namespace opennd {
namespace {

// Relaxed: written by a child before it has any other thread.
constinit std::atomic<unsigned> generation{0};

}  // namespace

constinit std::atomic<ForkStep*> ForkStep::first_{nullptr};

unsigned process_generation() noexcept { return generation.load(std::memory_order_relaxed); }

bool ForkStep::list() noexcept {
    next_ = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(next_, this, std::memory_order_release)) continue;
    return true;
}

void ForkStep::before() noexcept {
    for (ForkStep* each = first_.load(std::memory_order_acquire); each; each = each->next_) each->before_fork();
}

void ForkStep::behind() noexcept {
    for (ForkStep* each = first_.load(std::memory_order_acquire); each; each = each->next_) each->behind_fork();
}

void ForkStep::in_child() noexcept {
    generation.fetch_add(1, std::memory_order_relaxed);
    for (ForkStep* each = first_.load(std::memory_order_acquire); each; each = each->next_) each->begin_child();
}

}  // namespace opennd
