// SPDX-License-Identifier: MIT
//
// The library loaded and unloaded by a program that does not link it. Requirements ND2-PRV-01, ND2-PRV-03.
#define INITGUID
#include <dlfcn.h>
#include <opennd.h>

#include "process/child.h"
#include "support/com_ptr.h"
#include "support/requirement.h"

namespace opennd::process {
namespace {

using support::ComPtr;
using support::proves;

class Module {
public:
    Module() : library_(dlopen(OPENND_LIBRARY, RTLD_NOW | RTLD_LOCAL)) {
        if (library_ == nullptr) ADD_FAILURE() << dlerror();
    }

    template <typename Function>
    Function* find(const char* name) const {
        void* const found = dlsym(library_, name);
        EXPECT_NE(found, nullptr) << name;
        return reinterpret_cast<Function*>(found);
    }

    void unload() { EXPECT_EQ(dlclose(library_), 0) << dlerror(); }
    static bool in_memory() { return dlopen(OPENND_LIBRARY, RTLD_NOW | RTLD_NOLOAD) != nullptr; }

private:
    void* library_;
};

TEST(Module, MayBeUnloadedBeforeItIsUsed) {
    proves("ND2-PRV-03");
    in_child([] {
        const Module module;
        auto* const can_unload = module.find<decltype(DllCanUnloadNow)>("DllCanUnloadNow");
        EXPECT_EQ(can_unload(), S_OK);
        ComPtr<IClassFactory> factory;
        auto* const get_class = module.find<decltype(DllGetClassObject)>("DllGetClassObject");
        ASSERT_EQ(get_class(CLSID_OpenNDProvider, IID_IClassFactory, factory.out()), S_OK);
        EXPECT_EQ(can_unload(), S_FALSE);
    });
}

TEST(Module, StaysInMemoryWithItsThreads) {
    proves("ND2-PRV-03", "ND2-PRV-01");
    in_child([] {
        Module module;
        auto* const can_unload = module.find<decltype(DllCanUnloadNow)>("DllCanUnloadNow");
        auto* const get_class = module.find<decltype(DllGetClassObject)>("DllGetClassObject");
        {
            ComPtr<IND2Provider> provider;
            ASSERT_EQ(get_class(CLSID_OpenNDProvider, IID_IND2Provider, provider.out()), S_OK);
            sockaddr_in loopback{};
            loopback.sin_family = AF_INET;
            loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            UINT64 id = 0;
            ASSERT_EQ(provider->ResolveAddress(reinterpret_cast<sockaddr*>(&loopback), sizeof loopback, &id),
                      ND_SUCCESS);
            ComPtr<IND2Adapter> adapter;
            ASSERT_EQ(provider->OpenAdapter(IID_IND2Adapter, id, adapter.out()), ND_SUCCESS);
        }
        EXPECT_EQ(can_unload(), S_FALSE);
        module.unload();
        ASSERT_TRUE(Module::in_memory()) << "its service thread runs in code that is gone";
        EXPECT_EQ(can_unload(), S_FALSE);
    });
}

}  // namespace
}  // namespace opennd::process
