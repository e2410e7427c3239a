// SPDX-License-Identifier: MIT
// MpaDeframer: see mpa_deframer.h.
#include "transport/iwarp/stream/mpa_deframer.h"

#include <algorithm>

#include "base/until_memory.h"
#include "transport/iwarp/wire/big_endian.h"
#include "transport/iwarp/wire/crc32c.h"

namespace opennd::iwarp {
namespace {

std::size_t ulpdu_bytes(std::span<const std::byte> fpdu) { return load_big_endian<std::uint16_t>(fpdu.data()); }

}  // namespace

Checked<std::optional<std::span<const std::byte>>> MpaDeframer::next(std::span<const std::byte>& arrived) {
    if (delivered_) partial_.clear();
    delivered_ = false;
    if (partial_.empty() && arrived.size() >= kLengthBytes) {
        const std::size_t bytes = fpdu_bytes(ulpdu_bytes(arrived));
        if (arrived.size() >= bytes) {
            const std::span<const std::byte> fpdu = arrived.first(bytes);
            arrived = arrived.subspan(bytes);
            return check(fpdu);
        }
    }
    if (!gather(arrived, kLengthBytes) || !gather(arrived, fpdu_bytes(ulpdu_bytes(partial_)))) return Ulpdu();
    delivered_ = true;
    return check(partial_);
}

// Returns true once `until` octets are there.
bool MpaDeframer::gather(std::span<const std::byte>& arrived, std::size_t until) {
    const std::size_t taken = std::min(arrived.size(), until - std::min(until, partial_.size()));
    const std::size_t bytes = partial_.size() + taken;
    if (bytes > partial_.capacity())
        until_memory(
            [&] { partial_.reserve(std::min(std::max(bytes, 2 * partial_.capacity()), fpdu_bytes(kMaxUlpdu))); });
    partial_.insert(partial_.end(), arrived.begin(), arrived.begin() + static_cast<std::ptrdiff_t>(taken));
    arrived = arrived.subspan(taken);
    return partial_.size() >= until;
}

// The CRC alone checks the pad (IW-MPA-17). Its field may hold any value if the ends agreed on none (IW-MPA-07).
Checked<MpaDeframer::Ulpdu> MpaDeframer::check(std::span<const std::byte> fpdu) const {
    if (crc_ == Crc::on) {
        Crc32c computed(fpdu.size());
        computed.add(fpdu.first(fpdu.size() - kCrcBytes));
        const std::uint32_t received = load_crc(fpdu.last<kCrcBytes>().data());
        if (received != computed.value()) return Fault{FaultKind::crc_mismatch, received, computed.value()};
    }
    return Ulpdu(fpdu.subspan(kLengthBytes, ulpdu_bytes(fpdu)));
}

}  // namespace opennd::iwarp
