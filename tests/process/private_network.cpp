// SPDX-License-Identifier: MIT
//
// Namespaces by unshare(2), addresses and routes by rtnetlink(7).
#include "process/private_network.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

namespace opennd::process {
namespace {

constexpr const char* kInterface = "lo";

[[noreturn]] void fail(int error, const char* what) {
    throw std::runtime_error(std::string(what) + ": " + std::generic_category().message(error));
}

class Socket {
public:
    Socket(int family, int type, int protocol) : descriptor_(socket(family, type | SOCK_CLOEXEC, protocol)) {
        if (descriptor_ < 0) fail(errno, "socket");
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() { close(descriptor_); }
    int get() const { return descriptor_; }

private:
    int descriptor_;
};

struct IpAddress {
    explicit IpAddress(const char* text) : family(std::strchr(text, ':') != nullptr ? AF_INET6 : AF_INET) {
        if (inet_pton(family, text, bytes) != 1) fail(EINVAL, text);
    }
    std::span<const unsigned char> value() const { return {bytes, family == AF_INET6 ? 16u : 4u}; }

    int family;
    unsigned char bytes[16];
};

// One rtnetlink request, acknowledged.
class NetlinkRequest {
public:
    template <typename Body>
    NetlinkRequest(unsigned short type, unsigned flags, const Body& body) {
        nlmsghdr header{};
        header.nlmsg_type = type;
        header.nlmsg_flags = static_cast<unsigned short>(NLM_F_REQUEST | NLM_F_ACK | flags);
        append(&header, sizeof header);
        append(&body, sizeof body);
    }

    void add(unsigned short type, std::span<const unsigned char> value) {
        const rtattr attribute{static_cast<unsigned short>(RTA_LENGTH(value.size())), type};
        append(&attribute, sizeof attribute);
        append(value.data(), value.size());
    }

    void send(const char* what) {
        const auto length = static_cast<unsigned>(bytes_.size());
        std::memcpy(bytes_.data(), &length, sizeof length);  // nlmsg_len comes first
        const Socket link(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
        if (::send(link.get(), bytes_.data(), bytes_.size(), 0) < 0) fail(errno, what);
        struct {
            nlmsghdr header;
            nlmsgerr error;
            char request[512];
        } answer{};
        if (recv(link.get(), &answer, sizeof answer, 0) < 0) fail(errno, what);
        if (answer.error.error != 0) fail(-answer.error.error, what);
    }

private:
    void append(const void* data, std::size_t size) {
        const auto* const first = static_cast<const unsigned char*>(data);
        bytes_.insert(bytes_.end(), first, first + size);
        bytes_.resize(NLMSG_ALIGN(bytes_.size()));
    }

    std::vector<unsigned char> bytes_;
};

std::span<const unsigned char> octets(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

std::span<const unsigned char> octets_with_end(const char* text) { return octets({text, std::strlen(text) + 1}); }

void change_address(unsigned short type, unsigned flags, unsigned interface, const char* text, unsigned prefix_bits,
                    const char* label = nullptr) {
    const IpAddress address(text);
    ifaddrmsg body{};
    body.ifa_family = static_cast<unsigned char>(address.family);
    body.ifa_prefixlen = static_cast<unsigned char>(prefix_bits);
    body.ifa_index = interface;
    if (address.family == AF_INET6) body.ifa_flags = IFA_F_NODAD;  // it can be bound to at once
    NetlinkRequest request(type, flags, body);
    request.add(IFA_LOCAL, address.value());
    request.add(IFA_ADDRESS, address.value());
    if (label) request.add(IFA_LABEL, octets_with_end(label));
    request.send(text);
}

void set_interface_up(const char* name, bool up) {
    const Socket socket(AF_INET, SOCK_DGRAM, 0);
    ifreq request{};
    std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    request.ifr_flags = static_cast<short>(up ? IFF_UP : 0);
    if (ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) fail(errno, "setting the interface up or down");
}

// Empty: a child process could do it.
template <typename Trial>
std::string refusal_of(Trial&& trial, const char* refusal) {
    const pid_t child = fork();
    if (child == 0) {
        try {
            trial();
            _exit(0);
        } catch (const std::exception&) {
            _exit(1);
        }
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return "no child process to try it in";
    return status == 0 ? "" : refusal;
}

}  // namespace

std::string PrivateNetwork::refusal() {
    return refusal_of(
        [] {
            PrivateNetwork network;
            network.set_up(true);
            network.add_address("192.0.2.1", 32);
            network.add_address("fe80::1", 64);
        },
        "this host lets no process without rights have a network namespace with IPv4 and IPv6");
}

std::string PrivateNetwork::refusal_of_interfaces() {
    return refusal_of(
        [] {
            PrivateNetwork network;
            network.add_interface("second");
        },
        "this host lets no process without rights have a network namespace and a veth pair in it");
}

PrivateNetwork::PrivateNetwork() {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) fail(errno, "unshare");
    interface_ = if_nametoindex(kInterface);
    if (interface_ == 0) fail(errno, kInterface);
}

void PrivateNetwork::set_up(bool up) { set_interface_up(kInterface, up); }

void PrivateNetwork::add_address(const char* address, unsigned prefix_bits) {
    add_address(interface_, address, prefix_bits);
}

void PrivateNetwork::add_address(unsigned interface, const char* address, unsigned prefix_bits, const char* label) {
    change_address(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, interface, address, prefix_bits, label);
}

// One end of a veth pair; the other end stays down.
unsigned PrivateNetwork::add_interface(const char* name) {
    constexpr std::string_view kKind = "veth";
    const rtattr kind{static_cast<unsigned short>(RTA_LENGTH(kKind.size())), IFLA_INFO_KIND};
    std::vector<unsigned char> info(NLMSG_ALIGN(kind.rta_len));
    std::memcpy(info.data(), &kind, sizeof kind);
    std::memcpy(info.data() + sizeof kind, kKind.data(), kKind.size());
    NetlinkRequest request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, ifinfomsg{});
    request.add(IFLA_IFNAME, octets_with_end(name));
    request.add(IFLA_LINKINFO, info);
    request.send(name);
    set_interface_up(name, true);
    return if_nametoindex(name);
}

void PrivateNetwork::remove_address(const char* address, unsigned prefix_bits) {
    change_address(RTM_DELADDR, 0, interface_, address, prefix_bits);
}

void PrivateNetwork::route_here(const char* prefix, unsigned prefix_bits) {
    const IpAddress destination(prefix);
    rtmsg body{};
    body.rtm_family = static_cast<unsigned char>(destination.family);
    body.rtm_dst_len = static_cast<unsigned char>(prefix_bits);
    body.rtm_table = RT_TABLE_LOCAL;
    body.rtm_protocol = RTPROT_BOOT;
    body.rtm_scope = RT_SCOPE_HOST;
    body.rtm_type = RTN_LOCAL;
    NetlinkRequest request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, body);
    request.add(RTA_DST, destination.value());
    unsigned char interface[sizeof interface_];
    std::memcpy(interface, &interface_, sizeof interface);
    request.add(RTA_OIF, interface);
    request.send(prefix);
}

}  // namespace opennd::process
