// SPDX-License-Identifier: MIT
// See address_text.h.
#include "windows/sockets/address_text.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "winerror.h"

namespace opennd::windows {
namespace {

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

bool read_port(std::string_view text, in_port_t& port) {
    const auto number = read_number<std::uint16_t>(text);
    if (number) port = htons(*number);
    return number.has_value();
}

bool read_scope(std::string_view text, std::uint32_t& scope) {
    if (const auto number = read_number<std::uint32_t>(text)) return scope = *number, true;
    scope = if_nametoindex(std::string(text).c_str());
    return scope != 0;
}

bool read_v4(std::string_view text, SOCKADDR_IN& address) {
    address.sin_family = AF_INET;
    if (const auto colon = text.find(':'); colon != text.npos) {
        if (!read_port(text.substr(colon + 1), address.sin_port)) return false;
        text = text.substr(0, colon);
    }
    return inet_pton(AF_INET, std::string(text).c_str(), &address.sin_addr) == 1;
}

bool read_v6(std::string_view text, SOCKADDR_IN6& address) {
    address.sin6_family = AF_INET6;
    if (text.starts_with('[')) {
        const auto bracket = text.find(']');
        if (bracket == text.npos) return false;
        const std::string_view rest = text.substr(bracket + 1);
        if (!rest.empty() && (rest[0] != ':' || !read_port(rest.substr(1), address.sin6_port))) return false;
        text = text.substr(1, bracket - 1);
    }
    if (const auto percent = text.find('%'); percent != text.npos) {
        if (!read_scope(text.substr(percent + 1), address.sin6_scope_id)) return false;
        text = text.substr(0, percent);
    }
    return inet_pton(AF_INET6, std::string(text).c_str(), &address.sin6_addr) == 1;
}

std::string write_v4(const SOCKADDR_IN& address) {
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    std::string written = text;
    if (const unsigned port = ntohs(address.sin_port); port != 0) written.append(":").append(std::to_string(port));
    return written;
}

std::string write_v6(const SOCKADDR_IN6& address) {
    char text[INET6_ADDRSTRLEN];
    inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
    const unsigned port = ntohs(address.sin6_port);
    std::string written = port == 0 ? "" : "[";
    written += text;
    if (address.sin6_scope_id != 0) written.append("%").append(std::to_string(address.sin6_scope_id));
    if (port != 0) written.append("]:").append(std::to_string(port));
    return written;
}

}  // namespace

INT address_bytes(INT family) {
    switch (family) {
        case AF_INET: return sizeof(SOCKADDR_IN);
        case AF_INET6: return sizeof(SOCKADDR_IN6);
        default: return 0;
    }
}

DWORD read_address_text(const std::string& text, INT family, SOCKADDR_INET& address) {
    address = {};
    switch (family) {
        case AF_INET: return read_v4(text, address.Ipv4) ? ERROR_SUCCESS : WSAEINVAL;
        case AF_INET6: return read_v6(text, address.Ipv6) ? ERROR_SUCCESS : WSAEINVAL;
        default: return WSAEAFNOSUPPORT;
    }
}

DWORD write_address_text(const sockaddr& address, DWORD bytes, std::string& text) {
    const INT needed = bytes >= sizeof address.sa_family ? address_bytes(address.sa_family) : 0;
    if (needed == 0 || bytes < static_cast<DWORD>(needed)) return WSAEINVAL;
    SOCKADDR_INET copy{};
    std::memcpy(&copy, &address, static_cast<std::size_t>(needed));
    text = address.sa_family == AF_INET ? write_v4(copy.Ipv4) : write_v6(copy.Ipv6);
    return ERROR_SUCCESS;
}

}  // namespace opennd::windows
