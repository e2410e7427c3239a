// SPDX-License-Identifier: MIT
//
// The upper layer: a server keeps a piece of memory, and a client reads and writes parts of it, as SMB2 does with a file. The
// data are in the messages, or the server moves them by RDMA out of and into memory that the client has opened.
#pragma once

#include "connection.h"

namespace smb_direct {

// The numbers of SMB2 ([MS-SMB2] 2.2.19 and 2.2.21).
enum Command : std::uint32_t { kRead = 8, kWrite = 9 };
enum Channel : std::uint32_t { kNone = 0, kRdma = 1, kRdmaInvalidate = 2 };
enum Status : std::uint32_t { kSuccess = 0, kInvalidParameter = 0xC000000D, kEndOfFile = 0xC0000011 };

// Behind a write by kNone: the data.
struct StoreRequest {
    static constexpr std::size_t kBytes = 40;
    std::uint32_t command = 0, channel = 0, length = 0, reserved = 0;
    std::uint64_t offset = 0;
    BufferDescriptor buffer;  // of the client, for the other channels

    void each(auto&& field) {
        field(0, command), field(4, channel), field(8, length), field(12, reserved), field(16, offset);
        field(24, buffer.offset), field(32, buffer.token), field(36, buffer.length);
    }
};

// Behind a read by kNone: the data.
struct StoreResponse {
    static constexpr std::size_t kBytes = 8;
    std::uint32_t status = 0, length = 0;

    void each(auto&& field) { field(0, status), field(4, length); }
};

// Both sides take messages of 1 MiB of data, with their header.
constexpr std::uint32_t kLargest = 1 << 20;
inline Limits store_limits() {
    Limits limits;
    limits.max_fragmented_size = kLargest + 4096;
    limits.max_read_write_size = kLargest;
    return limits;
}

struct ServerReport {
    unsigned requests = 0, windows_invalidated = 0;
};
// Serves one client until it leaves.
ServerReport serve_store(Connection& connection);

// Writes and reads sizes up to the largest by one channel, and compares. The number of bytes that were compared.
std::uint64_t use_store(Connection& connection, Channel channel, std::uint32_t largest = kLargest);

}  // namespace smb_direct
