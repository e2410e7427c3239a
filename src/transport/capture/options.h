// SPDX-License-Identifier: MIT
// The options of a capture, as an administrator gives them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/address.h"

namespace opennd::capture {

struct Options {
    static constexpr std::uint32_t kUsualSnapBytes = 262'144;
    static constexpr std::uint64_t kUsualFileBytes = 100'000'000;
    static constexpr std::uint32_t kUsualBufferMb = 64;

    std::string file;              // empty: no capture
    std::uint32_t files = 0;       // of a ring; the oldest one goes. 0: all stay
    std::uint64_t file_bytes = 0;  // a larger file is followed by the next; 0: one file, or kUsualFileBytes in a ring
    std::uint32_t snap_bytes = kUsualSnapBytes;                              // of each packet
    std::uint64_t buffer_bytes = std::uint64_t{kUsualBufferMb} * 1'000'000;  // of packets that are not written yet
    std::string filter;                                                      // see Filter; empty: every connection

    bool rotates() const { return files != 0 || file_bytes != 0; }
    std::uint64_t bytes_a_file() const { return file_bytes != 0 ? file_bytes : kUsualFileBytes; }
};

// The choice of the connections that a capture has: terms in the words of pcap-filter(7), for connections instead of
// packets.
//
//   host ADDRESS    one end has the address
//   port NUMBER     one end has the port
//   wire NAME       loopback, shm or iwarp carries it
//   not TERM, TERM and TERM, TERM or TERM; `and` binds closer than `or`
class Filter {
public:
    // Every connection passes.
    Filter() = default;
    // Parses `text`. If it is no filter, returns nothing, and `fault` names the wrong word and the expected ones.
    static std::optional<Filter> parse(std::string_view text, std::string& fault);

    bool passes(const Address& local, const Address& peer, std::string_view wire) const;

private:
    struct Term {
        enum class Kind : std::uint8_t { host, port, wire } kind = Kind::wire;
        bool negated = false;
        Address host;
        std::uint16_t port = 0;
        std::string wire;
    };
    using All = std::vector<Term>;  // each holds

    static bool holds(const Term& term, const Address& local, const Address& peer, std::string_view wire);

    std::vector<All> any_;  // one of them holds; empty: everything passes
};

}  // namespace opennd::capture
