// SPDX-License-Identifier: MIT
//
// Providers of other vendors beside ours: listed, resolved, opened, unloaded, and passed over when they are broken.
// Requirements NDS-CAT-01, ND1-FW-05, -07, NDS-OPEN-02, NDS-START-03. The module is vendor/module.cpp.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <ndsupport.h>
#include <opennd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "process/child.h"
#include "process/provider_folder.h"
#include "support/adapter.h"
#include "support/requirement.h"
#include "support/status.h"

namespace opennd::process {
namespace {

using support::as_sockaddr;
using support::ComPtr;
using support::is;
using support::proves;
using vendor::Behaviour;

constexpr DWORD kOnly1 = ND_QUERY_EXCLUDE_NDv2_ADDRESSES;
constexpr DWORD kOnly2 = ND_QUERY_EXCLUDE_NDv1_ADDRESSES;

SocketAddress vendor_address(std::uint16_t port = 0) {
    SocketAddress address{};
    address.ipv4.sin_family = AF_INET;
    address.ipv4.sin_port = htons(port);
    address.ipv4.sin_addr.s_addr = htonl(vendor::kAddress);
    return address;
}

std::vector<std::string> listed(DWORD flags) {
    SIZE_T size = 0;
    EXPECT_TRUE(is(NdQueryAddressList(flags, nullptr, &size), ND_BUFFER_OVERFLOW));
    std::vector<unsigned char> buffer(size);
    auto* const list = reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data());
    EXPECT_TRUE(is(NdQueryAddressList(flags, list, &size), ND_SUCCESS));
    std::vector<std::string> texts;
    for (int i = 0; i < list->iAddressCount; ++i) {
        char text[INET6_ADDRSTRLEN] = "";
        const sockaddr* const entry = list->Address[i].lpSockaddr;
        if (entry->sa_family == AF_INET) {
            const auto* const four = reinterpret_cast<const sockaddr_in*>(entry);
            EXPECT_EQ(four->sin_port, 0);
            inet_ntop(AF_INET, &four->sin_addr, text, sizeof text);
        } else {
            inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(entry)->sin6_addr, text, sizeof text);
        }
        texts.emplace_back(text);
    }
    return texts;
}

using Texts = std::vector<std::string>;
const Texts kVendor{"192.0.2.77", "2001:db8::77"};

// The entries that `flags` list beyond ours, which come first.
Texts beyond(const Texts& ours, DWORD flags) {
    const Texts all = listed(flags);
    EXPECT_GE(all.size(), ours.size());
    EXPECT_TRUE(std::equal(ours.begin(), ours.end(), all.begin()));
    return {all.begin() + static_cast<std::ptrdiff_t>(ours.size()), all.end()};
}

HRESULT open(REFIID iid, void** adapter, const SocketAddress& address = vendor_address()) {
    return NdOpenAdapter(iid, as_sockaddr(address), sizeof address, adapter);
}

bool in_memory() {
    void* const module = dlopen(OPENND_VENDOR_MODULE, RTLD_NOW | RTLD_NOLOAD);
    if (module != nullptr) dlclose(module);
    return module != nullptr;
}

TEST(ForeignProvider, IsListedAfterOurs) {
    proves("NDS-CAT-01", "NDS-LIST-01");
    in_child([] {
        const ProviderFolder folder;
        support::Startup first;
        const Texts ours = listed(kOnly2);
        folder.add("b.conf", Behaviour::honest, 2);
        EXPECT_EQ(NdCleanup(), S_OK);
        EXPECT_EQ(NdStartup(), S_OK) << "which reads the folder again";
        EXPECT_EQ(beyond(ours, kOnly2), kVendor);
        EXPECT_EQ(listed(kOnly1), ours);
        Texts both = ours;
        both.insert(both.end(), kVendor.begin(), kVendor.end());
        both.insert(both.end(), ours.begin(), ours.end());
        EXPECT_EQ(listed(0), both);
    });
}

