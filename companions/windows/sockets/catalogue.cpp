// SPDX-License-Identifier: MIT
// WSCEnumProtocols, WSCGetProviderPath, WSCInstallProvider and its opposite: libopennd's catalogue of providers as Winsock shows it.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "opennd.h"
#include "win32/environment.h"
#include "windows/last_error.h"
#include "windows/text/either_width.h"
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

int answer(HRESULT status, LPINT place) {
    switch (status) {
        case ND_SUCCESS: return 0;
        case ND_NO_MEMORY: return refuse(WSAENOBUFS, place);
        case ND_UNSUCCESSFUL: return refuse(WSANO_RECOVERY, place);
        default: return refuse(WSAEINVAL, place);
    }
}

// Returns false if it is longer than there is room for.
template <std::size_t Size>
bool copy_text(const std::string& text, char (&out)[Size]) {
    if (text.size() >= Size) return false;
    std::copy_n(text.c_str(), text.size() + 1, out);
    return true;
}

std::string expanded(const WCHAR* path) {
    std::wstring text(ExpandEnvironmentStringsW(path, nullptr, 0), L'\0');
    text.resize(ExpandEnvironmentStringsW(path, text.data(), static_cast<DWORD>(text.size())) - 1);
    return to_utf8(text);
}

// Whether they are entries of one provider: of Network Direct, and of one version.
bool belong_together(const WSAPROTOCOL_INFOW* entries, DWORD count) {
    return std::all_of(entries, entries + count, [&](const WSAPROTOCOL_INFOW& entry) {
        return (entry.dwProviderFlags & PFL_NETWORKDIRECT_PROVIDER) != 0 && entry.iVersion == entries->iVersion;
    });
}

// All of ours have protocol 0, the value that ends the caller's list.
bool wanted(LPINT protocols) { return protocols == nullptr; }

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

int WSCEnumProtocols(LPINT lpiProtocols, LPWSAPROTOCOL_INFOW lpProtocolBuffer, LPDWORD lpdwBufferLength,
                     LPINT lpErrno) try {
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
} catch (const std::bad_alloc&) {
    return refuse(WSA_NOT_ENOUGH_MEMORY, lpErrno);  // WSAENOBUFS would say that a larger buffer helps
}

int WSCGetProviderPath(GUID* lpProviderId, WCHAR* lpszProviderDllPath, LPINT lpProviderDllPathLen, LPINT lpErrno) try {
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
} catch (const std::bad_alloc&) {
    return refuse(WSA_NOT_ENOUGH_MEMORY, lpErrno);
}

int WSCInstallProvider(LPGUID lpProviderId, const WCHAR* lpszProviderDllPath,
                       const LPWSAPROTOCOL_INFOW lpProtocolInfoList, DWORD dwNumberOfEntries, LPINT lpErrno) try {
    if (lpProviderId == nullptr || lpszProviderDllPath == nullptr || lpProtocolInfoList == nullptr)
        return refuse(WSAEFAULT, lpErrno);
    if (dwNumberOfEntries == 0 || !belong_together(lpProtocolInfoList, dwNumberOfEntries))
        return refuse(WSAEINVAL, lpErrno);
    const WSAPROTOCOL_INFOW& entry = *lpProtocolInfoList;
    opennd_provider provider{};
    provider.class_id = *lpProviderId;
    provider.version = static_cast<ULONG>(entry.iVersion);
    const std::wstring name(entry.szProtocol, wcsnlen(entry.szProtocol, WSAPROTOCOL_LEN));
    if (!copy_text(to_utf8(name), provider.name) || !copy_text(expanded(lpszProviderDllPath), provider.module))
        return refuse(WSAEINVAL, lpErrno);
    return answer(opennd_provider_install(&provider), lpErrno);
} catch (const std::bad_alloc&) {
    return refuse(WSAENOBUFS, lpErrno);
}

int WSCDeinstallProvider(LPGUID lpProviderId, LPINT lpErrno) {
    if (lpProviderId == nullptr) return refuse(WSAEFAULT, lpErrno);
    return answer(opennd_provider_remove(lpProviderId), lpErrno);
}
