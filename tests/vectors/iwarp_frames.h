// SPDX-License-Identifier: MIT
// Frames of iWARP as octets, decoded as good by an independent dissector. Unit tests
// compare with them, and the fuzzers' corpus begins with them.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace opennd::vectors {

using Octets = std::vector<std::byte>;

// "00 0e C1": octets as hexadecimal digits; everything else is skipped.
inline Octets octets(std::string_view hex) {
    const auto digit = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    Octets bytes;
    int high = -1;
    for (const char c : hex) {
        const int value = digit(c);
        if (value < 0) continue;
        if (high >= 0) bytes.push_back(static_cast<std::byte>(high << 4 | value));
        high = high >= 0 ? -1 : value;
    }
    if (high >= 0) throw std::invalid_argument("half an octet");
    return bytes;
}

struct Frame {
    std::string_view name;
    std::string_view hex;
};

// Requests and Replies. RFC 5044 section 7.1, RFC 6581 section 4.
inline constexpr Frame kRequest{"request",  // A.1: C, S; A, write, read; IRD 32, ORD 16; "hello"
                                "4d 50 41 20 49 44 20 52 65 71 20 46 72 61 6d 65 50 02 00 09 80 20 c0 10 "
                                "68 65 6c 6c 6f"};
inline constexpr Frame kReply{"reply",  // A.2: RTR write, IRD 16, ORD 32; "ok"
                              "4d 50 41 20 49 44 20 52 65 70 20 46 72 61 6d 65 50 02 00 06 80 10 80 20 6f 6b"};
// The same two between two OpenND ends, which mark them.
inline constexpr Frame kOwnRequest{"own_request",
                                   "4d 50 41 20 49 44 20 52 65 71 20 46 72 61 6d 65 51 02 00 09 80 20 c0 10 "
                                   "68 65 6c 6c 6f"};
inline constexpr Frame kOwnReply{"own_reply",
                                 "4d 50 41 20 49 44 20 52 65 70 20 46 72 61 6d 65 52 02 00 06 80 10 80 20 6f 6b"};
inline constexpr Frame kRejection{"rejection",  // A.3: RTR write, IRD and ORD 0; "no"
                                  "4d 50 41 20 49 44 20 52 65 70 20 46 72 61 6d 65 70 02 00 06 80 00 80 00 6e 6f"};
inline constexpr Frame kRequest1{"request_revision_1",  // A.4: C, no private data
                                 "4d 50 41 20 49 44 20 52 65 71 20 46 72 61 6d 65 40 01 00 00"};
inline constexpr Frame kReply1{"reply_revision_1", "4d 50 41 20 49 44 20 52 65 70 20 46 72 61 6d 65 40 01 00 00"};

// FPDUs, with CRC, without markers. RFC 5044 section 4, RFC 5041 section 4, RFC 5040 section 4.
inline constexpr Frame kRtrWrite{"rtr_write",  // A.5: STag 1, TO 0
                                 "00 0e c1 40 00 00 00 01 00 00 00 00 00 00 00 00 eb d3 4c 5f"};
inline constexpr Frame kRtrRead{"rtr_read",  // A.6: MSN 1, sink 0 + 0, size 0, source 1 + 0
                                "00 2e 41 41 00 00 00 00 00 00 00 01 00 00 00 01 00 00 00 00 "
                                "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 "
                                "00 00 00 00 00 00 00 00 ba 10 e3 c9"};
inline constexpr Frame kRtrReadResponse{"rtr_read_response",  // A.6
                                        "00 0e c1 42 00 00 00 00 00 00 00 00 00 00 00 00 69 75 d6 ca"};
inline constexpr Frame kSendEmpty{"send_empty",  // A.7: MSN 1
                                  "00 12 41 43 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 58 7b e8 c4"};
inline constexpr Frame kSend{"send",  // A.8: MSN 1, "OpenND!", one pad octet
                             "00 19 41 43 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 "
                             "4f 70 65 6e 4e 44 21 00 93 cf f1 51"};
inline constexpr Frame kSendSolicited{"send_solicited",  // A.9: MSN 1, AA, three pad octets
                                      "00 13 41 45 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 aa 00 00 00 "
                                      "13 f2 09 0d"};
inline constexpr Frame kSendInvalidate{"send_solicited_invalidate",  // A.10: STag 11223344, MSN 2
                                       "00 12 41 46 11 22 33 44 00 00 00 00 00 00 00 02 00 00 00 00 fc 63 1e 8e"};
