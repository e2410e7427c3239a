// SPDX-License-Identifier: MIT
// Which connections a capture has: terms in the words of pcap-filter(7), for connections instead of packets.
//
//   host ADDRESS    one end has the address
//   port NUMBER     one end has the port
//   wire NAME       loopback, shm or iwarp carries it
//   not TERM, TERM and TERM, TERM or TERM; `and` binds closer than `or`
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/address.h"

namespace opennd::capture {

class Filter {
public:
    // Every connection passes.
    Filter() = default;
    // Nothing: `text` is none, and `fault` names the wrong word and the expected ones.
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
