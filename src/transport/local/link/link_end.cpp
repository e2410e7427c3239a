// SPDX-License-Identifier: MIT
// LinkEnd: see link_end.h.
#include "transport/local/link/link_end.h"

#include <utility>

#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/link/link.h"

namespace opennd::local {

LinkEnd::LinkEnd(Ref<Link> link, std::uint32_t number) : link_(std::move(link)), number_(number) {}

LinkEnd::~LinkEnd() { link_->release(number_); }

Status LinkEnd::send(ControlMessage message, std::span<const int> descriptors) {
    return link_->send_about(number_, message, descriptors);
}

void LinkEnd::leave() {
    if (!left_.exchange(true, std::memory_order_relaxed)) link_->leave(number_);
}

const Ref<LinkMemory>& LinkEnd::memory() const { return link_->memory_; }
void LinkEnd::keep(std::unique_ptr<Holdings> holdings) { link_->keep(number_, std::move(holdings)); }

bool LinkEnd::wake() { return left_.load(std::memory_order_relaxed) || link_->socket_.wake(number_, false); }
bool LinkEnd::wake_again() { return left_.load(std::memory_order_relaxed) || link_->socket_.wake(number_, true); }
void LinkEnd::name(std::uint32_t crowds) {
    if (!left_.load(std::memory_order_relaxed)) link_->crowds_.name(number_, crowds);
}
bool LinkEnd::all_sleep(std::uint32_t crowds) const { return !link_->crowds_.polls_any(crowds); }
void LinkEnd::count_polled(bool polled) { link_->crowds_.count_polled(number_, polled); }

LinkSource* LinkEnd::source_in(const soft::Crowd& crowd) const {
    return static_cast<LinkSource*>(crowd.find(link_.get()));
}

LinkSource* LinkEnd::join(soft::Crowd& crowd, soft::Place place, bool asymmetric) {
    LinkSource* source = source_in(crowd);
    if (!source) {
        const Ref<LinkSource> made = link_->crowds_.add_source(crowd);
        if (!made) return nullptr;
        source = made.get();
        try {
            crowd.add(link_.get(), Ref<soft::ReadySource>(source));
        } catch (...) {
            source->close();
            throw;
        }
    }
    try {
        source->add(number_, place, asymmetric);
    } catch (...) {
        leave(crowd, *source);
        throw;
    }
    return source;
}

void LinkEnd::leave(soft::Crowd& crowd, LinkSource& source) {
    if (source.remove(number_)) crowd.remove(link_.get());
}

// Looks in this order: a packet that is not in the socket any more is being handled, or was.
bool LinkEnd::has_packets() const {
    if (link_->socket_.readable()) return true;
    full_barrier();  // the system's look orders nothing
    return link_->hears_.load(std::memory_order_acquire);
}
void LinkEnd::look() { link_->hear_all(); }
soft::PeerTokenTable LinkEnd::peer_tokens() const { return link_->peer_tokens_.view(); }
pid_t LinkEnd::peer_process() const { return link_->ends_.process; }
std::atomic<KernelCopies>& LinkEnd::kernel_copies() const { return link_->kernel_copies_; }
void LinkEnd::leads_to(const Address& listener) {
    link_->links_->add_way(link_->ends_, listener, *link_, link_->closings_there());
}
bool LinkEnd::has_tokens_of(const soft::OpenAdapter& own) const { return link_->ends_.own == &own; }

}  // namespace opennd::local
