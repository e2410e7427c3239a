// SPDX-License-Identifier: MIT
// LoopbackListener: see listener.h.
#include "transport/loopback/listener.h"

#include <utility>

namespace opennd::loopback {

bool Listeners::add(const Address& address, LoopbackListener& listener) {
    const Held lock(mutex_);
    return by_address_.emplace(address, Ref<LoopbackListener>(&listener)).second;
}

void Listeners::remove(const Address& address) {
    Ref<LoopbackListener> last;  // released outside the lock
    const Held lock(mutex_);
    const auto found = by_address_.find(address);
    if (found == by_address_.end()) return;
    last = std::move(found->second);
    by_address_.erase(found);
}

Ref<LoopbackListener> Listeners::find(const Address& address) const {
    Ref<LoopbackListener> listener;
    {
        const Held lock(mutex_);
        const auto found = by_address_.find(address);
        if (found != by_address_.end()) listener = found->second;
    }
    return listener && listener->listening() ? listener : nullptr;
}

LoopbackListener::LoopbackListener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink, Ref<Listeners> listeners,
                                   const local::WireTraits& traits)
    : adapter_(std::move(adapter)), listeners_(std::move(listeners)), traits_(traits), sink_(std::move(sink)) {}

Result<Address> LoopbackListener::bind(const Address& address) {
    if (!listeners_->add(address, *this)) return Status::address_in_use;
    const Held lock(mutex_);
    address_ = address;
    bound_ = true;
    return address;
}

Status LoopbackListener::listen(std::uint32_t) {
    const Held lock(mutex_);
    listening_ = true;
    return Status::success;
}

bool LoopbackListener::listening() const {
    const Held lock(mutex_);
    return listening_;
}

void LoopbackListener::take(LocalSocket socket) {
    Ref<ListenerSink> sink;
    {
        const Held lock(mutex_);
        sink = sink_;
    }
    if (sink) local::LocalConnector::passive(adapter_, std::move(socket), traits_, std::move(sink));
}

void LoopbackListener::close() {
    const Ref<LoopbackListener> self(this);  // the table may have the last other reference
    Ref<ListenerSink> last;                  // released outside the lock
    bool bound = false;
    Address address;
    {
        const Held lock(mutex_);
        listening_ = false;
        bound = std::exchange(bound_, false);
        address = address_;
        last = std::move(sink_);
        sink_ = nullptr;
    }
    if (bound) listeners_->remove(address);
}

}  // namespace opennd::loopback
