// SPDX-License-Identifier: MIT
// The registered causes: see terminate_cause.h.
#include "transport/iwarp/wire/terminate_cause.h"

#include <algorithm>
#include <array>

namespace opennd::iwarp {
namespace {

struct Named {
    TerminateCause cause;
    std::string_view name;
};

// Two numbering traps: "TO wrap" is 04 in RDMAP and 03 in DDP; "not associated" is 03 in RDMAP and 02 in DDP.
constexpr std::array kNames{
    Named{{Layer::rdmap, kRemoteProtection, 0x00}, "invalid STag"},
    Named{{Layer::rdmap, kRemoteProtection, 0x01}, "base or bounds violation"},
    Named{{Layer::rdmap, kRemoteProtection, 0x02}, "access rights violation"},
    Named{{Layer::rdmap, kRemoteProtection, 0x03}, "STag not associated with the stream"},
    Named{{Layer::rdmap, kRemoteProtection, 0x04}, "TO wrap"},
    Named{{Layer::rdmap, kRemoteProtection, 0x09}, "STag cannot be invalidated"},
    Named{{Layer::rdmap, kRemoteProtection, 0xff}, "unspecified"},
    Named{{Layer::rdmap, kRemoteOperation, 0x05}, "invalid RDMAP version"},
    Named{{Layer::rdmap, kRemoteOperation, 0x06}, "unexpected opcode"},
    Named{{Layer::rdmap, kRemoteOperation, 0x07}, "catastrophic error of this stream"},
    Named{{Layer::rdmap, kRemoteOperation, 0x08}, "catastrophic error of the adapter"},
    Named{{Layer::rdmap, kRemoteOperation, 0x09}, "STag cannot be invalidated"},
    Named{{Layer::rdmap, kRemoteOperation, 0xff}, "unspecified"},
    Named{{Layer::ddp, kLocalCatastrophic, 0x00}, "local catastrophic error"},
    Named{{Layer::ddp, kTaggedBuffer, 0x00}, "invalid STag"},
    Named{{Layer::ddp, kTaggedBuffer, 0x01}, "base or bounds violation"},
    Named{{Layer::ddp, kTaggedBuffer, 0x02}, "STag not associated with the stream"},
    Named{{Layer::ddp, kTaggedBuffer, 0x03}, "TO wrap"},
    Named{{Layer::ddp, kTaggedBuffer, 0x04}, "invalid DDP version"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x01}, "invalid queue number"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x02}, "no buffer for this MSN"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x03}, "MSN out of range"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x04}, "invalid message offset"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x05}, "message too long for its buffer"},
    Named{{Layer::ddp, kUntaggedBuffer, 0x06}, "invalid DDP version"},
    Named{{Layer::mpa, kMpaError, 0x01}, "TCP connection closed, terminated or lost"},
    Named{{Layer::mpa, kMpaError, 0x02}, "CRC error"},
    Named{{Layer::mpa, kMpaError, 0x03}, "marker and length disagree"},
    Named{{Layer::mpa, kMpaError, 0x04}, "invalid Request or Reply frame"},
    Named{{Layer::mpa, kMpaError, 0x05}, "local catastrophic error"},
    Named{{Layer::mpa, kMpaError, 0x06}, "insufficient IRD resources"},
    Named{{Layer::mpa, kMpaError, 0x07}, "no matching RTR option"},
};

}  // namespace

std::string_view name(const TerminateCause& cause) {
    // Registered for every code.
    if (cause.layer == Layer::rdmap && cause.type == kLocalCatastrophic) return "local catastrophic error";
    const auto found = std::find_if(kNames.begin(), kNames.end(), [&](const Named& row) { return row.cause == cause; });
    return found == kNames.end() ? std::string_view() : found->name;
}

}  // namespace opennd::iwarp
