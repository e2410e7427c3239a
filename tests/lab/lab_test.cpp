// SPDX-License-Identifier: MIT
//
// Read lab_test.h first.
#include "lab/lab_test.h"

#include <stdexcept>

namespace opennd::lab {
namespace {

// The conversation: one command out, one answer in.
constexpr std::size_t kCommandAt = 0, kAnswerAt = 512;
constexpr Tag kCommandTag = 900, kAnswerTag = 901;

conformance::EndpointOptions options() {
    conformance::EndpointOptions chosen;
    chosen.memory_bytes = Meeting::kHere + kMemory;
    return chosen;
}

void need(bool fulfilled, const char* what) {
    if (!fulfilled) throw std::runtime_error(what);
}

}  // namespace

SocketAddress guest(std::uint16_t port) {
    SocketAddress address{};
    address.ipv4.sin_family = AF_INET;
    address.ipv4.sin_port = htons(port);
    need(inet_pton(AF_INET, guest_address().c_str(), &address.ipv4.sin_addr) == 1, "OPENND_LAB_PEER is no address");
    return address;
}

PrivateData data_of(std::size_t bytes) {
    PrivateData data(bytes);
    fill_pattern(data, 0);
    return data;
}

void fill_pattern(std::span<std::byte> bytes, std::uint64_t seed) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte{pattern_octet(seed, i)};
}

testing::AssertionResult has_pattern(std::span<const std::byte> bytes, std::uint64_t seed) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] != std::byte{pattern_octet(seed, i)})
            return testing::AssertionFailure() << "byte " << i << " of " << bytes.size() << " differs";
    return testing::AssertionSuccess();
}

Meeting::Meeting(conformance::Driver& driver, Opener opener, ReadLimits limits) : side_(driver, options()) {
    if (opener == Opener::nd) {
        connect(limits);
    } else {
        expect_answer();  // the initiator speaks first
        accept(limits);
    }
    lost_.emplace(side_.connector->notify_disconnect());
    if (opener == Opener::nd)
        need(tell({.verb = Verb::hello}) == 0, "the peer does not answer");
    else
        need(answer() == 0, "the peer says nothing");
}

void Meeting::connect(ReadLimits limits) {
    peer_.emplace(GuestPeer::listening(kGuestPort));
    need(side_.connector->bind(conformance::local_address()) == Outcome::success, "Bind");
    need(side_.connector->connect(*side_.queue_pair, guest(kGuestPort), limits, {}).wait(kPatience) == Outcome::success,
         "Connect");
    need(side_.connector->complete_connect().wait(kPatience) == Outcome::success, "CompleteConnect");
}

void Meeting::accept(ReadLimits limits) {
    listener_ = conformance::listening(*side_.adapter);
    const Operation request = listener_->get_request(*side_.connector);
    peer_.emplace(GuestPeer::connecting(ntohs(conformance::address_of(*listener_).ipv4.sin_port)));
    need(request.wait(kPatience) == Outcome::success, "GetConnectionRequest");
    need(side_.connector->accept(*side_.queue_pair, limits, {}).wait(kPatience) == Outcome::success, "Accept");
}

void Meeting::expect_answer() {
    need(side_.receive(kAnswerTag, kAnswerAt, sizeof(Answer)) == Outcome::success, "posting a receive");
}

void Meeting::order(const Command& command) {
    expect_answer();
    std::memcpy(side_.bytes(kCommandAt, sizeof command).data(), &command, sizeof command);
    need(side_.send(kCommandTag, kCommandAt, sizeof command) == Outcome::success, "sending a command");
    const Completion sent = conformance::next(*side_.initiated, kPatience);
    // A peer that ends the connection at once may take the proof with it.
    need(sent.request == kCommandTag, "the result of a command");
}

std::uint32_t Meeting::answer() {
    const Completion came = conformance::next(*side_.received, kPatience);
    if (came.outcome != Outcome::success) throw std::runtime_error("no answer");
    need(came.request == kAnswerTag, "another message before the answer");
    std::memcpy(&there_, side_.bytes(kAnswerAt, sizeof there_).data(), sizeof there_);
    return there_.failure;
}

std::uint32_t Meeting::tell(const Command& command) {
    order(command);
    return answer();
}

}  // namespace opennd::lab
