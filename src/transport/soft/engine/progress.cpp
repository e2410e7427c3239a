// SPDX-License-Identifier: MIT
// See progress.h.
#include "transport/soft/engine/progress.h"

#include <utility>
#include <vector>

#include "base/until_memory.h"

namespace opennd::soft {
namespace {

class Kept {
public:
    explicit Kept(const Deferral& deferral) : object_(deferral.object), work_(deferral.work) {}
    void do_it() const { work_->do_deferred(); }

private:
    Ref<RefCounted> object_;
    Deferrable* work_;
};

}  // namespace

struct Progress::Deferred {
    std::vector<Kept> events, unsettled;
};

void Progress::Delete::operator()(Deferred* deferred) const { delete deferred; }

Progress::Deferred& Progress::deferred() {
    if (!deferred_) deferred_.reset(new Deferred);
    return *deferred_;
}

// A completion that waits for its event has no other way to it.
void Progress::add_event(const Deferral& queue) {
    until_memory([&] { deferred().events.emplace_back(queue); });
}

void Progress::add_unsettled(const Deferral& queue_pair) {
    until_memory([&] { deferred().unsettled.emplace_back(queue_pair); });
}

void Progress::do_all_deferred() {
    const std::unique_ptr<Deferred, Delete> all = std::move(deferred_);
    for (const Kept& each : all->events) each.do_it();
    for (const Kept& each : all->unsettled) each.do_it();
}

}  // namespace opennd::soft
