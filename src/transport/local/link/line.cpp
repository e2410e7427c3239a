// SPDX-License-Identifier: MIT
// Line: see line.h.
#include "transport/local/link/line.h"

#include <utility>

#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/link/link.h"

namespace opennd::local {

Line::Line(Ref<Link> link, std::uint32_t number) : link_(std::move(link)), number_(number) {}

Line::~Line() { link_->release(number_); }

Status Line::send(ControlMessage message, std::span<const int> descriptors) {
    return link_->send_about(number_, message, descriptors);
}

void Line::leave() {
    if (!left_.exchange(true, std::memory_order_relaxed)) link_->leave(number_);
}

const Ref<LinkMemory>& Line::memory() const { return link_->memory_; }
void Line::keep(std::unique_ptr<Holdings> holdings) { link_->keep(number_, std::move(holdings)); }

bool Line::wake() { return left_.load(std::memory_order_relaxed) || link_->socket_.wake(number_, false); }
bool Line::wake_again() { return left_.load(std::memory_order_relaxed) || link_->socket_.wake(number_, true); }
void Line::name(std::uint32_t crowds) {
    if (!left_.load(std::memory_order_relaxed)) link_->crowds_.name(number_, crowds);
}
bool Line::all_sleep(std::uint32_t crowds) const { return !link_->crowds_.polls_any(crowds); }
void Line::count_polled(bool polled) { link_->crowds_.count_polled(number_, polled); }

LinkSource* Line::source_in(const soft::Crowd& crowd) const {
    return static_cast<LinkSource*>(crowd.find(link_.get()));
}

LinkSource* Line::join(soft::Crowd& crowd, soft::Place place, bool asymmetric) {
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

void Line::leave(soft::Crowd& crowd, LinkSource& source) {
    if (source.remove(number_)) crowd.remove(link_.get());
}

// Looks in this order: a packet that is not in the socket any more is being handled, or was.
bool Line::has_packets() const {
    if (link_->socket_.readable()) return true;
    full_barrier();  // the system's look orders nothing
    return link_->hears_.load(std::memory_order_acquire);
}
void Line::look() { link_->hear_all(); }
soft::PeerTokenTable Line::peer_tokens() const { return link_->peer_tokens_.view(); }
pid_t Line::peer_process() const { return link_->ends_.process; }
std::atomic<KernelCopies>& Line::kernel_copies() const { return link_->kernel_copies_; }
void Line::leads_to(const Address& listener) {
    link_->links_->add_way(link_->ends_, listener, *link_, link_->closings_there());
}
bool Line::has_tokens_of(const soft::OpenAdapter& own) const { return link_->ends_.own == &own; }

}  // namespace opennd::local
