// SPDX-License-Identifier: MIT
//
// Reads a capture file by the specifications of pcapng, IP, TCP, MPA, DDP and RDMAP, without a line of the library: packets, and the
// messages in them. Throws std::runtime_error where the file breaks a rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace opennd::support {

struct CapturedPacket {
    std::string wire;  // the name of its interface
    std::uint64_t nanoseconds = 0;
    bool outbound = false;
    std::size_t whole_bytes = 0, captured_bytes = 0;
    std::string comment;
    std::uint16_t from_port = 0, to_port = 0;
    std::uint32_t sequence = 0, acknowledged = 0;
    bool syn = false, fin = false;
    std::vector<std::byte> payload;  // of TCP
};

struct CapturedStatistics {
    std::uint64_t received = 0, dropped = 0;
};

// A message of RDMAP, put together of its segments.
struct CapturedMessage {
    enum Opcode : unsigned {
        kWrite = 0,
        kReadRequest = 1,
        kReadResponse = 2,
        kSend = 3,
        kSendInvalidate = 4,
        kSendSolicited = 5,
        kTerminate = 7,
        kImmediateData = 8,
        kImmediateDataSolicited = 9,
    };
    bool by_active = false;  // the end that sent the first packet
    unsigned opcode = 0;
    std::uint32_t stag = 0;    // tagged ones, and those that invalidate
    std::uint64_t offset = 0;  // of the first octet of tagged ones
    std::uint32_t number = 0;  // of untagged ones: MSN
    std::vector<std::byte> bytes;
};

struct CaptureReading {
    std::vector<CapturedPacket> packets;
    std::vector<CapturedStatistics> statistics;  // of the interfaces
    std::string application;
    // The private data of the first Request and Reply of MPA.
    std::vector<std::byte> request_data, reply_data;
    // Of the connection that the first packet begins. Only where no packet is cut.
    std::vector<CapturedMessage> messages;
};

// Checks lengths of blocks, checksums of IP and TCP, that TCP's sequence numbers have no gap, and MPA's CRCs.
CaptureReading read_capture(const std::string& path);
// The packets alone, which may be cut, with gaps.
CaptureReading read_packets(const std::string& path);

}  // namespace opennd::support
