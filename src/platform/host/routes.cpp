// SPDX-License-Identifier: MIT
// See routes.h.
#include "platform/host/routes.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <array>
#include <cstring>
#include <span>

#include "platform/descriptor/descriptor.h"

namespace opennd {
namespace {

// A question for the way to one address.
class Question {
public:
    explicit Question(const Address& to) {
        header_.nlmsg_type = RTM_GETROUTE;
        header_.nlmsg_flags = NLM_F_REQUEST;
        header_.nlmsg_len = NLMSG_LENGTH(sizeof(rtmsg));
        route_.rtm_family = static_cast<unsigned char>(to.family());
        // IPv4 takes a host for a neighbour on an interface without a way to it, unless it is asked for the entry itself.
        if (!to.is_ipv6()) route_.rtm_flags = RTM_F_FIB_MATCH;
    }

    void put(unsigned short type, std::span<const std::byte> value) {
        const rtattr head{static_cast<unsigned short>(RTA_LENGTH(value.size())), type};
        std::byte* const end = octets_.data() + header_.nlmsg_len;
        std::memcpy(end, &head, sizeof head);
        std::memcpy(end + RTA_LENGTH(0), value.data(), value.size());
        header_.nlmsg_len += RTA_SPACE(value.size());
    }
    void put_host(unsigned short type, const Address& host, unsigned char& prefix) {
        const sockaddr_storage raw = host.to_sockaddr();
        const std::size_t at = host.is_ipv6() ? offsetof(sockaddr_in6, sin6_addr) : offsetof(sockaddr_in, sin_addr);
        const std::size_t size = host.is_ipv6() ? sizeof(in6_addr) : sizeof(in_addr);
        prefix = static_cast<unsigned char>(size * 8);
        put(type, std::as_bytes(std::span(&raw, 1)).subspan(at, size));
    }
    rtmsg& route() { return route_; }

    std::span<const std::byte> octets() {
        std::memcpy(octets_.data(), &header_, sizeof header_);
        std::memcpy(octets_.data() + NLMSG_HDRLEN, &route_, sizeof route_);
        return std::span(octets_).first(header_.nlmsg_len);
    }

private:
    nlmsghdr header_{};
    rtmsg route_{};
    std::array<std::byte, 128> octets_{};
};

// The answer is a way through `interface`. A way of several is told without one: the kernel found this one among them.
bool names(std::span<const std::byte> answer, std::uint32_t interface) {
    nlmsghdr header{};
    rtmsg route{};
    if (answer.size() < NLMSG_LENGTH(sizeof route)) return false;
    std::memcpy(&header, answer.data(), sizeof header);
    std::memcpy(&route, answer.data() + NLMSG_HDRLEN, sizeof route);
    if (header.nlmsg_type != RTM_NEWROUTE || route.rtm_type != RTN_UNICAST) return false;
    for (std::size_t at = NLMSG_SPACE(sizeof route); at + sizeof(rtattr) <= answer.size();) {
        rtattr head{};
        std::memcpy(&head, answer.data() + at, sizeof head);
        std::uint32_t through = 0;
        if (head.rta_len < sizeof head || at + RTA_LENGTH(sizeof through) > answer.size()) break;
        std::memcpy(&through, answer.data() + at + RTA_LENGTH(0), sizeof through);
        if (head.rta_type == RTA_OIF) return through == interface;
        at += RTA_ALIGN(head.rta_len);
    }
    return true;
}

}  // namespace

bool leads_through(std::uint32_t interface, const Address& from, const Address& to) {
    const Descriptor socket =
        Descriptor::made([] { return ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE); });
    if (!socket) return false;
    Question question(to);
    question.put_host(RTA_DST, to, question.route().rtm_dst_len);
    question.put_host(RTA_SRC, from, question.route().rtm_src_len);
    question.put(RTA_OIF, std::as_bytes(std::span(&interface, 1)));
    const std::span<const std::byte> asked = question.octets();
    if (::send(socket.get(), asked.data(), asked.size(), 0) != static_cast<ssize_t>(asked.size())) return false;
    std::array<std::byte, 4096> answer;  // it is there when the question is sent
    const ssize_t received = ::recv(socket.get(), answer.data(), answer.size(), MSG_DONTWAIT);
    return received > 0 && names(std::span(answer).first(static_cast<std::size_t>(received)), interface);
}

}  // namespace opennd
