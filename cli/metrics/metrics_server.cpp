// SPDX-License-Identifier: MIT
//
// Read metrics_server.h first.
#include "metrics/metrics_server.h"

#include <microhttpd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string_view>

namespace nd {
namespace {

constexpr unsigned kMostClients = 64;
constexpr unsigned kPatience_s = 10;  // with a client that sends or takes nothing
constexpr std::size_t kClientBytes = 16 * 1024;
constexpr int kBacklog = 16;
constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
constexpr const char* kPlainType = "text/plain; charset=utf-8";

[[noreturn]] void fail(const SocketAddress& address, const std::string& why) {
    throw std::runtime_error("cannot serve metrics at " + address.text() + ": " + why);
}

// A listening socket; `address` gets its port.
int listen_at(SocketAddress& address) {
    const int socket = ::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) fail(address, std::strerror(errno));
    const int yes = 1;
    sockaddr_storage bound = {};
    socklen_t length = sizeof bound;
    if (::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        ::bind(socket, address.data(), address.length()) != 0 || ::listen(socket, kBacklog) != 0 ||
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &length) != 0) {
        const int failure = errno;
        ::close(socket);
        fail(address, std::strerror(failure));
    }
    address = SocketAddress(reinterpret_cast<const sockaddr*>(&bound), length);
    return socket;
}

int send(MHD_Connection* connection, unsigned status, std::string_view body, const char* type, bool allow = false) {
    // The library copies the body, and does not write to it.
    MHD_Response* const response =
        MHD_create_response_from_buffer(body.size(), const_cast<char*>(body.data()), MHD_RESPMEM_MUST_COPY);
    if (response == nullptr) return MHD_NO;
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (allow) (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    const int queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

}  // namespace

void MetricsServer::Stop::operator()(MHD_Daemon* daemon) const { MHD_stop_daemon(daemon); }

MetricsServer::MetricsServer(const SocketAddress& address, Text text) : text_(std::move(text)), address_(address) {
    const int socket = listen_at(address_);
    const auto on_request = [](void* self, MHD_Connection* connection, const char* path, const char* method,
                               const char*, const char*, std::size_t*, void**) {
        return static_cast<MHD_Result>(static_cast<MetricsServer*>(self)->answer(connection, path, method));
    };
    // ITC: with as many clients as it serves the thread does not look at the listening socket, by which it would be told to end.
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO | MHD_USE_ITC;
    if (address_.family() == AF_INET6) flags |= MHD_USE_IPv6;
    daemon_.reset(MHD_start_daemon(flags, 0, nullptr, nullptr, on_request, this, MHD_OPTION_LISTEN_SOCKET, socket,
                                   MHD_OPTION_CONNECTION_LIMIT, kMostClients, MHD_OPTION_CONNECTION_TIMEOUT,
                                   kPatience_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, kClientBytes, MHD_OPTION_END));
    if (daemon_) return;  // which closes the socket in the end
    ::close(socket);
    fail(address_, "the HTTP library refuses to start");
}

int MetricsServer::answer(MHD_Connection* connection, const std::string& path, const std::string& method) noexcept {
    try {
        if (path != "/metrics") return send(connection, MHD_HTTP_NOT_FOUND, "There is /metrics alone.\n", kPlainType);
        if (method != MHD_HTTP_METHOD_GET && method != MHD_HTTP_METHOD_HEAD)
            return send(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET alone.\n", kPlainType, true);
        return send(connection, MHD_HTTP_OK, text_(), kMetricsType);
    } catch (const std::exception& failure) {
        return send(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, failure.what(), kPlainType);
    }
}

}  // namespace nd
