// SPDX-License-Identifier: MIT
//
// Looks lines up in the memory of another process by RDMA Reads. docs/tutorial/look_up.md goes through it.
//
// The server sorts the lines of a file, and lends the client the text and a table that has the place of each line. Then it
// only waits until the client leaves. The client finds the lines that begin with a word: it halves the table again and
// again, with two Reads at each step. Then it fetches these lines, with several Reads in progress.
//
//     look_up server ADDRESS FILE          prints its port
//     look_up client ADDRESS PORT WORD     prints the lines that begin with the word
#include "connection.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>
#include <string_view>

namespace {

using namespace tutorial;

constexpr UINT64 kPiece = 64 << 10, kPieces = 8;  // as many Reads as pieces are in progress at a time

// An entry of the table.
struct Line {
    UINT64 begin, end;  // in the text
};

// The server's private data: the two regions that the client may read.
struct Lent {
    UINT64 text, text_bytes;
    UINT64 table, lines;
    UINT32 text_token, table_token;
};

void server(const sockaddr_in& local, const std::string& name) {
    std::ifstream file(name);
    std::multiset<std::string> lines;  // in order
    SIZE_T bytes = 0;
    for (std::string line; std::getline(file, line);) bytes += lines.insert(line + '\n')->size();
    expect(!lines.empty(), "the file cannot be read, or has no line");
    Adapter adapter(local);
    Memory text(adapter, bytes, ND_MR_FLAG_ALLOW_REMOTE_READ);
    Memory table(adapter, lines.size() * sizeof(Line), ND_MR_FLAG_ALLOW_REMOTE_READ);
    Line place{};
    char* entry = table.start();
    for (const std::string& line : lines) {
        place = {place.end, place.end + line.size()};
        std::memcpy(text.start() + place.begin, line.data(), line.size());
        std::memcpy(entry, &place, sizeof place);
        entry += sizeof place;
    }
    Connection connection(adapter, 1, 1);
    const Lent lent{text.address(), bytes, table.address(), lines.size(), text.token(), table.token()};
    connection.accept(&lent, sizeof lent, kPieces);
    adapter.finish(connection.connector, connection.connector->NotifyDisconnect(&adapter.request), "NotifyDisconnect");
    std::printf("the client has left\n");
    connection.disconnect();
}

// The lent text, as the client sees it.
class RemoteText {
public:
    RemoteText(Adapter& adapter, const sockaddr_in& server)
        : connection_(adapter, 1, kPieces), sink_(adapter, kPieces * kPiece, ND_MR_FLAG_RDMA_READ_SINK) {
        connection_.connect(server, &lent, sizeof lent, kPieces);
    }
    void disconnect() { connection_.disconnect(); }

    Line line(UINT64 number) {
        read(0, sizeof(Line), lent.table + number * sizeof(Line), lent.table_token);
        Line line;
        std::memcpy(&line, fetched(0, sizeof line).data(), sizeof line);
        expect(line.begin <= line.end && line.end <= lent.text_bytes, "the table leads beyond the text");
        return line;
    }

    // The number of the first line that does not come before the word; or of the first one behind all that begin with it.
    UINT64 find(std::string_view word, bool behind) {
        UINT64 low = 0, high = lent.lines;
        while (low < high) {
            const UINT64 middle = low + (high - low) / 2;
            const Line there = line(middle);
            const ULONG bytes = static_cast<ULONG>(std::min(there.end - there.begin, word.size()));
            read(0, bytes, lent.text + there.begin, lent.text_token);
            const int order = fetched(0, bytes).compare(word);  // 0: the line begins with the word
            if (order < 0 || (behind && order == 0))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    // Prints a part of the text. While a piece is printed, Reads of the next ones are in progress.
    void print(UINT64 begin, UINT64 end) {
        UINT64 asked = begin;
        for (UINT64 printed = begin; printed < end;) {
            while (asked < end && asked < printed + kPieces * kPiece) {
                read(slot(asked - begin), piece(asked, end), lent.text + asked, lent.text_token);
                asked += piece(asked, end);
            }
            const std::string_view text = fetched(slot(printed - begin), piece(printed, end));
            std::fwrite(text.data(), 1, text.size(), stdout);
            printed += text.size();
        }
    }

    Lent lent{};
    unsigned reads = 0;

private:
    static ULONG piece(UINT64 begin, UINT64 end) { return static_cast<ULONG>(std::min(kPiece, end - begin)); }
    static SIZE_T slot(UINT64 offset) { return offset % (kPieces * kPiece); }

    // Begins a Read into a place of the sink.
    void read(SIZE_T place, ULONG bytes, UINT64 address, UINT32 token) {
        const ND2_SGE part = sink_.part(place, bytes);
        need(connection_.queue_pair->Read(nullptr, &part, 1, address, token, 0), "Read");
        ++reads;
    }
    // The bytes of the oldest Read, when they are there.
    std::string_view fetched(SIZE_T place, ULONG bytes) {
        (void)connection_.result(connection_.sent, "Read");
        return {sink_.start() + place, bytes};
    }

    Connection connection_;
    Memory sink_;
};

void client(const sockaddr_in& server, std::string_view word) {
    Adapter adapter(local_address(server));
    RemoteText text(adapter, server);
    const UINT64 first = text.find(word, false), behind = text.find(word, true);
    std::fprintf(stderr, "%lu of %lu lines, found with %u Reads\n", behind - first, text.lent.lines, text.reads);
    if (first < behind) text.print(text.line(first).begin, text.line(behind - 1).end);
    text.disconnect();
}

}  // namespace

int main(int count, char* arguments[]) {
    const char* last = arguments[count - 1];
    return run(
        count, arguments, 1, [&](const sockaddr_in& local) { server(local, last); },
        [&](const sockaddr_in& address) { client(address, last); });
}
