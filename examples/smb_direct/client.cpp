// SPDX-License-Identifier: MIT
//
// Read store.h first.
#include "store.h"

namespace smb_direct {
namespace {

constexpr std::uint32_t kSizes[] = {1, 512, 1340, 1341, 4096, 65536, 100001, kLargest};

// Of the byte at an offset of the store; each round has others.
std::byte pattern(std::uint64_t offset, unsigned round) {
    return static_cast<std::byte>(offset * 31 + (offset >> 8) * 7 + round * 101);
}

class StoreClient {
public:
    StoreClient(Connection& connection, Channel channel) : connection_(connection), channel_(channel) {}

    void put(std::uint64_t offset, std::uint32_t length, unsigned round) {
        StoreRequest request{kWrite, channel_, length, 0, offset, {}};
        if (channel_ == kNone) {
            std::vector<std::byte> message(StoreRequest::kBytes + length);
            fill(std::span(message).subspan(StoreRequest::kBytes), offset, round);
            write(request, message);
            expect(ask(std::move(message), length).empty(), "a write that is answered by data");
            return;
        }
        fill(connection_.bulk().first(length), offset, round);
        by_rdma(request, Access::peer_reads);
    }

    void get_and_compare(std::uint64_t offset, std::uint32_t length, unsigned round) {
        StoreRequest request{kRead, channel_, length, 0, offset, {}};
        if (channel_ == kNone) {
            std::vector<std::byte> message(StoreRequest::kBytes);
            write(request, message);
            const std::vector<std::byte> data = ask(std::move(message), length);
            expect(data.size() == length, "a read of another length");
            return compare(data, offset, round);
        }
        std::ranges::fill(connection_.bulk().first(length), std::byte{0});
        by_rdma(request, Access::peer_writes);
        compare(connection_.bulk().first(length), offset, round);
    }

private:
    static void fill(std::span<std::byte> data, std::uint64_t offset, unsigned round) {
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = pattern(offset + i, round);
    }
    static void compare(Octets data, std::uint64_t offset, unsigned round) {
        for (std::size_t i = 0; i < data.size(); ++i)
            expect(data[i] == pattern(offset + i, round), "these are not the bytes that were written");
    }

    // The memory is the server's from the binding to its end, which is awaited before a byte of it is looked at.
    void by_rdma(StoreRequest request, Access access) {
        request.buffer = connection_.open_bulk(request.length, access);
        std::vector<std::byte> message(StoreRequest::kBytes);
        write(request, message);
        expect(ask(std::move(message), request.length).empty(), "an answer with data beside RDMA");
        connection_.close_bulk(channel_ == kRdmaInvalidate);
    }

    // The data behind the answer.
    std::vector<std::byte> ask(std::vector<std::byte> message, std::uint32_t length) {
        connection_.send(std::move(message));
        auto answer = connection_.receive();
        expect(answer.has_value(), "the server has left");
        const auto header = parse<StoreResponse>(*answer);
        expect(header.status == kSuccess && header.length == length, "the server refused");
        answer->erase(answer->begin(), answer->begin() + StoreResponse::kBytes);
        return *std::move(answer);
    }

    Connection& connection_;
    const Channel channel_;
};

}  // namespace

std::uint64_t use_store(Connection& connection, Channel channel, std::uint32_t largest) {
    StoreClient client(connection, channel);
    std::uint64_t compared = 0;
    for (unsigned round = 1; const std::uint32_t size : kSizes) {
        if (size > largest) break;
        const std::uint64_t offset = round * 4099;
        client.put(offset, size, ++round);
        client.get_and_compare(offset, size, round);
        compared += size;
    }
    return compared;
}

}  // namespace smb_direct
