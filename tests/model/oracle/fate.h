// SPDX-License-Identifier: MIT
//
// Fates: whether a request fails by itself, and what may have ended its connection before. From the program and the order of
// events alone; the oracle holds the results against it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/oracle/history.h"

namespace opennd::modeled {

// If nothing ends its connection before.
enum class Fate { sound, may_fail, must_fail };

class Fates {
public:
    // Both outlive this.
    Fates(const Program& program, const History& history);

    Fate of(const Request& request) const;
    // Something beside the operation `but` may have ended the connection before that moment. kNoOperation - 1: any operation.
    bool may_have_ended(unsigned pair, std::int64_t before, std::uint32_t but) const;
    // Something that the other side did may have ended the connection before the request was over.
    bool other_may_have_ended(const Request& request) const;
    // The other side may have refused the request though it had waited for nothing: by a Flush (ND2-QP-FLUSH-03), or by its end while
    // it had no receive for the message (ND2-QP-SEND-06).
    bool may_be_refused_early(const Request& request) const;
    // A process was killed, or the wire may have broken.
    bool may_have_lost_its_peer() const;
    // Something else than a call of the other side that ends the connection in order may have ended it before the request was over.
    bool may_be_lost(const Request& request) const;
    // A Send that waited longer for a receive may have timed out.
    std::int64_t grace_ns() const;

private:
    // Something that may end a connection, from a moment on.
    struct Cause {
        unsigned pair;
        std::int64_t from;
        std::uint32_t operation;
        unsigned by;  // which side
    };

    bool withdrawn_meanwhile(const Request& request) const;
    Fate of_access(const Request& request) const;
    void find_causes();
    void find_misfits(unsigned side, unsigned pair);

    const Program& program_;
    const History& history_;
    std::vector<Cause> causes_;
};

}  // namespace opennd::modeled