TEST(ForeignProvider, OpensItsAdaptersByEitherRoute) {
    proves("NDS-CAT-01", "ND1-FW-05", "NDS-OPEN-01");
    for (const Behaviour behaviour : {Behaviour::honest, Behaviour::direct_only, Behaviour::factory_only}) {
        in_child([&] {
            const ProviderFolder folder;
            folder.add("one.conf", behaviour, 1);
            folder.add("two.conf", behaviour, 2);
            support::Startup startup;
            const SocketAddress address = vendor_address(4711);
            EXPECT_TRUE(is(NdCheckAddress(as_sockaddr(address), sizeof address), ND_SUCCESS));
            for (const IID& iid : {IID_INDAdapter, IID_IND2Adapter, vendor::kVendorIid}) {
                ComPtr<IUnknown> adapter;
                ASSERT_TRUE(is(open(iid, adapter.out(), address), ND_SUCCESS));
                EXPECT_EQ(adapter.reset(), 0u);
            }
        });
    }
}

TEST(ForeignProvider, ServesOnlyItsVersion) {
    proves("ND1-FW-05");
    in_child([] {
        const ProviderFolder folder;
        folder.add("one.conf", Behaviour::honest, 1);
        support::Startup startup;
        ComPtr<IUnknown> adapter;
        EXPECT_TRUE(is(open(IID_IND2Adapter, adapter.out()), ND_INVALID_ADDRESS));
        EXPECT_TRUE(is(open(IID_INDAdapter, adapter.out()), ND_SUCCESS));
    });
}

// Ours are asked first; an interface that ours lack is looked for further on.
TEST(ForeignProvider, ComesAfterOursForOneAddress) {
    proves("NDS-OPEN-02");
    in_child([] {
        const ProviderFolder folder;
        folder.add("two.conf", Behaviour::serves_loopback, 2);
        support::Startup startup;
        const SocketAddress loopback = support::loopback_address();
        ComPtr<IND2Adapter> ours;
        ASSERT_TRUE(is(open(IID_IND2Adapter, ours.out(), loopback), ND_SUCCESS));
        ND2_ADAPTER_INFO info{};
        ULONG size = sizeof info;
        EXPECT_TRUE(is(ours->Query(&info, &size), ND_SUCCESS));
        ComPtr<IUnknown> theirs;
        opennd_last_error_clear();
        EXPECT_TRUE(is(open(vendor::kVendorIid, theirs.out(), loopback), ND_SUCCESS));
        opennd_error error{};
        error.bytes = sizeof error;
        ASSERT_EQ(opennd_last_error(&error), ND_SUCCESS);
        EXPECT_EQ(error.status, ND_SUCCESS) << error.object << ": " << error.asked;
    });
}

struct Broken {
    Behaviour behaviour;
    const char* says;  // expected in the log
    HRESULT at_open;   // the result of NdOpenAdapter
    bool lists;        // its addresses are listed all the same
};

const Broken kBroken[] = {
    {Behaviour::no_class, "gives no provider", ND_INVALID_ADDRESS, false},
    {Behaviour::null_class, "gives no provider", ND_INVALID_ADDRESS, false},
    {Behaviour::throws_at_class, "gives no provider", ND_INVALID_ADDRESS, false},
    {Behaviour::throws_at_list, "QueryAddressList threw", ND_INVALID_ADDRESS, false},
    {Behaviour::insatiable, "does not list", ND_INVALID_ADDRESS, false},
    {Behaviour::huge_list, "wants 4294967040 bytes", ND_INVALID_ADDRESS, false},
    {Behaviour::shrinking_list, "wants", ND_INVALID_ADDRESS, false},
    {Behaviour::wild_count, "out of its buffer", ND_INVALID_ADDRESS, false},
    {Behaviour::wild_pointer, "out of its buffer", ND_INVALID_ADDRESS, false},
    {Behaviour::negative_length, "out of its buffer", ND_INVALID_ADDRESS, false},
    {Behaviour::throws_at_open, "OpenAdapter threw", E_FAIL, true},
    {Behaviour::null_adapter, "", E_POINTER, true},
    {Behaviour::refuses_to_open, "", ND_NO_MEMORY, true},
};

