// SPDX-License-Identifier: MIT
//
// Read host.h first.
#include "soak/host.h"

#include <arpa/inet.h>

#include <algorithm>
#include <string>

#include "support/deadline.h"
#include "support/pattern.h"
#include "support/status.h"

namespace opennd::soak {

using conformance::RequestKind;
using support::PreparationFailed;

void need(Outcome actual, Outcome expected, const char* step) {
    if (actual != expected) throw PreparationFailed(std::string(step) + " ended with: " + name_of(actual));
}

Host::Host(conformance::Driver& driver, std::size_t exchanges, support::MemoryKind kind)
    : adapter_(driver.open_adapter()),
      queue_(adapter_->create_completion_queue(adapter_->limits().max_completion_depth)),
      memory_(2 * exchanges * kSlotBytes, kind),
      region_(conformance::registered(*adapter_, memory_.data(), memory_.size(), conformance::kAllRights)),
      listener_(conformance::listening(*adapter_)),
      port_(ntohs(conformance::address_of(*listener_).sin_port)) {}

Link Host::open_link(Tag tag) {
    const conformance::QueuePairOptions options{.receive_depth = 2, .initiator_depth = 2, .context = tag};
    return {adapter_->create_queue_pair(*queue_, *queue_, options), adapter_->create_connector()};
}

Link Host::connect(std::uint16_t port, Tag tag) {
    Link link = open_link(tag);
    need(link.connector->bind(conformance::local_address()), Outcome::success, "Bind");
    need(link.connector->connect(*link.queue_pair, conformance::local_address(port), {}, {}).wait(), Outcome::success,
         "Connect");
    need(link.connector->complete_connect().wait(), Outcome::success, "CompleteConnect");
    return link;
}

Link Host::accept(Tag tag) {
    Link link = open_link(tag);
    need(listener_->get_request(*link.connector).wait(), Outcome::success, "GetConnectionRequest");
    need(link.connector->accept(*link.queue_pair, {}, {}).wait(), Outcome::success, "Accept");
    return link;
}

std::span<std::byte> Host::slot(std::size_t index, bool received) {
    return memory_.bytes((2 * index + (received ? 1 : 0)) * kSlotBytes, kSlotBytes);
}

conformance::Sge Host::sge(std::size_t index, bool received, std::size_t bytes) {
    return {slot(index, received).data(), static_cast<std::uint32_t>(bytes), region_->local_token()};
}

Exchange::Exchange(Host& host, Link& link, std::size_t index, std::uint64_t messages)
    : host_(host), link_(link), index_(index), messages_(messages) {
    post_receive();
}

// From one byte to a slot; small ones more often.
std::size_t Exchange::size_of(std::uint64_t message) const {
    const std::uint64_t mixed = (seed_of(message) + 1) * 0x9E3779B97F4A7C15u >> 20;
    return 1 + mixed % (mixed % 8 == 0 ? Host::kSlotBytes : 512);
}

void Exchange::post_receive() {
    const auto sge = host_.sge(index_, true, Host::kSlotBytes);
    need(link_.queue_pair->receive(0, {&sge, 1}), Outcome::success, "Receive");
}

void Exchange::start() {
    if (posted_ == messages_ || posted_ > sent_ || posted_ > received_) return;
    const std::size_t bytes = size_of(posted_);
    support::fill_pattern(host_.slot(index_, false).first(bytes), seed_of(posted_));
    const auto sge = host_.sge(index_, false, bytes);
    need(link_.queue_pair->send(1, {&sge, 1}, conformance::kNoFlags), Outcome::success, "Send");
    ++posted_;
}

void Exchange::take(const Completion& completion) {
    need(completion.outcome, Outcome::success, "a request");
    if (completion.kind == RequestKind::send) {
        ++sent_;
    } else {
        const std::size_t bytes = size_of(received_);
        const bool right = completion.bytes == bytes &&
                           support::has_pattern(host_.slot(index_, true).first(bytes), seed_of(received_));
        if (!right) throw PreparationFailed("message " + std::to_string(received_) + " is not what was sent");
        if (++received_ < messages_) post_receive();
    }
    start();
}

void exchange_all(Host& host, std::span<Link> links, std::uint64_t messages) {
    std::vector<Exchange> exchanges;
    exchanges.reserve(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) exchanges.emplace_back(host, links[i], i, messages);
    for (Exchange& exchange : exchanges) exchange.start();
    const auto all_done = [&] {
        return std::all_of(exchanges.begin(), exchanges.end(), [](const Exchange& each) { return each.done(); });
    };
    while (!all_done()) {
        std::vector<Completion> completions;
        const bool moved = support::wait_until([&] {
            completions = host.queue().poll(64);
            return !completions.empty();
        });
        if (!moved) throw PreparationFailed("nothing came for long");
        for (const Completion& completion : completions) exchanges.at(completion.queue_pair).take(completion);
    }
}

}  // namespace opennd::soak
