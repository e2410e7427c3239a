// SPDX-License-Identifier: MIT
// WSCEnumProtocols, WSCGetProviderPath: libopennd's catalogue of providers as Winsock shows it (spec section 2.7).
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "opennd.h"
#include "windows/either_width.h"
#include "windows/last_error.h"
#include "ws2spi.h"

namespace opennd::windows {
namespace {

constexpr DWORD kServiceFlags =
    XP1_GUARANTEED_DELIVERY | XP1_GUARANTEED_ORDER | XP1_MESSAGE_ORIENTED | XP1_CONNECT_DATA;
constexpr DWORD kFirstEntryId = 1001;  // as Windows begins

std::vector<opennd_provider> providers() {
    std::vector<opennd_provider> entries;
    ULONG count = 0;
    // Again where a file was added between the two calls.
    while (opennd_provider_list(entries.data(), static_cast<ULONG>(entries.size()), &count) == ND_BUFFER_OVERFLOW)
        entries.resize(count);
    entries.resize(std::min<std::size_t>(entries.size(), count));
    return entries;
}

WSAPROTOCOL_INFOW describe(const opennd_provider& provider, DWORD index) {
    WSAPROTOCOL_INFOW info{};
    info.dwServiceFlags1 = kServiceFlags;
    info.dwProviderFlags = PFL_HIDDEN | PFL_NETWORKDIRECT_PROVIDER;
    info.ProviderId = provider.class_id;
    info.dwCatalogEntryId = kFirstEntryId + index;
    info.ProtocolChain.ChainLen = 1;
    info.iVersion = static_cast<int>(provider.version);
    info.iAddressFamily = AF_INET6;  // stands for both families
    info.iMaxSockAddr = sizeof(SOCKADDR_IN6);
    info.iMinSockAddr = sizeof(SOCKADDR_IN);
    info.iSocketType = -1;
    const std::wstring name = from_utf8(provider.name);
    name.copy(info.szProtocol, WSAPROTOCOL_LEN);
    return info;
}

// Where the caller wants no error, it goes nowhere.
int refuse(int error, LPINT place) {
    if (place != nullptr) *place = error;
    return SOCKET_ERROR;
}

// All of ours have protocol 0, which is also what ends the caller's list.
bool wanted(LPINT protocols) { return protocols == nullptr; }

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

int WSCEnumProtocols(LPINT lpiProtocols, LPWSAPROTOCOL_INFOW lpProtocolBuffer, LPDWORD lpdwBufferLength,
                     LPINT lpErrno) {
    if (lpdwBufferLength == nullptr) return refuse(WSAEFAULT, lpErrno);
    const std::vector<opennd_provider> entries = wanted(lpiProtocols) ? providers() : std::vector<opennd_provider>();
    const auto needed = static_cast<DWORD>(entries.size() * sizeof(WSAPROTOCOL_INFOW));
    const DWORD room = lpProtocolBuffer ? *lpdwBufferLength : 0;
    if (room < needed) {
        *lpdwBufferLength = needed;
        return refuse(WSAENOBUFS, lpErrno);
    }
    for (DWORD i = 0; i < entries.size(); ++i) lpProtocolBuffer[i] = describe(entries[i], i);
    return static_cast<int>(entries.size());
}

int WSCGetProviderPath(GUID* lpProviderId, WCHAR* lpszProviderDllPath, LPINT lpProviderDllPathLen, LPINT lpErrno) {
    if (lpProviderId == nullptr || lpProviderDllPathLen == nullptr) return refuse(WSAEFAULT, lpErrno);
    const std::vector<opennd_provider> entries = providers();
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const opennd_provider& entry) { return entry.class_id == *lpProviderId; });
    if (found == entries.end()) return refuse(WSAEINVAL, lpErrno);
    const std::wstring path = from_utf8(found->module);
    const INT room = lpszProviderDllPath ? *lpProviderDllPathLen : 0;
    *lpProviderDllPathLen = static_cast<INT>(path.size()) + 1;
    if (room < *lpProviderDllPathLen) return refuse(WSAEFAULT, lpErrno);
    std::copy_n(path.c_str(), path.size() + 1, lpszProviderDllPath);
    return 0;
}
