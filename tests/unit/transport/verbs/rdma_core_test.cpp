// SPDX-License-Identifier: MIT
// rdma-core as it is installed, if it is.
#include "transport/verbs/device/rdma_core.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
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

// A folder of its own.
class DeviceFolder {
public:
    DeviceFolder() { EXPECT_NE(::mkdtemp(path_.data()), nullptr); }
    ~DeviceFolder() { std::filesystem::remove_all(path_); }
    const char* path() const { return path_.c_str(); }
    void add(const char* name) const { std::ofstream(path_ + "/" + name) << "x"; }

private:
    std::string path_ = testing::TempDir() + "opennd-XXXXXX";
};

// Containers may have the files of devices without /sys, or the other way round.
TEST(RdmaDevices, ShowInEitherFolder) {
    const DeviceFolder classes, files;
    EXPECT_FALSE(has_rdma_device({"/no/such/folder", "/no/such/folder"}));
    files.add("rdma_cm");  // of a kernel module, without a device
    EXPECT_FALSE(has_rdma_device({classes.path(), files.path()}));
    files.add("uverbs0");
    EXPECT_TRUE(has_rdma_device({"/no/such/folder", files.path()}));
    classes.add("mlx5_0");
    EXPECT_TRUE(has_rdma_device({classes.path(), "/no/such/folder"}));
}

// A module with the names that rdma-core 25 has, of those that OpenND asks for.
TEST(RdmaCore25, HasEachFunctionThatOpenNDCannotDoWithout) {
    std::string reason;
    const std::optional<RdmaCore> core = load_rdma_core(reason, {OPENND_RDMA_CORE_25, OPENND_RDMA_CORE_25});
    ASSERT_TRUE(core) << reason;
    EXPECT_EQ(core->ibv.query_gid_ex, nullptr);
    EXPECT_EQ(core->ibv.is_fork_initialized, nullptr);
    EXPECT_NE(core->ibv.reg_mr_iova, nullptr);
    EXPECT_NE(core->rdma.establish, nullptr);
}

TEST(OlderRdmaCore, IsRefusedWithTheVersionThatIsNeeded) {
    std::string reason;
    EXPECT_FALSE(load_rdma_core(reason, {"libc.so.6", OPENND_RDMA_CORE_25}));
    EXPECT_NE(reason.find("libc.so.6: it has no ibv_get_device_name; "), std::string::npos) << reason;
    EXPECT_NE(reason.find("update rdma-core to version 25 or later"), std::string::npos) << reason;
    EXPECT_EQ(reason.find("install"), std::string::npos) << "it is installed";
}

TEST(OlderRdmaCore, IsToBeInstalledWhereItIsMissing) {
    std::string reason;
    EXPECT_FALSE(load_rdma_core(reason, {"libopennd-no-such-library.so", OPENND_RDMA_CORE_25}));
    EXPECT_NE(reason.find("install rdma-core, libibverbs1, librdmacm1 and ibverbs-providers"), std::string::npos)
        << reason;
}

}  // namespace
}  // namespace opennd::verbs
