// SPDX-License-Identifier: MIT
// GetAddrInfoW: getaddrinfo in wide text. The lists and texts it makes are its own, one allocation each.
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "windows/last_error.h"
#include "windows/text/utf8.h"
#include "ws2tcpip.h"

using namespace opennd::windows;

namespace {

DWORD winsock_error(int error) {
    switch (error) {
        case EAI_AGAIN: return WSATRY_AGAIN;
        case EAI_BADFLAGS: return WSAEINVAL;
        case EAI_FAIL: return WSANO_RECOVERY;
        case EAI_FAMILY: return WSAEAFNOSUPPORT;
        case EAI_MEMORY: return WSA_NOT_ENOUGH_MEMORY;
        case EAI_SERVICE: return WSATYPE_NOT_FOUND;
        case EAI_SOCKTYPE: return WSAESOCKTNOSUPPORT;
        default: return WSAHOST_NOT_FOUND;
    }
}

ADDRINFOW* copy_of(const addrinfo& info) {
    auto copy = std::make_unique<ADDRINFOW>();
    copy->ai_flags = info.ai_flags;
    copy->ai_family = info.ai_family;
    copy->ai_socktype = info.ai_socktype;
    copy->ai_protocol = info.ai_protocol;
    copy->ai_addrlen = info.ai_addrlen;
    auto address = std::make_unique<sockaddr_storage>();
    std::memcpy(address.get(), info.ai_addr, info.ai_addrlen);
    if (info.ai_canonname != nullptr) {
        const std::wstring name = from_utf8(info.ai_canonname);
        copy->ai_canonname = new wchar_t[name.size() + 1];
        std::memcpy(copy->ai_canonname, name.c_str(), (name.size() + 1) * sizeof(wchar_t));
    }
    copy->ai_addr = reinterpret_cast<sockaddr*>(address.release());
    return copy.release();
}

// Throws std::bad_alloc.
ADDRINFOW* copies_of(const addrinfo* found) {
    ADDRINFOW* first = nullptr;
    ADDRINFOW** end = &first;
    try {
        for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
            *end = copy_of(*info);
            end = &(*end)->ai_next;
        }
    } catch (const std::bad_alloc&) {
        FreeAddrInfoW(first);
        throw;
    }
    return first;
}

INT failed(DWORD code) { return fail(code, static_cast<INT>(code)); }

}  // namespace

INT GetAddrInfoW(PCWSTR pNodeName, PCWSTR pServiceName, const ADDRINFOW* pHints, PADDRINFOW* ppResult) try {
    const std::string node = pNodeName != nullptr ? to_utf8(pNodeName) : std::string();
    const std::string service = pServiceName != nullptr ? to_utf8(pServiceName) : std::string();
    addrinfo hints{};
    if (pHints != nullptr) {
        hints.ai_flags = pHints->ai_flags;
        hints.ai_family = pHints->ai_family;
        hints.ai_socktype = pHints->ai_socktype;
        hints.ai_protocol = pHints->ai_protocol;
    }
    addrinfo* found = nullptr;
    const int error = getaddrinfo(pNodeName != nullptr ? node.c_str() : nullptr,
                                  pServiceName != nullptr ? service.c_str() : nullptr, &hints, &found);
    if (error != 0) return failed(winsock_error(error));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> frees(found, freeaddrinfo);
    *ppResult = copies_of(found);
    return 0;
} catch (const std::bad_alloc&) {
    return failed(WSA_NOT_ENOUGH_MEMORY);
}

VOID FreeAddrInfoW(PADDRINFOW pAddrInfo) {
    while (pAddrInfo != nullptr) {
        const std::unique_ptr<ADDRINFOW> ends(pAddrInfo);
        pAddrInfo = pAddrInfo->ai_next;
        delete reinterpret_cast<sockaddr_storage*>(ends->ai_addr);
        delete[] ends->ai_canonname;
    }
}
