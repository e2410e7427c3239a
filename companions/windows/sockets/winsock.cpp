// SPDX-License-Identifier: MIT
// Winsock's beginning, end and last error, and addresses as text.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "windows/last_error.h"
#include "windows/sockets/address_text.h"
#include "windows/text/utf8.h"
#include "ws2tcpip.h"

using namespace opennd::windows;

namespace {

constinit std::atomic<long> startups{0};

template <typename Text>
INT read_address(const Text* text, INT family, sockaddr* address, INT* bytes, std::string (*to_bytes)(const Text*)) {
    if (text == nullptr || address == nullptr || bytes == nullptr) return fail(WSAEFAULT, SOCKET_ERROR);
    SOCKADDR_INET read{};
    if (const DWORD error = read_address_text(to_bytes(text), family, read); error != ERROR_SUCCESS)
        return fail(error, SOCKET_ERROR);
    const INT needed = address_bytes(family);
    const INT room = *bytes;
    *bytes = needed;
    if (room < needed) return fail(WSAEFAULT, SOCKET_ERROR);
    std::memcpy(address, &read, static_cast<std::size_t>(needed));
    return 0;
}

template <typename Text>
INT write_address(const sockaddr* address, DWORD bytes, Text* text, DWORD* length,
                  std::basic_string<Text> (*from_bytes)(const std::string&)) {
    if (address == nullptr || length == nullptr) return fail(WSAEFAULT, SOCKET_ERROR);
    std::string written;
    if (const DWORD error = write_address_text(*address, bytes, written); error != ERROR_SUCCESS)
        return fail(error, SOCKET_ERROR);
    const std::basic_string<Text> wanted = from_bytes(written);
    const DWORD room = *length;
    *length = static_cast<DWORD>(wanted.size() + 1);
    if (text == nullptr || room < *length) return fail(WSAEFAULT, SOCKET_ERROR);
    std::memcpy(text, wanted.c_str(), *length * sizeof(Text));
    return 0;
}

}  // namespace

int WSAStartup(WORD wVersionRequested, LPWSADATA lpWSAData) {
    if (LOBYTE(wVersionRequested) < 1) return WSAVERNOTSUPPORTED;
    if (lpWSAData == nullptr) return WSAEFAULT;
    *lpWSAData = {};
    lpWSAData->wVersion = lpWSAData->wHighVersion = MAKEWORD(2, 2);
    std::snprintf(lpWSAData->szDescription, sizeof lpWSAData->szDescription, "OpenND");
    std::snprintf(lpWSAData->szSystemStatus, sizeof lpWSAData->szSystemStatus, "Running");
    ++startups;
    return 0;
}

int WSACleanup(VOID) {
    for (long count = startups.load(); count > 0;)
        if (startups.compare_exchange_weak(count, count - 1)) return 0;
    return fail(WSANOTINITIALISED, SOCKET_ERROR);
}

int WSAGetLastError(VOID) { return static_cast<int>(GetLastError()); }

VOID WSASetLastError(int iError) { SetLastError(static_cast<DWORD>(iError)); }

INT WSAStringToAddressA(LPSTR AddressString, INT AddressFamily, LPWSAPROTOCOL_INFOA, LPSOCKADDR lpAddress,
                        LPINT lpAddressLength) {
    return read_address<char>(AddressString, AddressFamily, lpAddress, lpAddressLength,
                              [](const char* text) { return std::string(text); });
}

INT WSAStringToAddressW(LPWSTR AddressString, INT AddressFamily, LPWSAPROTOCOL_INFOW, LPSOCKADDR lpAddress,
                        LPINT lpAddressLength) {
    return read_address<wchar_t>(AddressString, AddressFamily, lpAddress, lpAddressLength,
                                 [](const wchar_t* text) { return to_utf8(text); });
}

INT WSAAddressToStringA(LPSOCKADDR lpsaAddress, DWORD dwAddressLength, LPWSAPROTOCOL_INFOA, LPSTR lpszAddressString,
                        LPDWORD lpdwAddressStringLength) {
    return write_address<char>(lpsaAddress, dwAddressLength, lpszAddressString, lpdwAddressStringLength,
                               [](const std::string& text) { return text; });
}

INT WSAAddressToStringW(LPSOCKADDR lpsaAddress, DWORD dwAddressLength, LPWSAPROTOCOL_INFOW, LPWSTR lpszAddressString,
                        LPDWORD lpdwAddressStringLength) {
    return write_address<wchar_t>(lpsaAddress, dwAddressLength, lpszAddressString, lpdwAddressStringLength,
                                  [](const std::string& text) { return from_utf8(text); });
}

INT InetPtonW(INT Family, LPCWSTR pszAddrString, PVOID pAddrBuf) {
    if (pszAddrString == nullptr || pAddrBuf == nullptr) return fail(WSAEFAULT, -1);
    const int result = inet_pton(Family, to_utf8(pszAddrString).c_str(), pAddrBuf);
    return result < 0 ? fail(WSAEAFNOSUPPORT, -1) : result;
}

LPCWSTR InetNtopW(INT Family, LPCVOID pAddr, LPWSTR pStringBuf, size_t StringBufSize) {
    char text[INET6_ADDRSTRLEN];
    if (pAddr == nullptr || pStringBuf == nullptr) return fail(ERROR_INVALID_PARAMETER, LPCWSTR{});
    if (inet_ntop(Family, pAddr, text, sizeof text) == nullptr) return fail(WSAEAFNOSUPPORT, LPCWSTR{});
    const std::wstring wide = from_utf8(text);
    if (wide.size() + 1 > StringBufSize) return fail(ERROR_INVALID_PARAMETER, LPCWSTR{});
    std::memcpy(pStringBuf, wide.c_str(), (wide.size() + 1) * sizeof(WCHAR));
    return pStringBuf;
}
