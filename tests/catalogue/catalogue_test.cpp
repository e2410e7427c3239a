// SPDX-License-Identifier: MIT
//
// The Winsock catalogue as programs walk it: entries, module, class object, provider. Requirement NDS-CAT-01.
#include <ws2spi.h>

#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ndsupport.h>
#include <opennd.h>

#include "support/requirement.h"

namespace opennd::catalogue {
namespace {

using support::proves;

std::vector<WSAPROTOCOL_INFOW> entries() {
    DWORD bytes = 0;
    INT error = 0;
    EXPECT_EQ(WSCEnumProtocols(nullptr, nullptr, &bytes, &error), SOCKET_ERROR);
    EXPECT_EQ(error, WSAENOBUFS);
    EXPECT_EQ(bytes % sizeof(WSAPROTOCOL_INFOW), 0u);
    std::vector<WSAPROTOCOL_INFOW> found(bytes / sizeof(WSAPROTOCOL_INFOW));
    EXPECT_EQ(WSCEnumProtocols(nullptr, found.data(), &bytes, &error), static_cast<int>(found.size()));
    return found;
}

std::wstring path_of(GUID id) {
    INT length = 0;
    INT error = 0;
    EXPECT_EQ(WSCGetProviderPath(&id, nullptr, &length, &error), SOCKET_ERROR);
    EXPECT_EQ(error, WSAEFAULT);
    std::wstring path(static_cast<std::size_t>(length), L'?');
    EXPECT_EQ(WSCGetProviderPath(&id, path.data(), &length, &error), 0);
    EXPECT_EQ(path.back(), L'\0') << "the length counts the end";
    path.pop_back();
    return path;
}

TEST(Catalogue, ListsOpenNDOnceForEachVersion) {
    proves("NDS-CAT-01");
    const auto found = entries();
    ASSERT_GE(found.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(found[i].dwServiceFlags1, 0x8Eu);
        EXPECT_EQ(found[i].dwProviderFlags, 0x14u);
        EXPECT_EQ(found[i].iAddressFamily, AF_INET6);
        EXPECT_EQ(found[i].iSocketType, -1);
        EXPECT_EQ(found[i].iProtocol, 0);
        EXPECT_EQ(found[i].iProtocolMaxOffset, 0);
        EXPECT_EQ(found[i].ProtocolChain.ChainLen, 1);
        EXPECT_NE(found[i].szProtocol[0], L'\0');
    }
    EXPECT_EQ(found[0].iVersion, ND_VERSION_2);
    EXPECT_EQ(found[1].iVersion, ND_VERSION_1);
    EXPECT_NE(found[0].ProviderId, found[1].ProviderId) << "programs take entries with one id for one provider";
    EXPECT_NE(found[0].dwCatalogEntryId, found[1].dwCatalogEntryId);
}

TEST(Catalogue, RefusesWhatCannotBe) {
    INT error = 0;
    EXPECT_EQ(WSCEnumProtocols(nullptr, nullptr, nullptr, &error), SOCKET_ERROR);
    EXPECT_EQ(error, WSAEFAULT);
    GUID stranger = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
    WCHAR path[MAX_PATH];
    INT length = MAX_PATH;
    EXPECT_EQ(WSCGetProviderPath(&stranger, path, &length, &error), SOCKET_ERROR);
    EXPECT_EQ(error, WSAEINVAL);
    DWORD bytes = 1;
    WSAPROTOCOL_INFOW entry;
    EXPECT_EQ(WSCEnumProtocols(nullptr, &entry, &bytes, nullptr), SOCKET_ERROR) << "without a place for the error";
}

// A folder of providers of this program's own.
class Installation : public testing::Test {
protected:
    Installation() {
        EXPECT_NE(mkdtemp(folder_.data()), nullptr);
        setenv("OPENND_PROVIDERS", folder_.c_str(), 1);
    }
    ~Installation() override {
        unsetenv("OPENND_PROVIDERS");
        std::filesystem::remove_all(folder_);
    }
    static WSAPROTOCOL_INFOW entry() {
        WSAPROTOCOL_INFOW entry{};
        entry.dwProviderFlags = PFL_HIDDEN | PFL_NETWORKDIRECT_PROVIDER;
        entry.iVersion = ND_VERSION_1;
        wcscpy_s(entry.szProtocol, L"Grün RDMA");
        return entry;
    }

