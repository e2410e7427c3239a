// SPDX-License-Identifier: MIT
// GetBestRoute2: the kernel's own answer, asked for over a netlink socket (rtnetlink(7), RTM_GETROUTE).
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "kernel/interfaces.h"

namespace {

std::size_t bytes_of(ADDRESS_FAMILY family) { return family == AF_INET6 ? sizeof(in6_addr) : sizeof(in_addr); }

const void* bytes_in(const SOCKADDR_INET& address) {
    return address.si_family == AF_INET6 ? static_cast<const void*>(&address.Ipv6.sin6_addr) : &address.Ipv4.sin_addr;
}

SOCKADDR_INET address_of(ADDRESS_FAMILY family, const void* bytes) {
    SOCKADDR_INET address{};
    address.si_family = family;
    if (bytes != nullptr) std::memcpy(const_cast<void*>(bytes_in(address)), bytes, bytes_of(family));
    return address;
}

class Question {
public:
    explicit Question(ADDRESS_FAMILY family) {
        header_.nlmsg_len = NLMSG_LENGTH(sizeof(rtmsg));
        header_.nlmsg_type = RTM_GETROUTE;
        header_.nlmsg_flags = NLM_F_REQUEST;
        auto& route = *static_cast<rtmsg*>(NLMSG_DATA(&header_));
        route.rtm_family = static_cast<unsigned char>(family);
    }

    void add(unsigned short type, const void* value, std::size_t bytes) {
        auto* const attribute = reinterpret_cast<rtattr*>(buffer_.data() + NLMSG_ALIGN(header_.nlmsg_len));
        attribute->rta_type = type;
        attribute->rta_len = static_cast<unsigned short>(RTA_LENGTH(bytes));
        std::memcpy(RTA_DATA(attribute), value, bytes);
        header_.nlmsg_len = static_cast<unsigned>(NLMSG_ALIGN(header_.nlmsg_len) + RTA_ALIGN(attribute->rta_len));
    }

    // How many bytes of answer; negative: failed.
    ssize_t ask(void* answer, std::size_t room) {
        const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
        if (descriptor < 0) return -1;
        ssize_t got = send(descriptor, &header_, header_.nlmsg_len, 0);
        if (got >= 0) got = recv(descriptor, answer, room, 0);
        close(descriptor);
        return got;
    }

private:
    // Room for three attributes: two addresses and an index.
    alignas(nlmsghdr) std::array<unsigned char, 128> buffer_{};
    nlmsghdr& header_ = *reinterpret_cast<nlmsghdr*>(buffer_.data());
};

struct Answer {
    NET_IFINDEX interface = 0;
    SOCKADDR_INET next_hop;
    SOCKADDR_INET source;
};

std::optional<Answer> read_answer(const nlmsghdr& header, ADDRESS_FAMILY family, const SOCKADDR_INET* given_source) {
    if (header.nlmsg_type != RTM_NEWROUTE) return std::nullopt;
    const auto* const route = static_cast<const rtmsg*>(NLMSG_DATA(&header));
    // Where nothing can be reached, the answer is a route all the same.
    if (route->rtm_type != RTN_UNICAST && route->rtm_type != RTN_LOCAL) return std::nullopt;
    Answer answer{.interface = 0,
                  .next_hop = address_of(family, nullptr),
                  .source = given_source != nullptr ? *given_source : address_of(family, nullptr)};
    auto left = static_cast<int>(RTM_PAYLOAD(&header));
    for (auto* i = RTM_RTA(route); RTA_OK(i, left); i = RTA_NEXT(i, left)) switch (i->rta_type) {
            case RTA_OIF: std::memcpy(&answer.interface, RTA_DATA(i), sizeof answer.interface); break;
            case RTA_GATEWAY: answer.next_hop = address_of(family, RTA_DATA(i)); break;
            case RTA_PREFSRC: answer.source = address_of(family, RTA_DATA(i)); break;
            default: break;
        }
    return answer;
}

bool is_address(const SOCKADDR_INET* address, ADDRESS_FAMILY family) {
    return address != nullptr && address->si_family == family && (family == AF_INET || family == AF_INET6);
}

}  // namespace

NETIO_STATUS GetBestRoute2(NET_LUID* InterfaceLuid, NET_IFINDEX InterfaceIndex, const SOCKADDR_INET* SourceAddress,
                           const SOCKADDR_INET* DestinationAddress, ULONG AddressSortOptions,
                           PMIB_IPFORWARD_ROW2 BestRoute, SOCKADDR_INET* BestSourceAddress) {
    if (DestinationAddress == nullptr || BestRoute == nullptr || BestSourceAddress == nullptr ||
        AddressSortOptions != 0)
        return STATUS_INVALID_PARAMETER;
    const ADDRESS_FAMILY family = DestinationAddress->si_family;
    if (!is_address(DestinationAddress, family) || (SourceAddress != nullptr && !is_address(SourceAddress, family)))
        return STATUS_INVALID_PARAMETER;

    Question question(family);
    question.add(RTA_DST, bytes_in(*DestinationAddress), bytes_of(family));
    if (SourceAddress != nullptr) question.add(RTA_SRC, bytes_in(*SourceAddress), bytes_of(family));
    const auto by = InterfaceLuid != nullptr ? static_cast<NET_IFINDEX>(InterfaceLuid->Value) : InterfaceIndex;
    if (by != 0) question.add(RTA_OIF, &by, sizeof by);

    alignas(nlmsghdr) std::array<unsigned char, 4096> buffer;
    const ssize_t got = question.ask(buffer.data(), buffer.size());
    const auto& header = *reinterpret_cast<const nlmsghdr*>(buffer.data());
    if (got < 0 || !NLMSG_OK(&header, static_cast<std::size_t>(got))) return STATUS_NETWORK_UNREACHABLE;
    const auto answer = read_answer(header, family, SourceAddress);
    if (!answer) return STATUS_NETWORK_UNREACHABLE;
    *BestRoute = {.InterfaceLuid = {}, .InterfaceIndex = answer->interface, .NextHop = answer->next_hop};
    BestRoute->InterfaceLuid.Value = answer->interface;
    *BestSourceAddress = answer->source;
    return STATUS_SUCCESS;
}
