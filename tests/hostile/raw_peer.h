// SPDX-License-Identifier: MIT
//
// The other end of an iWARP connection, written by hand: octets, a CRC of its own, and a plain TCP socket. It knows
// nothing of the library, so that it can be wrong in every way.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace opennd::hostile {

using Octets = std::vector<std::uint8_t>;

Octets joined(std::initializer_list<Octets> parts);

// A number, most significant octet first.
Octets number(std::uint64_t value, std::size_t octets);
inline Octets number32(std::uint32_t value) { return number(value, 4); }
inline Octets number64(std::uint64_t value) { return number(value, 8); }

// A, C, D; 16 Reads each way.
Octets usual_terms();

struct Frame {
    bool reply = false;
    std::uint8_t flags = 0x50;  // C and S
    std::uint8_t revision = 2;
    Octets enhanced = usual_terms();
    Octets data = {};
    std::optional<std::uint16_t> length = {};  // another than the data's
};
Octets octets_of(const Frame& frame);
// As an OpenND initiator asks: with its mark.
inline Frame openly_asked() { return {.flags = 0x51}; }

// Around a ULPDU: length, pad, CRC.
Octets fpdu(const Octets& ulpdu);

Octets tagged(std::uint8_t opcode, std::uint32_t stag, std::uint64_t offset, const Octets& payload = {},
              bool last = true);
Octets untagged(std::uint8_t opcode, std::uint32_t queue, std::uint32_t msn, std::uint32_t offset,
                const Octets& payload = {}, bool last = true, std::uint32_t invalidate = 0);
Octets send(std::uint32_t msn, const Octets& payload, bool last = true, std::uint32_t offset = 0);
Octets read_request(std::uint32_t msn, std::uint32_t source, std::uint64_t source_offset, std::uint32_t size,
                    std::uint32_t sink = 0x1234, std::uint64_t sink_offset = 0);
// The opening of the stream: a Write of nothing.
Octets opening(std::uint64_t offset = 0);

// How a connection ended.
enum class StreamEnd { in_order, reset, none };

class RawPeer {
public:
    // Connects to a port of 127.0.0.1. `segment_bytes`: the longest TCP segment that it takes, 0 for any. `host`: it
    // comes from 127.0.0.`host`.
    static RawPeer connected_to(std::uint16_t port, int segment_bytes = 0, std::uint8_t host = 1);
    // In two steps.
    static RawPeer unconnected();
    void connect_to(std::uint16_t port);
    // Nobody accepts connections at that port of 127.0.0.`host`.
    static bool is_refused(std::uint8_t host, std::uint16_t port);
    // Takes over an accepted socket.
    explicit RawPeer(int socket) : socket_(socket) {}
    RawPeer(RawPeer&& other) noexcept;
    RawPeer(const RawPeer&) = delete;
    ~RawPeer();

    void say(const Octets& octets);
    void say_one_by_one(const Octets& octets);
    // The last of them as TCP's urgent data.
    void say_urgently(const Octets& octets);
    // An octet four times a second until the connection ends. How many there were.
    std::size_t say_slowly(const Octets& octets);
    // `octets` octets, fewer if the connection ends or the deadline passes.
    Octets hear(std::size_t octets);
    // As hear(), by so many octets at a time and a pause between them.
    Octets hear_slowly(std::size_t octets, std::size_t at_a_time);
    // A frame with its private data; empty if none came.
    Octets hear_frame();
    // The next ULPDU with a correct CRC; nothing if none came.
    std::optional<Octets> hear_ulpdu();
    // The next Terminate, other ULPDUs skipped: "1/2/05"; empty if none came.
    std::string hear_terminate();
    // Reads to the end.
    StreamEnd stream_end();
    // Reads nothing. Whether the other side resets the connection before the deadline, or within `milliseconds`.
    bool is_reset();
    bool is_reset(int milliseconds);
    // Reads nothing. Whether octets, or the end, come within `milliseconds`.
    bool is_answered(int milliseconds);
    void end();
    void reset();

private:
    int socket_ = -1;
    bool was_reset_ = false;  // and send() reported it
};

// A listening socket for a raw responder.
class RawListener {
public:
    RawListener();
    RawListener(const RawListener&) = delete;
    ~RawListener();
    std::uint16_t port() const { return port_; }
    RawPeer accept();

private:
    int socket_ = -1;
    std::uint16_t port_ = 0;
};

}  // namespace opennd::hostile
