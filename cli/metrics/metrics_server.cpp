// SPDX-License-Identifier: MIT
//
// Read metrics_server.h first.
#include "metrics/metrics_server.h"

#include <microhttpd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <list>
#include <mutex>
#include <stdexcept>
#include <string_view>

namespace nd {
namespace {

constexpr std::size_t kMostClients = 64;
// Clients that were hung up on leave the library a turn later.
constexpr unsigned kMostConnections = 2 * kMostClients;
constexpr unsigned kPatience_s = 10;  // with a client that sends or takes nothing, and with a request as a whole
constexpr std::chrono::seconds kFresh{1};
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

using NotifyConnection = void (*)(void*, MHD_Connection*, void**, MHD_ConnectionNotificationCode);
using NotifyAnswered = void (*)(void*, MHD_Connection*, void**, MHD_RequestTerminationCode);

int socket_of(MHD_Connection* connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
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

// The clients by their sockets, the oldest request in front. The library knows only how long one has been silent.
class MetricsServer::Clients {
public:
    void enter(int socket) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({socket, Clock::now()});
        // The oldest one makes room: it has had the time of 64 others, and one that comes with its request needs none.
        if (waiting_.size() > kMostClients) hang_up(waiting_.begin());
    }
    // Its request is answered; the next one may take its time again.
    void answered(int socket) {
        const std::lock_guard lock(mutex_);
        const auto client = std::ranges::find(waiting_, socket, &Client::socket);
        if (client == waiting_.end()) return;
        client->since = Clock::now();
        waiting_.splice(waiting_.end(), waiting_, client);
    }
    // Before the library closes the socket: another one may have its number then.
    void leave(int socket) {
        const std::lock_guard lock(mutex_);
        waiting_.remove_if([&](const Client& each) { return each.socket == socket; });
    }
    void hang_up_on_slow_ones() {
        const std::lock_guard lock(mutex_);
        const auto too_early = Clock::now() - std::chrono::seconds(kPatience_s);
        while (!waiting_.empty() && waiting_.front().since < too_early) hang_up(waiting_.begin());
    }

private:
    struct Client {
        int socket;
        Clock::time_point since;
    };

    // The library notices, and closes it.
    void hang_up(std::list<Client>::iterator client) {
        (void)::shutdown(client->socket, SHUT_RDWR);
        waiting_.erase(client);
    }

    std::mutex mutex_;  // nothing is called under it but shutdown()
    std::list<Client> waiting_;
};

MetricsServer::~MetricsServer() = default;

void MetricsServer::hang_up_on_slow_clients() { clients_->hang_up_on_slow_ones(); }

void MetricsServer::Stop::operator()(MHD_Daemon* daemon) const { MHD_stop_daemon(daemon); }

MetricsServer::MetricsServer(const SocketAddress& address, Text text)
    : text_(std::move(text)), address_(address), clients_(std::make_unique<Clients>()) {
    const int socket = listen_at(address_);
    const auto on_request = [](void* self, MHD_Connection* connection, const char* path, const char* method,
                               const char*, const char*, std::size_t*, void**) {
        return static_cast<MHD_Result>(static_cast<MetricsServer*>(self)->answer(connection, path, method));
    };
    const auto on_connection = [](void* clients, MHD_Connection* connection, void**,
                                  MHD_ConnectionNotificationCode code) {
        if (code == MHD_CONNECTION_NOTIFY_STARTED)
            static_cast<Clients*>(clients)->enter(socket_of(connection));
        else
            static_cast<Clients*>(clients)->leave(socket_of(connection));
    };
    const auto on_answered = [](void* clients, MHD_Connection* connection, void**, MHD_RequestTerminationCode) {
        static_cast<Clients*>(clients)->answered(socket_of(connection));
    };
    // ITC: with as many clients as it serves the thread does not look at the listening socket, by which it would be told to end.
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO | MHD_USE_ITC;
    if (address_.family() == AF_INET6) flags |= MHD_USE_IPv6;
    daemon_.reset(MHD_start_daemon(
        flags, 0, nullptr, nullptr, on_request, this, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT,
        kMostConnections, MHD_OPTION_CONNECTION_TIMEOUT, kPatience_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, kClientBytes,
        MHD_OPTION_NOTIFY_CONNECTION, NotifyConnection{on_connection}, clients_.get(), MHD_OPTION_NOTIFY_COMPLETED,
        NotifyAnswered{on_answered}, clients_.get(), MHD_OPTION_END));
    if (daemon_) return;  // which closes the socket in the end
    ::close(socket);
    fail(address_, "the HTTP library refuses to start");
}

int MetricsServer::answer(MHD_Connection* connection, const std::string& path, const std::string& method) noexcept {
    try {
        if (path != "/metrics") return send(connection, MHD_HTTP_NOT_FOUND, "There is /metrics alone.\n", kPlainType);
        if (method != MHD_HTTP_METHOD_GET && method != MHD_HTTP_METHOD_HEAD)
            return send(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET alone.\n", kPlainType, true);
        if (Clock::now() >= stale_) {  // processes that do not answer hold up each scrape, but not each client
            newest_ = text_();
            stale_ = Clock::now() + kFresh;
        }
        return send(connection, MHD_HTTP_OK, newest_, kMetricsType);
    } catch (const std::exception& failure) {
        return send(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, failure.what(), kPlainType);
    }
}

}  // namespace nd
