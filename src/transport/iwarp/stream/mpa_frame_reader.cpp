// SPDX-License-Identifier: MIT
// MpaFrameReader: see mpa_frame_reader.h.
#include "transport/iwarp/stream/mpa_frame_reader.h"

#include <algorithm>

namespace opennd::iwarp {

// Returns true once `until` octets are there.
bool MpaFrameReader::collect(std::span<const std::byte>& arrived, std::size_t until) {
    const std::size_t taken = std::min(arrived.size(), until - std::min(until, size_));
    std::copy_n(arrived.begin(), taken, octets_.begin() + static_cast<std::ptrdiff_t>(size_));
    arrived = arrived.subspan(taken);
    size_ += taken;
    return size_ >= until;
}

// All 16 octets count; the two keys differ in one of them.
std::optional<Fault> MpaFrameReader::check_key(std::size_t from) const {
    const auto expected = MpaFrame::key(expected_);
    const auto other = MpaFrame::key(expected_ == MpaRole::request ? MpaRole::reply : MpaRole::request);
    for (std::size_t i = from; i < std::min(size_, MpaFrame::kKeyBytes); ++i) {
        if (octets_[i] == expected[i]) continue;
        return Fault{octets_[i] == other[i] ? FaultKind::key_of_the_same_role : FaultKind::wrong_key, i};
    }
    return std::nullopt;
}

Checked<std::optional<MpaFrame>> MpaFrameReader::read(std::span<const std::byte>& arrived) {
    const std::size_t checked = size_;
    const bool has_header = collect(arrived, MpaFrame::kHeaderBytes);
    if (const auto fault = check_key(checked)) return *fault;
    if (!has_header) return std::optional<MpaFrame>();
    const auto header = std::span(octets_).first<MpaFrame::kHeaderBytes>();
    const Checked<std::size_t> rest = MpaFrame::rest_of(header);
    if (!rest.ok()) return rest.fault();
    if (!collect(arrived, MpaFrame::kHeaderBytes + rest.value())) return std::optional<MpaFrame>();
    return std::optional(
        MpaFrame::load(header, std::span<const std::byte>(octets_).subspan(MpaFrame::kHeaderBytes, rest.value())));
}

}  // namespace opennd::iwarp
