// SPDX-License-Identifier: MIT
//
// Fixture for tests about memory windows: binding one of the passive side's, and transfers through it.
#pragma once

#include "conformance/nd1/nd1_test.h"

namespace opennd::conformance::nd1 {

inline constexpr DWORD kReadWrite = ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE;
inline constexpr std::size_t kBytes = 4096;

class Nd1Windows : public Nd1Test {
protected:
    // Binds a window of b's over the first kBytes of its memory; the result has come.
    ND_MW_DESCRIPTOR bind(Pair& pair, INDMemoryWindow* window, DWORD flags = kReadWrite) {
        ND_RESULT bound;
        ND_MW_DESCRIPTOR descriptor;
        require(pair.b.endpoint->Bind(&bound, pair.b.mr, window, pair.b.memory.data(), kBytes, flags, &descriptor),
                ND_SUCCESS, "Bind");
        EXPECT_TRUE(comes(*pair.b.outbound.get(), bound, ND_SUCCESS));
        return descriptor;
    }
    HRESULT read(Side& side, ND_RESULT& result, SIZE_T bytes, const ND_MW_DESCRIPTOR* from, ULONGLONG offset,
                 DWORD flags = 0) {
        const ND_SGE sge = side.piece(0, bytes);
        return side.endpoint->Read(&result, &sge, bytes != 0 ? 1 : 0, from, offset, flags);
    }
    HRESULT write(Side& side, ND_RESULT& result, SIZE_T bytes, const ND_MW_DESCRIPTOR* to, ULONGLONG offset,
                  DWORD flags = 0) {
        const ND_SGE sge = side.piece(0, bytes);
        return side.endpoint->Write(&result, &sge, bytes != 0 ? 1 : 0, to, offset, flags);
    }
    void expect_over(Pair& pair) {
        ND_RESULT result;
        EXPECT_TRUE(support::wait_until([&] {
            if (FAILED(pair.b.receive(result, 8))) return false;
            const ND_RESULT* const came = next(*pair.b.inbound.get(), support::milliseconds(100));
            return came != nullptr && came->Status == ND_CANCELED;
        })) << "the owner's endpoint fails too";
    }
};

}  // namespace opennd::conformance::nd1
