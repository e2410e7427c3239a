// SPDX-License-Identifier: MIT
//
// Sends a file by RDMA Writes. docs/tutorial/file_transfer.md goes through it.
//
// The server lends the client a window of its memory, in two halves. The client writes a part of the file into one half, in
// pieces, and says in a message how long it is; meanwhile the server stores the other half, and gives it back by a message
// of no bytes. The file has its name only when all of it is there.
//
//     send_file server ADDRESS FILE          receives a file; prints its port
//     send_file client ADDRESS PORT FILE     sends one
#include "connection.h"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace {

using namespace tutorial;

constexpr SIZE_T kPiece = 64 << 10, kPieces = 16, kHalf = kPieces * kPiece, kHalves = 2;

// The server's private data: the window that the client may write.
struct Window {
    UINT64 address;
    UINT32 token;
    UINT32 half_bytes;
};

// The client's message about a half that it has filled.
struct Filled {
    UINT32 bytes;     // in this half
    UINT32 last;      // 1: the file ends with them
    UINT64 length;    // of the file up to here
    UINT64 checksum;  // of the file up to here
};

// FNV-1a, 64 bits: simple, and enough to see a byte at a wrong place.
UINT64 checksum(UINT64 before, const char* data, SIZE_T bytes) {
    for (SIZE_T i = 0; i < bytes; ++i) before = (before ^ static_cast<unsigned char>(data[i])) * 0x100000001B3;
    return before;
}
constexpr UINT64 kEmpty = 0xCBF29CE484222325;

void server(const sockaddr_in& local, const std::string& name) {
    const std::string unfinished = name + ".part";
    std::ofstream file(unfinished, std::ios::binary);
    expect(file.good(), "the file cannot be written");
    Adapter adapter(local);
    Memory window(adapter, kHalves * kHalf, ND_MR_FLAG_ALLOW_REMOTE_WRITE);
    Memory messages(adapter, kHalves * sizeof(Filled), ND_MR_FLAG_ALLOW_LOCAL_WRITE);
    Connection connection(adapter, kHalves, 1);
    const auto receive = [&](SIZE_T half) {
        const ND2_SGE part = messages.part(half * sizeof(Filled), sizeof(Filled));
        need(connection.queue_pair->Receive(nullptr, &part, 1), "Receive");
    };
    for (SIZE_T half = 0; half < kHalves; ++half) receive(half);
    const Window lent{window.address(), window.token(), kHalf};
    connection.accept(&lent, sizeof lent);

    Filled filled{};
    UINT64 length = 0, sum = kEmpty;
    for (SIZE_T half = 0; filled.last == 0; half = 1 - half) {
        expect(connection.result(connection.received, "the next half").BytesTransferred == sizeof filled,
               "a message of another kind");
        std::memcpy(&filled, messages.start() + half * sizeof filled, sizeof filled);
        expect(filled.bytes <= kHalf, "more bytes than a half has");
        const char* data = window.start() + half * kHalf;
        length += filled.bytes;
        sum = checksum(sum, data, filled.bytes);
        expect(length == filled.length && sum == filled.checksum, "these are not the bytes that were sent");
        expect(file.write(data, filled.bytes).good(), "the file cannot be written");
        if (filled.last == 0) {
            receive(half);  // before the client may send again
        } else {
            file.close();
            expect(file.good() && std::rename(unfinished.c_str(), name.c_str()) == 0, "the file cannot be written");
        }
        need(connection.queue_pair->Send(nullptr, nullptr, 0, 0), "Send");
        (void)connection.result(connection.sent, "Send");
    }
    std::printf("received %lu bytes\n", length);
    connection.disconnect();
}

void client(const sockaddr_in& server, const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    expect(file.good(), "the file cannot be read");
    Adapter adapter(local_address(server));
    Memory data(adapter, kHalves * kHalf, 0), messages(adapter, kHalves * sizeof(Filled), 0);
    Connection connection(adapter, kHalves, kHalves * (kPieces + 1));
    Window lent{};
    connection.connect(server, &lent, sizeof lent);
    expect(lent.half_bytes == kHalf, "the server has halves of another size");

    Filled filled{0, 0, 0, kEmpty};
    SIZE_T halves_sent = 0, halves_back = 0;
    // Two things have to be over: the Writes and the Send, which read this side's half, and the server's use of its half.
    const auto wait_for_half = [&] {
        (void)connection.result(connection.sent, "Write or Send");
        (void)connection.result(connection.received, "the server's word that a half is stored");
        ++halves_back;
    };
    while (filled.last == 0) {
        if (halves_sent - halves_back == kHalves) wait_for_half();
        const SIZE_T half = halves_sent++ % kHalves;
        const SIZE_T begin = half * kHalf;
        file.read(data.start() + begin, kHalf);
        expect(!file.bad(), "the file cannot be read");
        filled.bytes = static_cast<UINT32>(file.gcount());
        filled.last = file.eof();
        filled.length += filled.bytes;
        filled.checksum = checksum(filled.checksum, data.start() + begin, filled.bytes);
        for (SIZE_T at = 0; at < filled.bytes; at += kPiece) {
            const ND2_SGE piece = data.part(begin + at, std::min(kPiece, filled.bytes - at));
            need(connection.queue_pair->Write(nullptr, &piece, 1, lent.address + begin + at, lent.token,
                                              ND_OP_FLAG_SILENT_SUCCESS),
                 "Write");
        }
        std::memcpy(messages.start() + half * sizeof filled, &filled, sizeof filled);
        const ND2_SGE message = messages.part(half * sizeof filled, sizeof filled);
        need(connection.queue_pair->Receive(nullptr, nullptr, 0), "Receive");  // the half, given back
        need(connection.queue_pair->Send(nullptr, &message, 1, 0), "Send");
    }
    while (halves_back < halves_sent) wait_for_half();
    std::printf("sent %lu bytes\n", filled.length);
    connection.disconnect();
}

}  // namespace

int main(int count, char* arguments[]) {
    const char* file = arguments[count - 1];
    return run(
        count, arguments, 1, [&](const sockaddr_in& local) { server(local, file); },
        [&](const sockaddr_in& address) { client(address, file); });
}
