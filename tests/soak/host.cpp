// SPDX-License-Identifier: MIT
//
// Read host.h first.
#include "soak/host.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "support/deadline.h"
#include "support/pattern.h"
#include "support/status.h"

namespace opennd::soak {

using conformance::RequestKind;
using support::PreparationFailed;

namespace {

bool is_written(std::uint64_t message) { return message % 4 == 1; }

}  // namespace

void need(Outcome actual, Outcome expected, const char* step) {
    if (actual != expected) throw PreparationFailed(std::string(step) + " ended with: " + name_of(actual));
}

Host::Host(conformance::Driver& driver, std::size_t exchanges, support::MemoryKind kind)
    : exchanges_(exchanges),
      adapter_(driver.open_adapter()),
      queue_(adapter_->create_completion_queue(adapter_->limits().max_completion_depth)),
      memory_(kSlots * exchanges * kSlotBytes, kind),
      region_(conformance::registered(*adapter_, memory_.data(), memory_.size(), conformance::kAllRights)),
      listener_(conformance::listening(*adapter_)),
      port_(ntohs(conformance::address_of(*listener_).ipv4.sin_port)) {}

Link Host::open_link(Tag tag) {
    const conformance::QueuePairOptions options{.receive_depth = 2, .initiator_depth = 2, .context = tag};
    return {adapter_->create_queue_pair(*queue_, *queue_, options), adapter_->create_connector()};
}

Link Host::connect(std::uint16_t port, Tag tag) {
    Link link = open_link(tag);
    need(link.connector->bind(conformance::local_address()), Outcome::success, "Bind");
    const auto connect =
        link.connector->connect(*link.queue_pair, conformance::local_address(port), {}, described(tag));
    need(connect.wait(), Outcome::success, "Connect");
    learn_peer(link);
    need(link.connector->complete_connect().wait(), Outcome::success, "CompleteConnect");
    return link;
}

Link Host::accept(Tag tag) {
    Link link = open_link(tag);
    need(listener_->get_request(*link.connector).wait(), Outcome::success, "GetConnectionRequest");
    learn_peer(link);
    need(link.connector->accept(*link.queue_pair, {}, described(tag)).wait(), Outcome::success, "Accept");
    return link;
}

// Links without traffic share the first slot.
conformance::PrivateData Host::described(Tag tag) {
    const auto address = reinterpret_cast<std::uint64_t>(slot(tag < exchanges_ ? tag : 0, Slot::open).data());
    const std::uint32_t token = region_->remote_token();
    conformance::PrivateData data(sizeof address + sizeof token);
    std::memcpy(data.data(), &address, sizeof address);
    std::memcpy(data.data() + sizeof address, &token, sizeof token);
    return data;
}

void Host::learn_peer(Link& link) {
    conformance::PrivateData data;
    need(link.connector->private_data(data), Outcome::success, "GetPrivateData");
    if (data.size() < sizeof link.open.address + sizeof link.open.token)
        throw PreparationFailed("no memory is described");
    std::memcpy(&link.open.address, data.data(), sizeof link.open.address);
    std::memcpy(&link.open.token, data.data() + sizeof link.open.address, sizeof link.open.token);
}

std::span<std::byte> Host::slot(std::size_t index, Slot which) {
    return memory_.bytes((kSlots * index + static_cast<std::size_t>(which)) * kSlotBytes, kSlotBytes);
}

conformance::Sge Host::sge(std::size_t index, Slot which, std::size_t bytes) {
    return {slot(index, which).data(), static_cast<std::uint32_t>(bytes), region_->local_token()};
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
    const auto sge = host_.sge(index_, Host::Slot::received, Host::kSlotBytes);
    need(link_.queue_pair->receive(0, {&sge, 1}), Outcome::success, "Receive");
}

void Exchange::start() {
    if (posted_ == messages_ || posted_ > sent_ || posted_ > received_ || one_sided_ > 0) return;
    const std::size_t bytes = size_of(posted_);
    support::fill_pattern(host_.slot(index_, Host::Slot::sent).first(bytes), seed_of(posted_));
    post_one_sided();
    const auto sge = host_.sge(index_, Host::Slot::sent, bytes);
    need(link_.queue_pair->send(1, {&sge, 1}, conformance::kNoFlags), Outcome::success, "Send");
    ++posted_;
}

void Exchange::post_one_sided() {
    Outcome posted = Outcome::success;
    if (is_written(posted_)) {
        const auto sge = host_.sge(index_, Host::Slot::sent, size_of(posted_));
        posted = link_.queue_pair->write(1, {&sge, 1}, link_.open, conformance::kNoFlags);
    } else if (posted_ >= 2 && is_written(posted_ - 2)) {
        const auto sge = host_.sge(index_, Host::Slot::read, size_of(posted_ - 2));
        posted = link_.queue_pair->read(1, {&sge, 1}, link_.open, conformance::kNoFlags);
    } else {
        return;
    }
    need(posted, Outcome::success, "Write or Read");
    ++one_sided_;
}

void Exchange::verify(std::span<const std::byte> bytes, std::uint64_t message, const char* what) const {
    if (!support::has_pattern(bytes, seed_of(message)))
        throw PreparationFailed(std::string(what) + " " + std::to_string(message) + " is not what was sent");
}

void Exchange::take(const Completion& completion) {
    need(completion.outcome, Outcome::success, "a request");
    if (completion.kind == RequestKind::send) {
        ++sent_;
    } else if (completion.kind == RequestKind::read) {
        --one_sided_;
        const std::uint64_t written = posted_ - 3;  // of two messages before the newest
        verify(host_.slot(index_, Host::Slot::read).first(size_of(written)), written, "what was read back of");
    } else if (completion.kind == RequestKind::write) {
        --one_sided_;
    } else {
        const std::size_t bytes = size_of(received_);
        if (completion.bytes != bytes) throw PreparationFailed("a message has another length than what was sent");
        verify(host_.slot(index_, Host::Slot::received).first(bytes), received_, "message");
        if (is_written(received_))
            verify(host_.slot(index_, Host::Slot::open).first(bytes), received_, "what was written with message");
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
