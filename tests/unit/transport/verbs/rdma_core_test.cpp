// SPDX-License-Identifier: MIT
// rdma-core as it is installed, if it is.
#include "transport/verbs/device/rdma_core.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/process/shared_object.h"

namespace opennd::verbs {
namespace {

// A table of functions has nothing but their addresses.
template <typename Functions>
std::vector<const void*> addresses_of(const Functions& functions) {
    static_assert(sizeof functions % sizeof(void*) == 0);
    std::vector<const void*> all(sizeof functions / sizeof(void*));
    std::memcpy(all.data(), &functions, sizeof functions);
    return all;
}

TEST(InstalledRdmaCore, HasEachFunction) {
    std::string reason;
    for (const char* const library : {"libibverbs.so.1", "librdmacm.so.1"})
        if (!SharedObject::load(library, reason)) GTEST_SKIP() << library << ": " << reason;
    const std::optional<RdmaCore> core = load_rdma_core(reason);
    ASSERT_TRUE(core) << reason;
    for (const auto& addresses : {addresses_of(core->ibv), addresses_of(core->rdma)})
        for (std::size_t place = 0; place < addresses.size(); ++place) EXPECT_NE(addresses[place], nullptr) << place;
}

}  // namespace
}  // namespace opennd::verbs
