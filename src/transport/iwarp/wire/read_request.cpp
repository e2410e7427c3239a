// SPDX-License-Identifier: MIT
// ReadRequest: see read_request.h.
#include "transport/iwarp/wire/read_request.h"

#include "transport/iwarp/wire/big_endian.h"

namespace opennd::iwarp {
namespace {

constexpr std::size_t kSinkAt = 0, kSinkOffsetAt = 4, kSizeAt = 12, kSourceAt = 16, kSourceOffsetAt = 20;

}  // namespace

ReadRequest ReadRequest::load(std::span<const std::byte, kBytes> from) {
    return {load_number<Stag>(&from[kSinkAt]), load_big_endian<std::uint64_t>(&from[kSinkOffsetAt]),
            load_big_endian<std::uint32_t>(&from[kSizeAt]), load_number<Stag>(&from[kSourceAt]),
            load_big_endian<std::uint64_t>(&from[kSourceOffsetAt])};
}

void ReadRequest::store(std::span<std::byte, kBytes> to) const {
    store_big_endian(&to[kSinkAt], value(sink));
    store_big_endian(&to[kSinkOffsetAt], sink_offset);
    store_big_endian(&to[kSizeAt], size);
    store_big_endian(&to[kSourceAt], value(source));
    store_big_endian(&to[kSourceOffsetAt], source_offset);
}

ReadRequest::Ulpdu ReadRequest::message(std::uint32_t msn) const {
    Ulpdu ulpdu{};
    const std::span<std::byte, kUlpduBytes> octets(ulpdu);
    UntaggedHeader{Stag::none, Queue::read_requests, msn, 0}.store(octets.first<UntaggedHeader::kBytes>(),
                                                                   Opcode::read_request, true);
    store(octets.subspan<UntaggedHeader::kBytes>());
    return ulpdu;
}

}  // namespace opennd::iwarp
