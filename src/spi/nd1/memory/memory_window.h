// SPDX-License-Identifier: MIT
// INDMemoryWindow. Read core/memory/memory_window.h for the rules.
#pragma once

#include <bit>
#include <cstdint>

#include "core/memory/memory_window.h"
#include "model/token.h"
#include "ndspi.h"
#include "spi/com_object.h"

namespace opennd {

class Nd1MemoryWindow final : public ComObject<Nd1MemoryWindow, INDMemoryWindow, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x11, 0x07}};
    using Core = MemoryWindow;

    explicit Nd1MemoryWindow(Ref<MemoryWindow> core) : core_(std::move(core)) {}

    const Ref<MemoryWindow>& core() const { return core_; }

private:
    void close() override { core_->close(); }

    const Ref<MemoryWindow> core_;
};

// ND_MW_DESCRIPTOR: a window as the peer knows it; big-endian on every host and of any alignment.
// A token is big-endian by itself: its octets are those of the STag, in both versions (IW-ND-05).
struct WindowDescriptor {
    std::uint64_t base = 0;
    std::uint64_t length = 0;
    Token token = Token::none;

    // `bytes` more from `offset` on lie inside. Written so that nothing can wrap (ND1-EP-READ-03).
    bool covers(std::uint64_t offset, std::uint64_t bytes) const {
        std::uint64_t left = 0;
        return !__builtin_sub_overflow(length, offset, &left) && bytes <= left;
    }
};

static_assert(std::endian::native == std::endian::little, "the swaps below are for little-endian hosts");

inline WindowDescriptor parse(const ND_MW_DESCRIPTOR& wire) {
    return {__builtin_bswap64(wire.Base), __builtin_bswap64(wire.Length), static_cast<Token>(wire.Token)};
}

inline void write(const WindowDescriptor& descriptor, ND_MW_DESCRIPTOR& wire) {
    wire.Base = __builtin_bswap64(descriptor.base);
    wire.Length = __builtin_bswap64(descriptor.length);
    wire.Token = value(descriptor.token);
}

}  // namespace opennd
