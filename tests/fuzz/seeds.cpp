// SPDX-License-Identifier: MIT
// Writes scripts of genuine traffic, and of one rule broken at a time, for the corpora to begin with:
//   fuzz_seeds FOLDER     writes FOLDER/segment/*, FOLDER/handshake/* and FOLDER/iwarp/*
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "fuzz/connection/connection_seeds.h"
#include "fuzz/handshake/handshake_steps.h"
#include "fuzz/iwarp/iwarp_seeds.h"
#include "fuzz/segment/honest_side.h"
#include "fuzz/segment/segment_steps.h"
#include "transport/local/link/control_message.h"

namespace opennd::fuzz {
namespace {

using local::ControlType;
using local::FrameKind;
using local::kFirst;
using local::kLast;

// The counterpart of Script: writes its input.
class Seed {
public:
    explicit Seed(std::initializer_list<std::uint8_t> beginning) : bytes_(beginning) {}

    Seed& byte(std::size_t value) {
        bytes_.push_back(static_cast<std::uint8_t>(value));
        return *this;
    }
    Seed& raw(std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) byte(value >> (8 * i) & 0xff);
        return *this;
    }
    Seed& number(std::uint32_t value) {
        const auto edge = std::find(Script::kEdges.begin(), Script::kEdges.end(), value);
        byte(static_cast<std::size_t>(edge - Script::kEdges.begin()));
        return edge == Script::kEdges.end() ? raw(value, 4) : *this;
    }
    Seed& step(SegmentStep step) { return byte(static_cast<std::size_t>(step)); }

    // The honest side: one entry, from the region's start.
    Seed& receive(std::uint32_t bytes) { return step(SegmentStep::receive).byte(1).byte(0).number(0).number(bytes); }
    Seed& send(std::uint32_t bytes) {
        step(SegmentStep::send).byte(0).number(0).number(bytes).byte(0);
        return bytes <= 256 ? byte(1) : *this;
    }
    // Of the peer's token 0.
    Seed& one_sided(SegmentStep what, std::uint32_t bytes) {
        return step(what).byte(0).byte(1).number(0).byte(0).number(0).number(bytes).byte(0);
    }
    Seed& poll() { return step(SegmentStep::poll).byte(7); }
    Seed& deregister(HonestSide::RegionName region) { return step(SegmentStep::deregister).byte(region); }

    // The peer.
    Seed& say(FrameKind kind, std::uint8_t flags, std::uint32_t length, std::uint32_t total) {
        return step(SegmentStep::say).byte(static_cast<std::size_t>(kind)).byte(flags).number(length).number(total);
    }
    // `owner`: of the token and the address.
    Seed& at(std::size_t owner, std::size_t region, std::uint32_t offset) {
        return byte(owner).byte(region).number(offset);
    }
    Seed& grant(std::uint8_t rights, std::size_t segment, std::uint32_t offset = 0) {
        return step(SegmentStep::grant)
            .byte(0)
            .byte(rights)
            .byte(segment)
            .number(0)
            .number(40000)
            .byte(0)
            .number(offset)
            .byte(0)
            .byte(1);
    }
    Seed& give_segment(std::size_t number) { return step(SegmentStep::give_segment).byte(number); }
    Seed& offer(std::initializer_list<std::uint32_t> lengths) {
        step(SegmentStep::offer).byte(lengths.size());
        for (const std::uint32_t length : lengths) byte(0).byte(1).number(0).number(length);
        return *this;
    }
    Seed& acknowledge() { return step(SegmentStep::acknowledge).byte(127).byte(0); }

