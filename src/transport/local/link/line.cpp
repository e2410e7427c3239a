// SPDX-License-Identifier: MIT
// Line: see line.h.
#include "transport/local/link/line.h"

#include <utility>

#include "transport/local/link/link.h"

namespace opennd::local {

Line::Line(Ref<Link> link, std::uint32_t number, Ref<Arena> arena, Segment& segment)
    : link_(std::move(link)), number_(number), arena_(std::move(arena)), segment_(segment) {}

Line::~Line() { link_->release(number_); }

Status Line::send(ControlMessage message, std::span<const int> descriptors) {
    return link_->send_about(number_, message, descriptors);
}

void Line::leave() {
    if (!left_.exchange(true, std::memory_order_relaxed)) link_->leave(number_);
}

bool Line::wake() { return left_.load(std::memory_order_relaxed) || link_->wake(number_, false); }
bool Line::wake_again() { return left_.load(std::memory_order_relaxed) || link_->wake(number_, true); }
// In this order: a packet that is not in the socket any more is being handled, or was.
bool Line::has_packets() const { return link_->socket_.readable() || link_->hears_.load(); }
void Line::look() { link_->hear_all(); }
soft::PeerTokenTable Line::peer_tokens() const { return link_->peer_tokens_.view(); }
pid_t Line::peer_process() const { return link_->ends_.process; }
void Line::leads_to(const Address& listener) {
    link_->links_->add_way(link_->ends_, listener, *link_, link_->closings_there());
}
bool Line::has_tokens_of(const soft::OpenAdapter& own) const { return link_->ends_.own == &own; }

}  // namespace opennd::local
