// SPDX-License-Identifier: MIT
// IP addresses as text and back. Other text than ASCII is no address.
#include "kernel/addresses.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace {

std::string narrow(const WCHAR* text) {
    std::string out;
    for (; *text != 0; ++text) out += *text > 0 && *text < 128 ? static_cast<char>(*text) : '?';
    return out;
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// Cuts off `mark` and the text behind it, and returns that text; nullopt: no `mark`.
std::optional<std::string> cut_behind(std::string& text, char mark) {
    const auto at = text.rfind(mark);
    if (at == text.npos) return std::nullopt;
    std::string behind = text.substr(at + 1);
    text.resize(at);
    return behind;
}

PWSTR widen(const char* text, PWSTR out) {
    const std::string_view all = text;
    PWSTR const end = std::copy(all.begin(), all.end(), out);
    *end = 0;
    return end;
}

}  // namespace

NTSTATUS RtlIpv4StringToAddressExW(PCWSTR AddressString, BOOLEAN Strict, struct in_addr* Address, PUSHORT Port) {
    if (AddressString == nullptr || Address == nullptr || Port == nullptr) return STATUS_INVALID_PARAMETER;
    std::string text = narrow(AddressString);
    USHORT port = 0;
    if (const auto behind = cut_behind(text, ':')) {
        const auto number = number_of<USHORT>(*behind);
        if (!number) return STATUS_INVALID_PARAMETER;
        port = *number;
    }
    in_addr address{};
    // inet_aton takes text that goes on behind a space.
    const bool read = Strict != FALSE ? inet_pton(AF_INET, text.c_str(), &address) == 1
                                      : text.find(' ') == text.npos && inet_aton(text.c_str(), &address) != 0;
    if (!read) return STATUS_INVALID_PARAMETER;
    *Address = address;
    *Port = htons(port);
    return STATUS_SUCCESS;
}

NTSTATUS RtlIpv6StringToAddressExW(PCWSTR AddressString, struct in6_addr* Address, PULONG ScopeId, PUSHORT Port) {
    if (AddressString == nullptr || Address == nullptr || ScopeId == nullptr || Port == nullptr)
        return STATUS_INVALID_PARAMETER;
    std::string text = narrow(AddressString);
    USHORT port = 0;
    ULONG scope = 0;
    if (text.starts_with('[')) {
        const auto behind = cut_behind(text, ']');
        if (!behind) return STATUS_INVALID_PARAMETER;
        if (!behind->empty()) {
            const auto number = number_of<USHORT>(std::string_view(*behind).substr(1));
            if (behind->front() != ':' || !number) return STATUS_INVALID_PARAMETER;
            port = *number;
        }
        text.erase(0, 1);
    }
    if (const auto behind = cut_behind(text, '%')) {
        const auto number = number_of<ULONG>(*behind);
        if (!number) return STATUS_INVALID_PARAMETER;
        scope = *number;
    }
    in6_addr address{};
    if (inet_pton(AF_INET6, text.c_str(), &address) != 1) return STATUS_INVALID_PARAMETER;
    *Address = address;
    *ScopeId = scope;
    *Port = htons(port);
    return STATUS_SUCCESS;
}

PWSTR RtlIpv4AddressToStringW(const struct in_addr* Addr, PWSTR S) {
    char text[INET_ADDRSTRLEN];
    return widen(inet_ntop(AF_INET, Addr, text, sizeof text), S);
}

PWSTR RtlIpv6AddressToStringW(const struct in6_addr* Addr, PWSTR S) {
    char text[INET6_ADDRSTRLEN];
    return widen(inet_ntop(AF_INET6, Addr, text, sizeof text), S);
}
