// SPDX-License-Identifier: MIT
// See guarded.h.
#include "wdm/checking/guarded.h"

#include <string>
#include <utility>

#include "wdm/checking/live_objects.h"

namespace opennd::wdm {
namespace {

thread_local const Guarded* running_event = nullptr;  // events are not nested, but for those of hosts

}  // namespace

RunningEvent::RunningEvent(const Guarded& object) : before_(std::exchange(running_event, &object)) {}
RunningEvent::~RunningEvent() { running_event = before_; }

bool Guarded::runs_event_here() const { return running_event == this; }

Guarded& GuardedAdapter::make(const char* kind, const void* made_at) {
    auto object = std::make_unique<Guarded>(*this, kind, made_at);
    Guarded& made = *object;
    const std::lock_guard held(mutex_);
    objects_.emplace(&made, std::move(object));
    return made;
}

void GuardedAdapter::drop(Guarded& object) {
    std::unique_ptr<Guarded> gone;  // destroyed outside the lock
    const std::lock_guard held(mutex_);
    const auto found = objects_.find(&object);
    if (found == objects_.end()) return;
    gone = std::move(found->second);
    objects_.erase(found);
}

void GuardedAdapter::retire(Guarded& object) {
    {
        const std::lock_guard held(object.mutex_);
        if (!object.events_.empty()) return;
    }
    drop(object);
}

void Guarded::adopt(NDK_OBJECT_HEADER& header, const void* provider_table) {
    header_ = &header;
    provider_table_ = provider_table;
    header.NdkReserved.rf[0] = this;
    LiveObjects::instance().add(&header, {.kind = kind_, .detail = {}, .made_at = made_at_});
}

bool Guarded::begin_close() {
    State open = State::open;
    if (!state_.compare_exchange_strong(open, State::closing)) {
        report(OPENND_WDM_RULE_CLOSED, subject(), "is closed again; its close has begun before");
        return false;
    }
    LiveObjects::instance().remove(header_, kind_, [](const LiveObject&) { return true; });
    return true;
}

void Guarded::end_close() {
    let_go();
    state_.store(State::closed);
}

void Guarded::report_use(const char* call) const {
    report(OPENND_WDM_RULE_CLOSED, subject(), std::string(call) + " was called after its close has begun");
}

Event& Guarded::add_event(const char* name, void (*function)(), void* context) {
    const std::lock_guard held(mutex_);
    return *events_.emplace_back(std::make_unique<Event>(Event{*this, name, function, context}));
}

void Guarded::expect_events(const char* name) const {
    if (state_.load() == State::closed)
        report(OPENND_WDM_RULE_CALLBACK, subject(), std::string(name) + " came after its close had completed");
}

void Guarded::hold(PMDL chain) {
    const std::lock_guard held(mutex_);
    for (PMDL mdl = chain; mdl != nullptr; mdl = mdl->Next)
        if (LiveObjects::instance().hold(mdl)) held_.push_back(mdl);
}

void Guarded::let_go() {
    const std::lock_guard held(mutex_);
    for (PMDL const mdl : std::exchange(held_, {})) LiveObjects::instance().let_go(mdl);
}

}  // namespace opennd::wdm
