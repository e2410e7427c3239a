// SPDX-License-Identifier: MIT
//
// The helper functions in a program that has the library inside: they find their provider without a catalog and without
// a module to load. Requirement NDS-OPEN-05.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <ndsupport.h>

#include "support/com_ptr.h"
#include "support/requirement.h"

namespace opennd::process {
namespace {

TEST(StaticLibrary, OpensAnAdapterWithoutAModule) {
    support::proves("NDS-OPEN-05");
    ASSERT_EQ(NdStartup(), S_OK);
    sockaddr_in loopback{};
    loopback.sin_family = AF_INET;
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* const address = reinterpret_cast<const sockaddr*>(&loopback);
    EXPECT_EQ(NdCheckAddress(address, sizeof loopback), ND_SUCCESS);
    support::ComPtr<IND2Adapter> adapter;
    ASSERT_EQ(NdOpenAdapter(IID_IND2Adapter, address, sizeof loopback, adapter.out()), ND_SUCCESS);
    EXPECT_EQ(dlopen("libopennd.so." OPENND_SOVERSION, RTLD_NOW | RTLD_NOLOAD), nullptr) << "no module was loaded";
    EXPECT_EQ(adapter.reset(), 0u);
    EXPECT_EQ(NdCleanup(), S_OK);
}

}  // namespace
}  // namespace opennd::process