inline constexpr Frame kWrite{"write",  // A.11: 01 02 03 04 05 to A1B2C3D4 + 0x0000000100000010
                              "00 13 c1 40 a1 b2 c3 d4 00 00 00 01 00 00 00 10 01 02 03 04 05 00 00 00 "
                              "94 eb 44 22"};
inline constexpr Frame kReadRequest{"read_request",  // A.12: MSN 1, 55667788 + 0x1000, size 4, A1B2C3D4 + 0x100000000
                                    "00 2e 41 41 00 00 00 00 00 00 00 01 00 00 00 01 00 00 00 00 "
                                    "55 66 77 88 00 00 00 00 00 00 10 00 00 00 00 04 a1 b2 c3 d4 "
                                    "00 00 00 01 00 00 00 00 b2 c7 63 1a"};
inline constexpr Frame kReadResponse{"read_response",  // A.12: DE AD BE EF
                                     "00 12 c1 42 55 66 77 88 00 00 00 00 00 00 10 00 de ad be ef d7 fb 23 8e"};
inline constexpr Frame kTerminateCrc{"terminate_crc",  // A.13: 2/0/02
                                     "00 16 41 47 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 20 02 00 00 "
                                     "7f e4 25 85"};
inline constexpr Frame kTerminateSetup{"terminate_set_up",  // A.13: 2/0/05
                                       "00 16 41 47 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 20 05 00 00 "
                                       "16 80 d5 f1"};
inline constexpr Frame kTerminateReads{"terminate_reads",  // A.13: 2/0/06
                                       "00 16 41 47 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 20 06 00 00 "
                                       "65 40 fb 1b"};
inline constexpr Frame kTerminateRtr{"terminate_rtr",  // A.13: 2/0/07
                                     "00 16 41 47 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 20 07 00 00 "
                                     "1b d2 ba be"};
inline constexpr Frame kTerminateTooLong{"terminate_too_long",  // A.14: 1/2/05, a Send of 18 + 1024 octets with MSN 7
                                         "00 2a 41 47 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 "
                                         "12 05 c0 00 04 12 41 43 00 00 00 00 00 00 00 00 00 00 00 07 "
                                         "00 00 00 00 47 ac 94 3b"};
inline constexpr Frame kTerminateBounds{
    "terminate_bounds",  // A.15: 0/1/01, a Read Request: 55667788 + 0x1000, size 4096, A1B2C3D4 + 0x100000F00
    "00 46 41 47 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 "
    "01 01 e0 00 00 2e 41 41 00 00 00 00 00 00 00 01 00 00 00 01 "
    "00 00 00 00 55 66 77 88 00 00 00 00 00 00 10 00 00 00 10 00 "
    "a1 b2 c3 d4 00 00 00 01 00 00 0f 00 f1 fe df 4c"};
inline constexpr Frame kSwappedCrc{"swapped_terminate_crc",  // A.16: accepted, never sent
                                   "00 16 41 47 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 02 02 00 00 "
                                   "75 d3 67 ed"};
inline constexpr Frame kSwappedNoReceive{
    "swapped_terminate_no_receive",  // A.16: 1/2/02, the length of the payload alone
    "00 2a 41 47 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 "
    "21 02 03 00 04 00 41 43 00 00 00 00 00 00 00 00 00 00 00 07 "
    "00 00 00 00 40 f8 63 d0"};

inline constexpr Frame kFpdus[] = {
    kRtrWrite,       kRtrRead,      kRtrReadResponse,  kSendEmpty,       kSend,         kSendSolicited,
    kSendInvalidate, kWrite,        kReadRequest,      kReadResponse,    kTerminateCrc, kTerminateSetup,
    kTerminateReads, kTerminateRtr, kTerminateTooLong, kTerminateBounds, kSwappedCrc,   kSwappedNoReceive,
};

// A.17: with markers. The first FPDU of a stream: a Send with MSN 1 of 24 octets of zero (RFC 5044 section 4.3).
inline constexpr Frame kMarked{"marked",
                               "00 00 00 00 00 2a 41 43 00 00 00 00 00 00 00 00 00 00 00 01 "
                               "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                               "00 00 00 00 00 00 00 00 52 23 99 83"};

}  // namespace opennd::vectors