    // On the socket.
    Seed& say(ControlType type) {
        byte(static_cast<std::size_t>(HandshakeStep::message)).byte(static_cast<std::size_t>(type)).byte(0).byte(0);
        number(2).number(2).byte(0).byte(1).byte(0).byte(0).number(0).raw(0, 8);
        return byte(7).byte(1).byte(8).byte(1).byte(0).byte(0).byte(0).byte(0);
    }
    Seed& say_with(ControlType type, std::size_t place, Attachment wrong) {
        say(type);
        for (int i = 0; i < 3; ++i) bytes_.pop_back();
        return byte(3).byte(place).byte(static_cast<std::size_t>(wrong)).byte(0).byte(0);
    }
    Seed& program(HandshakeStep step) { return byte(static_cast<std::size_t>(step)); }

    void write(const std::filesystem::path& folder, const std::string& name) const {
        std::filesystem::create_directories(folder);
        std::ofstream stream(folder / name, std::ios::binary);
        stream.write(reinterpret_cast<const char*>(bytes_.data()), static_cast<std::streamsize>(bytes_.size()));
    }

private:
    std::vector<std::uint8_t> bytes_;
};

constexpr std::uint8_t kWhole = kFirst | kLast;
constexpr std::uint8_t kRing = 0, kKernel = 1;  // a script's first byte

void write_segment_seeds(const std::filesystem::path& to) {
    const auto window = std::size_t{HonestSide::kRegions};
    Seed({kRing}).receive(4096).say(FrameKind::send, kWhole, 8, 8).poll().write(to, "short_send");
    Seed({kRing}).say(FrameKind::send, kWhole, 4096, 4096).poll().receive(4096).poll().write(to, "awaited_receive");
    Seed({kRing})
        .receive(40000)
        .say(FrameKind::send, kFirst, 16384, 32768)
        .poll()
        .say(FrameKind::send, kLast, 16384, 0)
        .poll()
        .write(to, "long_send");
    Seed({kRing}).send(8).send(4096).send(40000).acknowledge().poll().write(to, "sends_of_the_program");
    Seed({kRing})
        .say(FrameKind::write, kWhole, 97, 97)
        .at(HonestSide::shared, HonestSide::shared, 0)
        .poll()
        .write(to, "write");
    Seed({kRing})
        .say(FrameKind::read_request, kWhole, 0, 40000)
        .at(HonestSide::outbox, HonestSide::outbox, 0)
        .poll()
        .acknowledge()
        .poll()
        .write(to, "read");
    Seed({kRing})
        .grant(6, 0)
        .one_sided(SegmentStep::read, 20000)
        .acknowledge()
        .say(FrameKind::read_reply, kFirst, 16384, 20000)
        .say(FrameKind::read_reply, kLast, 20000 - 16384, 0)
        .poll()
        .write(to, "read_of_the_program");
    Seed({kRing})
        .grant(6, 0)
        .one_sided(SegmentStep::write, 40000)
        .acknowledge()
        .poll()
        .write(to, "write_of_the_program");
    Seed({kKernel})
        .grant(6, 0)
        .one_sided(SegmentStep::write, 40000)
        .one_sided(SegmentStep::read, 40000)
        .poll()
        .write(to, "by_the_kernel");
    Seed({kRing})
        .grant(6, 1)
        .give_segment(1)
        .one_sided(SegmentStep::write, 4096)
        .one_sided(SegmentStep::read, 20000)
        .poll()
        .write(to, "by_mapping");
    Seed({kRing}).grant(2, 1).give_segment(1).receive(40000).offer({16384, 4096}).poll().write(to, "fetch");
    Seed({kRing})
        .grant(2, 1)
        .receive(40000)
        .offer({16384, 4096})
        .poll()
        .give_segment(1)
        .poll()
        .write(to, "fetch_that_waits");
    Seed({kRing})
        .grant(2, 1, 1 << 20)
        .give_segment(1)
        .receive(40000)
        .offer({4096})
        .poll()
        .write(to, "fetch_beyond_the_segment");
    Seed({kRing})
        .step(SegmentStep::bind)
        .byte(0)
        .poll()
        .say(FrameKind::write, kWhole, 96, 96)
        .at(window, HonestSide::vault, 0)
        .poll()
        .step(SegmentStep::invalidate)
        .poll()
        .write(to, "window");
    Seed({kRing})
        .receive(40000)
        .say(FrameKind::send, kFirst, 16384, 32768)
        .poll()
        .deregister(HonestSide::inbox)
        .say(FrameKind::send, kLast, 16384, 0)
        .poll()
        .write(to, "deregistered_in_mid_message");
    Seed({kRing})
        .receive(40000)
        .say(FrameKind::send, kFirst, 16384, 32768)
        .poll()
        .step(SegmentStep::flush)
        .say(FrameKind::send, kLast, 16384, 0)
        .poll()
        .write(to, "flushed_in_mid_message");
    Seed({kRing}).send(8).step(SegmentStep::refuse).byte(0).byte(0).poll().write(to, "refusal");
    Seed({kRing})
        .receive(4096)
        .step(SegmentStep::arm)
        .byte(2)
        .say(FrameKind::send, kWhole, 8, 8)
        .step(SegmentStep::serve)
        .poll()
        .write(to, "served");
    Seed({kRing}).receive(96).say(FrameKind::send, kWhole, 97, 97).poll().write(to, "too_long");
    Seed({kRing}).say(FrameKind::read_reply, kWhole, 8, 8).poll().write(to, "answer_to_nobody");
    Seed({kKernel})
        .grant(6, 0)
        .one_sided(SegmentStep::read, 40000)
        .say(FrameKind::read_reply, kFirst, 8, 8)
        .poll()
        .write(to, "answer_to_a_read_not_asked");
}

void write_handshake_seeds(const std::filesystem::path& to) {
    constexpr std::uint8_t kActive = 0, kPassive = 1;
    Seed({kPassive, 0})
        .say(ControlType::request)
        .program(HandshakeStep::accept)
        .say(ControlType::ready)
        .say(ControlType::segment)
        .say(ControlType::segment_request)
        .say(ControlType::disconnect)
        .write(to, "accepted");
    Seed({kActive, 0})
        .say(ControlType::link)
        .say(ControlType::accept)
        .program(HandshakeStep::complete)
        .say(ControlType::disconnect)
        .say(ControlType::leave)
        .say(ControlType::release)
        .say(ControlType::retire)
        .write(to, "connected");
    Seed({kActive, 1})
        .say(ControlType::link)
        .say(ControlType::accept)
        .program(HandshakeStep::complete)
        .program(HandshakeStep::disconnect)
        .write(to, "disconnected");
    Seed({kActive, 0}).say(ControlType::reject).write(to, "rejected");
    Seed({kPassive, 0})
        .say(ControlType::request)
        .say(ControlType::cancel)
        .program(HandshakeStep::accept)
        .write(to, "cancelled");
    Seed({kPassive, 0}).say(ControlType::request).program(HandshakeStep::reject).write(to, "refused");
    Seed({kPassive, 0})
        .say(ControlType::request)
        .program(HandshakeStep::accept)
        .say(ControlType::accept)
        .write(to, "out_of_turn");
    Seed({kPassive, 0})
        .say(ControlType::request)
        .program(HandshakeStep::accept)
        .say(ControlType::ready)
        .say(ControlType::join)
        .write(to, "number_of_this_side");
    for (std::size_t i = 0; i < kAttachments; ++i)
        for (std::size_t place = 0; place < 3; ++place)
            Seed({kActive, 0})
                .say_with(ControlType::link, place, static_cast<Attachment>(i))
                .say(ControlType::accept)
                .write(to, "link_with_" + std::to_string(i) + "_at_" + std::to_string(place));
}

}  // namespace
}  // namespace opennd::fuzz

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    const std::filesystem::path folder(arguments[1]);
    opennd::fuzz::write_segment_seeds(folder / "segment");
    opennd::fuzz::write_handshake_seeds(folder / "handshake");
    opennd::fuzz::write_iwarp_seeds(folder / "iwarp");
    opennd::fuzz::write_connection_seeds(folder / "connection");
    return 0;
}
