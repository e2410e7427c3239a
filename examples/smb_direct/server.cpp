// SPDX-License-Identifier: MIT
//
// Read store.h first.
#include "store.h"

namespace smb_direct {
namespace {

constexpr std::size_t kStoreBytes = 4 << 20;

class Store {
public:
    explicit Store(Connection& connection) : connection_(connection) {}

    // Nothing a client says is believed: each length and offset is compared with what there is.
    void answer(const std::vector<std::byte>& message) {
        const auto request = parse<StoreRequest>(message);
        const Octets data = Octets(message).subspan(StoreRequest::kBytes);
        std::vector<std::byte> response(StoreResponse::kBytes);
        StoreResponse header{kSuccess, request.length};
        if (!is_sane(request, data.size()))
            header = {kInvalidParameter, 0};
        else if (request.offset > kStoreBytes || request.length > kStoreBytes - request.offset)
            header = {kEndOfFile, 0};
        else
            move(request, data, response);
        write(header, response);
        ++report.requests;
        const bool asked = header.status == kSuccess && request.channel == kRdmaInvalidate;
        if (asked && connection_.send(std::move(response), request.buffer.token))
            ++report.windows_invalidated;
        else if (!asked)
            connection_.send(std::move(response));
    }

    ServerReport report;

private:
    bool is_sane(const StoreRequest& request, std::size_t data) const {
        if (request.length == 0 || request.length > connection_.max_read_write_size()) return false;
        const bool reads = request.command == kRead;
        if (!reads && request.command != kWrite) return false;
        switch (request.channel) {
            case kNone:
                return reads ? request.length + StoreResponse::kBytes <= connection_.max_message_size()
                             : request.length == data;
            case kRdma:
            case kRdmaInvalidate: return request.length <= request.buffer.length;
            default: return false;
        }
    }

    void move(const StoreRequest& request, Octets data, std::vector<std::byte>& response) {
        const std::span<std::byte> part = std::span(store_).subspan(request.offset, request.length);
        const std::span<std::byte> bulk = connection_.bulk().first(request.length);
        const BufferDescriptor buffer{request.buffer.offset, request.buffer.token, request.length};
        if (request.command == kRead && request.channel == kNone) {
            response.insert(response.end(), part.begin(), part.end());
        } else if (request.command == kRead) {
            std::ranges::copy(part, bulk.begin());
            connection_.write_to_peer(buffer);
        } else if (request.channel == kNone) {
            std::ranges::copy(data, part.begin());
        } else {
            connection_.read_from_peer(buffer);
            std::ranges::copy(bulk, part.begin());
        }
    }

    Connection& connection_;
    std::vector<std::byte> store_ = std::vector<std::byte>(kStoreBytes);
};

}  // namespace

ServerReport serve_store(Connection& connection) {
    Store store(connection);
    while (const auto message = connection.receive()) store.answer(*message);
    return store.report;
}

}  // namespace smb_direct
