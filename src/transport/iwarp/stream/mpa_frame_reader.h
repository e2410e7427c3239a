// SPDX-License-Identifier: MIT
// Collects one Request or Reply from a stream that brings its octets in any portions (IW-CM-05), and refuses any other octets
// at the first wrong one.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "transport/iwarp/wire/mpa_frame.h"

namespace opennd::iwarp {

class MpaFrameReader {
public:
    // `expected`: a responder waits for a request, an initiator for a reply.
    explicit MpaFrameReader(MpaRole expected) : expected_(expected) {}

    // Takes octets from the front of `arrived`, never more than belong to the frame: the rest belongs to the FPDU
    // stream (IW-CM-09). Gives the frame once it is whole, nothing while octets are missing, or a fault, after which
    // the connection is to be reset.
    Checked<std::optional<MpaFrame>> read(std::span<const std::byte>& arrived);

    // A frame has begun and is not whole: T_frame limits that state (IW-NEG-14).
    bool begun() const { return size_ > 0; }

private:
    std::optional<Fault> check_key(std::size_t from) const;
    bool collect(std::span<const std::byte>& arrived, std::size_t until);

    const MpaRole expected_;
    std::size_t size_ = 0;
    std::array<std::byte, MpaFrame::kMaxBytes> octets_;
};

}  // namespace opennd::iwarp