TEST(ForeignProvider, CostsALogLineWhenItIsBroken) {
    proves("ND1-FW-07", "NDS-OPEN-02");
    for (const Broken& broken : kBroken) {
        SCOPED_TRACE(static_cast<int>(broken.behaviour));
        in_child([&] {
            const ProviderFolder folder;
            folder.add("1.conf", broken.behaviour, 1);
            folder.add("2.conf", broken.behaviour, 2);
            LogLines log;
            support::Startup startup;
            for (const auto& [iid, flags] : {std::pair{IID_INDAdapter, kOnly1}, {IID_IND2Adapter, kOnly2}}) {
                const Texts all = listed(flags);
                EXPECT_EQ(std::count(all.begin(), all.end(), kVendor[0]), broken.lists ? 1 : 0);
                void* adapter = &adapter;
                EXPECT_TRUE(is(open(iid, &adapter), broken.at_open));
                EXPECT_EQ(adapter, nullptr);
            }
            const Texts lines = log.take();
            EXPECT_TRUE(
                std::any_of(lines.begin(), lines.end(),
                            [&](const std::string& line) { return line.find(broken.says) != std::string::npos; }) ||
                *broken.says == '\0');
            support::open_loopback_adapter();
        });
    }
}

TEST(ForeignProvider, ThatThrowsAtResolveDoesNotHaveTheAddress) {
    proves("NDS-OPEN-02");
    in_child([] {
        const ProviderFolder folder;
        folder.add("1.conf", Behaviour::throws_at_resolve, 2);
        folder.add("2.conf", Behaviour::honest, 2);
        LogLines log;
        support::Startup startup;
        ComPtr<IUnknown> adapter;
        EXPECT_TRUE(is(open(IID_IND2Adapter, adapter.out()), ND_SUCCESS)) << "the next one is asked";
    });
}

TEST(ForeignProvider, IsPassedOverWhenItsModuleCannotBeLoaded) {
    proves("ND1-FW-07", "NDS-OPEN-02");
    in_child([] {
        const ProviderFolder folder;
        folder.write("text.so", "this is no shared object\n");
        const std::string rest = "class = {0BADCAFE-1234-5678-0102-030405060700}\nversion = 2\n";
        folder.write("1.conf", "name = missing\nmodule = " + folder.path("missing.so") + "\n" + rest);
        folder.write("2.conf", "name = text\nmodule = " + folder.path("text.so") + "\n" + rest);
        folder.write("3.conf", "name = other\nmodule = " OPENND_OTHER_MODULE "\n" + rest);
        folder.add("4.conf", Behaviour::honest, 2);
        LogLines log;
        support::Startup startup;
        const Texts all = listed(kOnly2);
        EXPECT_EQ(std::count(all.begin(), all.end(), kVendor[0]), 1);
        EXPECT_EQ(log.take().size(), 3u) << "one line each";
        listed(kOnly2);
        EXPECT_EQ(log.take().size(), 0u) << "and not again";
    });
}

TEST(ForeignProvider, FilesThatAreWrongAreLeftOut) {
    in_child([] {
        const ProviderFolder folder;
        folder.write("1.conf", "module = relative.so\n");
        folder.write("2.conf", "name = no class\nmodule = /x.so\nversion = 2\n");
        folder.write("3.conf", "colour = blue\n");
        folder.write("4.conf", "name\n");
        folder.write("5.conf", "class = {0BADCAFE}\n");
        folder.write("6.conf", "version = 3\n");
        folder.write("7.conf", std::string(100000, '#'));
        folder.write("readme", "name\n");
        folder.add("8.conf", Behaviour::honest, 2);
        LogLines log;
        support::Startup startup;
        EXPECT_EQ(log.take().size(), 7u);
        const Texts all = listed(kOnly2);
        EXPECT_EQ(std::count(all.begin(), all.end(), kVendor[0]), 1);
    });
}

TEST(ForeignProvider, ThatSomebodyElseMayWriteIsPassedOver) {
    in_child([] {
        const ProviderFolder folder;
        folder.add("a.conf", Behaviour::honest, 2);
        folder.add("b.conf", Behaviour::honest, 2);
        std::filesystem::permissions(folder.path("a.conf"), std::filesystem::perms::others_write,
                                     std::filesystem::perm_options::add);
        LogLines log;
        ULONG count = 0;
        EXPECT_TRUE(is(opennd_provider_list(nullptr, 0, &count), ND_BUFFER_OVERFLOW));
        EXPECT_EQ(count, 3u) << "ours of both versions, and b.conf";
        const std::vector<std::string> lines = log.take();
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_NE(lines[0].find("everybody may write to " + folder.path("a.conf")), std::string::npos) << lines[0];
    });
}

