// SPDX-License-Identifier: MIT
//
// Read checks.h first.
#include "doctor/checks.h"
#include "network/socket_address.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <opennd.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace nd {
namespace {

constexpr int kPatience_ms = 3000;
constexpr int kEthernetMtu = 1500;

class Socket {
public:
    Socket(int family, int type) : descriptor_(::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    // 0, or errno. Of a datagram socket it only finds the route.
    int connect(const SocketAddress& peer) const {
        return ::connect(descriptor_, peer.data(), peer.length()) == 0 ? 0 : errno;
    }
    // Waits for a connect() that is on its way.
    int connected() const {
        pollfd poll{descriptor_, POLLOUT, 0};
        if (::poll(&poll, 1, kPatience_ms) == 0) return ETIMEDOUT;
        int error = 0;
        socklen_t bytes = sizeof error;
        (void)::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &bytes);
        return error;
    }
    std::string local_host() const {
        sockaddr_storage own{};
        socklen_t bytes = sizeof own;
        (void)::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&own), &bytes);
        return SocketAddress(reinterpret_cast<const sockaddr*>(&own), bytes).host();
    }
    // The MTU of the route; 0: not known.
    int mtu(int family) const {
        int value = 0;
        socklen_t bytes = sizeof value;
        const bool is_ipv6 = family == AF_INET6;
        (void)::getsockopt(descriptor_, is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, is_ipv6 ? IPV6_MTU : IP_MTU, &value,
                           &bytes);
        return value;
    }

private:
    const int descriptor_;
};

Finding check_route(const SocketAddress& peer) {
    const Socket probe(peer.family(), SOCK_DGRAM);
    if (const int error = probe.connect(peer.with_port(9)); error != 0)
        return {Verdict::problem, "route", std::string("none: ") + std::strerror(error), "Connect fails at once",
                "add a route to " + peer.host()};
    const int mtu = probe.mtu(peer.family());
    const std::string found = "from " + probe.local_host() + ", packets of " + std::to_string(mtu) + " bytes at most";
    if (mtu >= kEthernetMtu) return {Verdict::good, "route", found};
    return {Verdict::note, "route", found, "a large message takes more packets",
            "raise the MTU of the interfaces on the way, all of them"};
}

Finding check_transport(const SocketAddress& peer) {
    char name[32] = "", reason[512] = "";
    const HRESULT status =
        opennd_transport_explain(peer.data(), peer.length(), name, sizeof name, reason, sizeof reason);
    if (status == ND_SUCCESS) return {Verdict::good, "transport", std::string(name) + ": " + reason};
    return {Verdict::problem, "transport", std::string("none: ") + reason, "Connect fails at once",
            "see OPENND_TRANSPORT in `nd info --settings`"};
}

// A TCP connection, which is closed again at once.
Finding check_port(const SocketAddress& peer) {
    const std::string subject = "TCP to " + peer.text();
    const Socket probe(peer.family(), SOCK_STREAM);
    int error = probe.connect(peer);
    if (error == EINPROGRESS) error = probe.connected();
    switch (error) {
        case 0: return {Verdict::good, subject, "somebody listens there"};
        case ECONNREFUSED:
            return {Verdict::problem, subject, "refused: nobody listens there, or a firewall rejects it",
                    "Connect fails with ND_CONNECTION_REFUSED",
                    "start the server, compare ports, or let the port pass"};
        case ETIMEDOUT:
            return {Verdict::problem, subject, "no answer within " + std::to_string(kPatience_ms / 1000) + " s",
                    "Connect fails with ND_IO_TIMEOUT, late",
                    "a firewall drops the packets, or no host has that address"};
        default:
            return {Verdict::problem, subject, std::strerror(error), "Connect fails",
                    "look at the route and at the firewalls on the way"};
    }
}

}  // namespace

Findings check_peer(const SocketAddress& peer) {
    Findings findings{check_route(peer), check_transport(peer)};
    if (peer.port() != 0) findings.push_back(check_port(peer));
    return findings;
}

}  // namespace nd
