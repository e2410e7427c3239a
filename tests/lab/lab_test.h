// SPDX-License-Identifier: MIT
//
// Fixture: this side in the conformance vocabulary over iwarp, the other a verbs_peer on the kernel's soft iWARP in the
// lab's guest, connected either way. The peer follows the test's commands (peer_protocol.h).
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/nd2/driver.h"
#include "lab/guest_peer.h"
#include "lab/peer_protocol.h"

namespace opennd::lab {

using conformance::Completion;
using conformance::Endpoint;
using conformance::Operation;
using conformance::Outcome;
using conformance::PrivateData;
using conformance::ReadLimits;
using conformance::Remote;
using conformance::reports;
using conformance::reports_exactly;
using conformance::reports_received;
using conformance::RequestKind;
using conformance::Tag;
using support::proves;

// The connecting side.
enum class Opener { nd, siw };

inline constexpr std::uint16_t kGuestPort = 7400;
inline constexpr std::chrono::seconds kPatience{30};  // the guest is emulated

SocketAddress guest(std::uint16_t port);
PrivateData data_of(std::size_t bytes);
void fill_pattern(std::span<std::byte> bytes, std::uint64_t seed);
testing::AssertionResult has_pattern(std::span<const std::byte> bytes, std::uint64_t seed);

// A connection with the peer, established.
class Meeting {
public:
    Meeting(conformance::Driver& driver, Opener opener, ReadLimits limits = {});

    Endpoint& side() { return side_; }
    GuestPeer& peer() { return *peer_; }
    Operation& lost() { return *lost_; }

    // Has it carried out; the answer's failure.
    std::uint32_t tell(const Command& command);
    // Without waiting for an answer.
    void order(const Command& command);
    // The answer to an order. A receive for it is posted with the order; for a second one the test asks.
    std::uint32_t answer();
    void expect_answer();
    // This side's memory as a command names it.
    Command aimed(Command command) {
        const Remote memory = side_.remote(kHere);
        command.token = memory.token;
        command.address = memory.address;
        return command;
    }
    // Where its memory is.
    Remote there(std::uint64_t offset = 0) const { return {there_.address + offset, there_.token}; }

    // This side's memory for the test; the bytes before kHere are the conversation's.
    static constexpr std::size_t kHere = 4096;
    std::span<std::byte> here(std::size_t length) { return side_.bytes(kHere, length); }

private:
    void connect(ReadLimits limits);
    void accept(ReadLimits limits);

    std::optional<GuestPeer> peer_;  // ends when the connection does
    Endpoint side_;
    std::unique_ptr<conformance::Listener> listener_;
    std::optional<Operation> lost_;
    Answer there_{};
};

class Lab : public testing::TestWithParam<Opener> {
protected:
    void SetUp() override {
        if (const std::string reason = no_lab(); !reason.empty()) GTEST_SKIP() << reason;
        driver_ = conformance::nd2::open_driver();
    }
    conformance::Driver& driver() { return *driver_; }

private:
    conformance::PinnedTransport transport_{"iwarp"};
    std::unique_ptr<conformance::Driver> driver_;
};

inline auto either_way() { return testing::Values(Opener::nd, Opener::siw); }
inline std::string opener_name(const testing::TestParamInfo<Opener>& info) {
    return info.param == Opener::nd ? "NdConnects" : "SiwConnects";
}

}  // namespace opennd::lab