TEST(ForeignProvider, IsUnloadedWhenItIsIdle) {
    proves("NDS-START-03");
    in_child([] {
        const ProviderFolder folder;
        folder.add("1.conf", Behaviour::honest, 2);
        support::Startup startup;
        EXPECT_FALSE(in_memory()) << "not before it is needed";
        listed(0);
        EXPECT_TRUE(in_memory());
        NdFlushProviders();
        EXPECT_FALSE(in_memory());
        ComPtr<IUnknown> adapter;
        ASSERT_TRUE(is(open(IID_IND2Adapter, adapter.out()), ND_SUCCESS));
        NdFlushProviders();
        EXPECT_TRUE(in_memory());
        EXPECT_EQ(adapter.reset(), 0u);
        NdFlushProviders();
        EXPECT_TRUE(in_memory()) << "code that an adapter came from stays";
    });
}

TEST(ForeignProvider, StaysWhenItSaysSo) {
    proves("NDS-START-03");
    in_child([] {
        const ProviderFolder folder;
        folder.add("1.conf", Behaviour::never_idle, 2);
        support::Startup startup;
        listed(0);
        NdFlushProviders();
        EXPECT_TRUE(in_memory());
    });
}

TEST(ForeignProvider, StandsInTheCatalogAfterOurs) {
    proves("NDS-CAT-01");
    in_child([] {
        const ProviderFolder folder;
        folder.add("b.conf", Behaviour::honest, 2);
        folder.add("a.conf", Behaviour::honest, 1);
        ULONG count = 0;
        EXPECT_TRUE(is(opennd_provider_list(nullptr, 0, &count), ND_BUFFER_OVERFLOW));
        ASSERT_EQ(count, 4u);
        std::vector<opennd_provider> entries(count);
        EXPECT_TRUE(is(opennd_provider_list(entries.data(), 3, &count), ND_BUFFER_OVERFLOW));
        ASSERT_TRUE(is(opennd_provider_list(entries.data(), 4, &count), ND_SUCCESS));
        EXPECT_EQ(entries[0].class_id, CLSID_OpenNDProvider);
        EXPECT_EQ(entries[0].version, ULONG{ND_VERSION_2});
        EXPECT_EQ(entries[1].class_id, CLSID_OpenNDProviderV1);
        EXPECT_EQ(entries[1].version, ULONG{ND_VERSION_1});
        EXPECT_STREQ(entries[2].name, "Vendor a.conf");
        EXPECT_EQ(entries[2].version, ULONG{ND_VERSION_1});
        EXPECT_EQ(entries[3].class_id, vendor::class_id(Behaviour::honest));
        EXPECT_STREQ(entries[3].module, OPENND_VENDOR_MODULE);
        // Ours are this library, which the loader finds there.
        void* const module = dlopen(entries[0].module, RTLD_NOW | RTLD_NOLOAD);
        ASSERT_NE(module, nullptr) << entries[0].module;
        EXPECT_EQ(dlsym(module, "DllGetClassObject"), reinterpret_cast<void*>(&DllGetClassObject));
        EXPECT_TRUE(is(opennd_provider_list(entries.data(), 4, nullptr), ND_INVALID_PARAMETER));
    });
}

// ND2-PRV-02: whichever of our entries a program finds, it gets both versions there.
TEST(Catalog, EitherClassOfOursGivesBothVersions) {
    proves("ND2-PRV-02", "NDS-CAT-01");
    for (const CLSID& id : {CLSID_OpenNDProvider, CLSID_OpenNDProviderV1}) {
        ComPtr<IClassFactory> factory;
        ASSERT_TRUE(is(DllGetClassObject(id, IID_IClassFactory, factory.out()), S_OK));
        ComPtr<INDProvider> one;
        EXPECT_TRUE(is(factory->CreateInstance(nullptr, IID_INDProvider, one.out()), S_OK));
        ComPtr<IND2Provider> two;
        EXPECT_TRUE(is(factory->CreateInstance(nullptr, IID_IND2Provider, two.out()), S_OK));
        EXPECT_TRUE(is(DllGetClassObject(id, IID_IND2Provider, two.out()), S_OK));
    }
}

}  // namespace
}  // namespace opennd::process
