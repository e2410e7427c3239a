// SPDX-License-Identifier: MIT
// Finds the FPDUs in a stream that brings its octets in any portions (RFC 5044 section 4; IW-DDP-04, IW-PERF-04), and
// checks their CRC before it gives the ULPDU (IW-MPA-21).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/fpdu.h"

namespace opennd::iwarp {

class MpaDeframer {
public:
    explicit MpaDeframer(Crc crc) : crc_(crc) {}

    // Takes octets from the front of `arrived`: one FPDU's, or all that is left if it ends within one. Gives the ULPDU,
    // which may have any length from 0; or nothing: all of `arrived` is taken, and its buffer may be used again. An
    // FPDU that lies in `arrived` as a whole is not copied: the ULPDU points into it. Of one that arrived in portions,
    // a copy is kept here. Either is valid until the next call. After a fault the stream means nothing more: no further
    // call.
    Checked<std::optional<std::span<const std::byte>>> next(std::span<const std::byte>& arrived);

    // The stream stands between two FPDUs: where an orderly end is (IW-ERR-13).
    bool at_boundary() const { return partial_.empty() || delivered_; }

private:
    using Ulpdu = std::optional<std::span<const std::byte>>;

    bool gather(std::span<const std::byte>& arrived, std::size_t until);
    Checked<Ulpdu> check(std::span<const std::byte> fpdu) const;

    const Crc crc_;
    // The beginning of an FPDU that is not whole yet. Grows with the octets that arrive, never by a length field
    // (IW-SEC-17, IW-NEG-44); at most one FPDU.
    std::vector<std::byte> partial_;
    bool delivered_ = false;  // partial_ is whole, and lent to the caller until the next call
};

}  // namespace opennd::iwarp
