// SPDX-License-Identifier: MIT
//
// Piece: registered memory as a post takes it. It is made in the forms of all interfaces before anything is timed, so that
// none pays for another.
#pragma once

#include <opennd.h>
#include <opennd_ndk.h>

#include <cstddef>

namespace nd {

struct Piece {
    ND2_SGE nd2 = {};
    ND_SGE nd1 = {};
    NDK_SGE ndk = {};
    ULONG nd2_flags = 0;  // ND_OP_FLAG_INLINE
    ULONG ndk_flags = 0;  // NDK_OP_FLAG_INLINE

    std::byte* data() const { return static_cast<std::byte*>(nd2.Buffer); }

    // For Send and Write. In version 1 an entry without a handle is inline (ND1-EP-INL-01).
    void make_inline() {
        nd1.hMr = nullptr;
        nd2_flags = ND_OP_FLAG_INLINE;
        ndk_flags = NDK_OP_FLAG_INLINE;
    }

    // A piece as long, and `bytes` further on.
    Piece moved_by(std::size_t bytes) const {
        Piece other = *this;
        other.nd2.Buffer = other.nd1.pAddr = other.ndk.VirtualAddress = data() + bytes;
        return other;
    }
};

}  // namespace nd
