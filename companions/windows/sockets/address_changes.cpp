// SPDX-License-Identifier: MIT
// See address_changes.h.
#include "windows/sockets/address_changes.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <exception>
#include <thread>
#include <utility>

#include "opennd.h"
#include "win32/sockets.h"
#include "windows/companion.h"
#include "windows/socket_error.h"

namespace opennd::windows {
namespace {

// Whether any of the kernel's messages is of an address that came or went.
bool tells_of_addresses(const char* data, std::size_t bytes) {
    const auto* header = reinterpret_cast<const nlmsghdr*>(data);
    for (; NLMSG_OK(header, bytes); header = NLMSG_NEXT(header, bytes))
        if (header->nlmsg_type == RTM_NEWADDR || header->nlmsg_type == RTM_DELADDR) return true;
    return false;
}

}  // namespace

AddressChanges& AddressChanges::instance() {
    static auto* const changes = new AddressChanges;
    return *changes;
}

int AddressChanges::open() {
    if (kernel_ >= 0) return ERROR_SUCCESS;
    const int kernel = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (kernel < 0) return socket_error(errno);
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
    if (::bind(kernel, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = socket_error(errno);
        close(kernel);
        return error;
    }
    kernel_ = kernel;
    try {
        std::thread([this] { listen(); }).detach();
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc
        close(std::exchange(kernel_, -1));
        return WSAENOBUFS;
    }
    return ERROR_SUCCESS;
}

int AddressChanges::watch(SOCKET socket, OVERLAPPED* overlapped) {
    const std::lock_guard lock(mutex_);
    // Before the request counts as waiting, so that no change from here on is missed.
    if (const int error = open(); error != ERROR_SUCCESS) return error;
    requests_.push_back({socket, overlapped});
    overlapped->InternalHigh = 0;
    std::atomic_ref(overlapped->Internal).store(static_cast<ULONG_PTR>(ND_PENDING), std::memory_order_relaxed);
    if (number_of(overlapped->hEvent) != 0) opennd_event_reset(overlapped->hEvent);
    return ERROR_SUCCESS;
}

bool AddressChanges::associate(SOCKET socket, HANDLE port, ULONG_PTR key) {
    const std::lock_guard lock(mutex_);
    return ports_.try_emplace(socket, Port{port, key}).second;
}

void AddressChanges::forget(SOCKET socket) {
    const std::lock_guard lock(mutex_);
    std::erase_if(requests_, [&](const Request& request) {
        if (request.socket != socket) return false;
        complete(request, ND_CANCELED);
        return true;
    });
    ports_.erase(socket);
}

void AddressChanges::listen() {
    alignas(nlmsghdr) std::array<char, 8192> buffer;
    for (;;) {
        const ssize_t bytes = ::recv(kernel_, buffer.data(), buffer.size(), 0);
        if (bytes < 0 && errno == EINTR) continue;
        // ENOBUFS: the kernel dropped messages, and one may have been of an address.
        const bool lost = bytes < 0 && errno == ENOBUFS;
        if (bytes < 0 && !lost) return;
        if (lost || tells_of_addresses(buffer.data(), static_cast<std::size_t>(bytes))) complete_all();
    }
}

void AddressChanges::complete_all() {
    const std::lock_guard lock(mutex_);
    for (const Request& request : std::exchange(requests_, {})) complete(request, ND_SUCCESS);
}

// The status last: from then on the OVERLAPPED may be gone.
void AddressChanges::complete(const Request& request, NTSTATUS status) {
    HANDLE const event = request.overlapped->hEvent;
    const bool wants_packet = (reinterpret_cast<ULONG_PTR>(event) & 1) == 0;
    const auto port = ports_.find(request.socket);
    std::atomic_ref(request.overlapped->Internal)
        .store(static_cast<ULONG_PTR>(static_cast<ULONG>(status)), std::memory_order_release);
    if (number_of(event) != 0) opennd_event_set(event);
    if (port != ports_.end() && wants_packet)
        opennd_port_complete(port->second.handle, status, 0, port->second.key, request.overlapped);
}

}  // namespace opennd::windows
