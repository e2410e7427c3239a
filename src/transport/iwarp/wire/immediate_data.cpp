// SPDX-License-Identifier: MIT
// ImmediateData: see immediate_data.h.
#include "transport/iwarp/wire/immediate_data.h"

#include "transport/iwarp/wire/big_endian.h"

namespace opennd::iwarp {

ImmediateData ImmediateData::load(std::span<const std::byte, kBytes> from) {
    return {load_big_endian<std::uint32_t>(from.data())};
}

ImmediateData::Ulpdu ImmediateData::message(std::uint32_t msn, bool solicited) const {
    Ulpdu ulpdu{};
    const std::span<std::byte, kUlpduBytes> octets(ulpdu);
    UntaggedHeader{Stag::none, Queue::sends, msn, 0}.store(
        octets.first<UntaggedHeader::kBytes>(), solicited ? Opcode::immediate_data_solicited : Opcode::immediate_data,
        true);
    store_big_endian(&ulpdu[UntaggedHeader::kBytes], data);
    return ulpdu;
}

void ImmediateData::stamp(std::span<std::byte, UntaggedHeader::kBytes> header) const {
    UntaggedHeader::mark_immediate(header, data);
}

}  // namespace opennd::iwarp