    std::string folder_ = "/tmp/opennd_providers_XXXXXX";
    GUID id_ = {0x01234567, 0x89AB, 0xCDEF, {1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF}};
};

// In a process of its own: the library reads the name of the folder once.
void install_and_remove(GUID id, WSAPROTOCOL_INFOW entry) {
    INT error = 0;
    const auto check = [](bool right, const char* what) {
        if (!right) std::fprintf(stderr, "not so: %s\n", what), std::_Exit(1);
    };
    check(WSCDeinstallProvider(&id, &error) == SOCKET_ERROR && error == WSAEINVAL, "nothing is there yet");
    setenv("PLACE", "/opt/vendor", 1);
    check(WSCInstallProvider(&id, L"%PLACE%/libnd.so", &entry, 1, &error) == 0, "it is installed");
    const auto found = entries();
    check(found.size() == 3 && found[2].ProviderId == id && found[2].iVersion == ND_VERSION_1, "it is listed");
    check(std::wcscmp(found[2].szProtocol, L"Grün RDMA") == 0, "under its name");
    check(path_of(id) == L"/opt/vendor/libnd.so", "with its path");
    check(WSCInstallProvider(&id, L"/x.so", &entry, 1, &error) == SOCKET_ERROR && error == WSAEINVAL, "once only");
    check(WSCDeinstallProvider(&id, &error) == 0, "it is removed");
    check(entries().size() == 2, "and is not listed any more");
    std::_Exit(0);
}

TEST_F(Installation, AddsAProviderForAllProgramsAndTakesItOut) {
    proves("NDS-CAT-01");
    EXPECT_EXIT(install_and_remove(id_, entry()), testing::ExitedWithCode(0), "");
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

void refuse_what_cannot_be(GUID id, WSAPROTOCOL_INFOW entry, const std::string& folder) {
    const auto install = [&](LPGUID whose, const WCHAR* path, DWORD count) {
        INT error = 0;
        const int result = WSCInstallProvider(whose, path, &entry, count, &error);
        return result == SOCKET_ERROR ? error : 0;
    };
    const auto check = [](int error, int expected, const char* what) {
        if (error != expected) std::fprintf(stderr, "%s: %d\n", what, error), std::_Exit(1);
    };
    check(install(nullptr, L"/a.so", 1), WSAEFAULT, "no class");
    check(install(&id, nullptr, 1), WSAEFAULT, "no path");
    check(install(&id, L"/a.so", 0), WSAEINVAL, "no entry");
    check(install(&id, L"a.so", 1), WSAEINVAL, "a relative path");
    check(install(&id, L"/a.so\nversion = 2", 1), WSAEINVAL, "a second line");
    GUID ours = CLSID_OpenNDProvider;
    check(install(&ours, L"/a.so", 1), WSAEINVAL, "our class");
    entry.iVersion = 3;
    check(install(&id, L"/a.so", 1), WSAEINVAL, "another version");
    entry.iVersion = ND_VERSION_2;
    entry.dwProviderFlags = 0;
    check(install(&id, L"/a.so", 1), WSAEINVAL, "a provider of sockets");
    entry.dwProviderFlags = PFL_NETWORKDIRECT_PROVIDER;
    std::filesystem::remove(folder);
    check(install(&id, L"/a.so", 1), WSANO_RECOVERY, "no folder");
    std::_Exit(0);
}

TEST_F(Installation, IsRefusedWhereItCannotBe) {
    EXPECT_EXIT(refuse_what_cannot_be(id_, entry(), folder_), testing::ExitedWithCode(0), "");
}

// The steps of the published framework and of other programs.
TEST(Catalogue, LeadsToAnAdapter) {
    proves("NDS-CAT-01", "ND2-CLI-80", "ND2-PRV-02");
    for (const WSAPROTOCOL_INFOW& entry : entries()) {
        const std::wstring path = path_of(entry.ProviderId);
        WCHAR expanded[MAX_PATH * 16];
        ASSERT_EQ(ExpandEnvironmentStringsW(path.c_str(), expanded, _countof(expanded)), path.size() + 1);
        HMODULE const module = LoadLibraryExW(expanded, nullptr, 0);
        ASSERT_NE(module, nullptr) << GetLastError();
        const auto get_class_object = reinterpret_cast<decltype(&DllGetClassObject)>(
            reinterpret_cast<void*>(GetProcAddress(module, "DllGetClassObject")));
        ASSERT_NE(get_class_object, nullptr);
        EXPECT_NE(GetProcAddress(module, "DllCanUnloadNow"), nullptr);
        IClassFactory* factory = nullptr;
        ASSERT_EQ(get_class_object(entry.ProviderId, IID_IClassFactory, reinterpret_cast<void**>(&factory)), S_OK);
        IND2Provider* provider = nullptr;
        ASSERT_EQ(factory->CreateInstance(nullptr, IID_IND2Provider, reinterpret_cast<void**>(&provider)), S_OK);
        factory->Release();
        ULONG bytes = 0;
        EXPECT_EQ(provider->QueryAddressList(nullptr, &bytes), ND_BUFFER_OVERFLOW);
        sockaddr_in loopback{};
        loopback.sin_family = AF_INET;
        loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        UINT64 id = 0;
        EXPECT_EQ(provider->ResolveAddress(reinterpret_cast<sockaddr*>(&loopback), sizeof loopback, &id), ND_SUCCESS);
        IND2Adapter* adapter = nullptr;
        ASSERT_EQ(provider->OpenAdapter(IID_IND2Adapter, id, reinterpret_cast<void**>(&adapter)), ND_SUCCESS);
        adapter->Release();
        provider->Release();
        EXPECT_TRUE(FreeLibrary(module));
    }
}

TEST(Catalogue, ChangesAreWaitedForAtAPort) {
    HANDLE changes = nullptr;
    ASSERT_EQ(WSAProviderConfigChange(&changes, nullptr, nullptr), 0);
    HANDLE const port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    EXPECT_EQ(CreateIoCompletionPort(changes, port, 7, 0), port);
    OVERLAPPED overlapped{};
    EXPECT_EQ(WSAProviderConfigChange(&changes, &overlapped, nullptr), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSA_IO_PENDING);
    DWORD bytes = 0;
    ULONG_PTR key = 0;
    OVERLAPPED* done = nullptr;
    EXPECT_FALSE(GetQueuedCompletionStatus(port, &bytes, &key, &done, 0));
    EXPECT_EQ(GetLastError(), DWORD{WAIT_TIMEOUT});
    EXPECT_TRUE(CloseHandle(changes));
    EXPECT_EQ(WSAProviderConfigChange(&changes, &overlapped, nullptr), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEINVAL) << "it is closed";
    EXPECT_EQ(WSAProviderConfigChange(nullptr, nullptr, nullptr), SOCKET_ERROR);
    EXPECT_TRUE(CloseHandle(port));
}

}  // namespace
}  // namespace opennd::catalogue
