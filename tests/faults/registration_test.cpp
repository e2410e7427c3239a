// SPDX-License-Identifier: MIT
//
// Register asks the kernel for the memory, in each way that there is: of its areas; on a kernel that cannot be asked so (before Linux
// 6.11); without /proc. What a NIC could not hold is refused, by a cost that follows the region.
// Requirements ND2-MR-REG-01, ND2-MR-REG-07, ND2-GEN-02.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <opennd.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "faults/failing_calls.h"
#include "support/adapter.h"
#include "support/overlapped_request.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using support::is;
using support::proves;

enum class Kernel { tells_areas, before_6_11, without_proc };

std::string name_of_kernel(const testing::TestParamInfo<Kernel>& kernel) {
    constexpr const char* kNames[] = {"tells_areas", "before_6_11", "without_proc"};
    return kNames[static_cast<int>(kernel.param)];
}

const std::size_t kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
constexpr ULONG kAllRights =
    ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE;
constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;

class Mapping {
public:
    Mapping(std::size_t bytes, int flags, int file = -1, int protection = PROT_READ | PROT_WRITE)
        : bytes_(bytes), data_(static_cast<std::byte*>(mmap(nullptr, bytes, protection, flags, file, 0))) {}
    ~Mapping() { munmap(data_, bytes_); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    bool is_there() const { return data_ != MAP_FAILED; }
    std::byte* page(std::size_t index) const { return data_ + index * kPage; }
    std::size_t bytes() const { return bytes_; }

private:
    const std::size_t bytes_;
    std::byte* const data_;
};

// An adapter, and a kernel as the test wants it once that is open.
class Registrar {
public:
    explicit Registrar(Kernel kernel) {
        support::require(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
        if (kernel == Kernel::before_6_11) failing_.emplace("ioctl", ENOTTY);
        if (kernel == Kernel::without_proc) failing_.emplace("open", ENOENT);
    }
    ~Registrar() {
        failing_.reset();
        (void)opennd_handle_close(file_);
    }
    Registrar(const Registrar&) = delete;
    Registrar& operator=(const Registrar&) = delete;

    // The result of Register, which is undone.
    HRESULT result(const void* memory, std::size_t bytes, ULONG rights = kAllRights) {
        support::ComPtr<IND2MemoryRegion> region;
        support::require(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region.out()), ND_SUCCESS,
                         "CreateMemoryRegion");
        support::OverlappedRequest request, end;
        const HRESULT status =
            support::finish(region->Register(memory, bytes, rights, request.get()), request, region.get());
        if (status == ND_SUCCESS) (void)support::finish(region->Deregister(end.get()), end, region.get());
        return status;
    }
    HRESULT result(const Mapping& memory, ULONG rights = kAllRights) {
        return result(memory.page(0), memory.bytes(), rights);
    }

private:
    support::Startup startup_;
    support::ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    std::optional<FailingFunction> failing_;
};

class Registration : public testing::TestWithParam<Kernel> {
protected:
    Registrar registrar_{GetParam()};
};

TEST_P(Registration, TakesMemoryOfEveryKind) {
    proves("ND2-MR-REG-01", "ND2-GEN-02");
    static const int kConstant = 3;
    static int variable = 3;
    int local = 0;
    const Mapping shared(4 * kPage, MAP_SHARED | MAP_ANONYMOUS);
    const Mapping readable(4 * kPage, kPrivate, -1, PROT_READ);
    const auto heap = std::make_unique<std::byte[]>(10 << 20);
    EXPECT_TRUE(is(registrar_.result(&local, sizeof local), ND_SUCCESS));
    EXPECT_TRUE(is(registrar_.result(&variable, sizeof variable), ND_SUCCESS));
    EXPECT_TRUE(is(registrar_.result(heap.get(), 10 << 20), ND_SUCCESS));
    EXPECT_TRUE(is(registrar_.result(shared), ND_SUCCESS));
    EXPECT_TRUE(is(registrar_.result(readable, 0), ND_SUCCESS));
    EXPECT_TRUE(is(registrar_.result(&kConstant, sizeof kConstant, 0), ND_SUCCESS));
    EXPECT_TRUE(is(registrar_.result(&kConstant, sizeof kConstant), ND_ACCESS_VIOLATION));
}

TEST_P(Registration, RefusesAPageInTheMiddleThatIsGone) {
    proves("ND2-MR-REG-01");
    const Mapping memory(5 * kPage, kPrivate);
    ASSERT_TRUE(is(registrar_.result(memory), ND_SUCCESS));
    ASSERT_EQ(mprotect(memory.page(2), kPage, PROT_NONE), 0);
    EXPECT_TRUE(is(registrar_.result(memory), ND_ACCESS_VIOLATION));
    EXPECT_TRUE(is(registrar_.result(memory.page(0), 2 * kPage), ND_SUCCESS));
    EXPECT_TRUE(is(registrar_.result(memory.page(0), 2 * kPage + 1), ND_ACCESS_VIOLATION));
    ASSERT_EQ(munmap(memory.page(2), kPage), 0);
    EXPECT_TRUE(is(registrar_.result(memory, 0), ND_ACCESS_VIOLATION));
    EXPECT_TRUE(is(registrar_.result(memory.page(3), 2 * kPage), ND_SUCCESS));
    EXPECT_TRUE(is(registrar_.result(nullptr, kPage), ND_INVALID_PARAMETER));
}

TEST_P(Registration, RefusesAFileThatIsTooShort) {
    proves("ND2-MR-REG-01");
    const int file = memfd_create("short", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(3 * kPage)), 0);
    for (const int flags : {MAP_SHARED, MAP_PRIVATE}) {
        const Mapping memory(4 * kPage, flags, file);
        EXPECT_TRUE(is(registrar_.result(memory), ND_ACCESS_VIOLATION)) << flags;
        EXPECT_TRUE(is(registrar_.result(memory.page(0), 3 * kPage), ND_SUCCESS)) << flags;
    }
    close(file);
}

TEST_P(Registration, RefusesMemoryThatTheKernelKeepsFromOthers) {
    proves("ND2-MR-REG-01");
    const int file = static_cast<int>(syscall(SYS_memfd_secret, 0));
    if (file < 0) GTEST_SKIP() << "memfd_secret: " << std::strerror(errno);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(kPage)), 0);
    {
        const Mapping memory(kPage, MAP_SHARED, file);
        ASSERT_TRUE(memory.is_there());
        EXPECT_TRUE(is(registrar_.result(memory), ND_ACCESS_VIOLATION));
        EXPECT_TRUE(is(registrar_.result(memory, 0), ND_ACCESS_VIOLATION));
    }
    close(file);
}

// The vvar page: the kernel's clock, which it lets programs read and copies to nobody.
TEST_P(Registration, RefusesMemoryOfTheKernel) {
    proves("ND2-MR-REG-01");
    std::ifstream maps("/proc/self/maps");
    std::string line;
    while (std::getline(maps, line) && line.find("[vvar]") == std::string::npos) {
    }
    if (line.find("[vvar]") == std::string::npos) GTEST_SKIP() << "no vvar page";
    const auto* const page = reinterpret_cast<const void*>(std::stoull(line, nullptr, 16));
    EXPECT_TRUE(is(registrar_.result(page, 64, 0), ND_ACCESS_VIOLATION));
}

// A gigabyte of private memory that nobody has touched takes no memory by being registered.
TEST_P(Registration, CommitsNoPrivateMemory) {
    proves("ND2-MR-REG-07", "ND2-ADP-LIM-02");
    const Mapping memory(std::size_t{1} << 30, kPrivate | MAP_NORESERVE);
    const auto most_resident_kib = [] {
        rusage use{};
        getrusage(RUSAGE_SELF, &use);
        return use.ru_maxrss;
    };
    const long before = most_resident_kib();
    ASSERT_TRUE(is(registrar_.result(memory), ND_SUCCESS));
    EXPECT_LT(most_resident_kib() - before, 100 * 1024);
}

// What Register reads does not grow with the other mappings of the process: it reads no list of them.
TEST_P(Registration, ReadsNoListOfAllMappings) {
    proves("ND2-MR-REG-06");
    constexpr std::size_t kPages = 4000;
    const Mapping memory(kPages * kPage, kPrivate);
    for (std::size_t page = 0; page + 2 < kPages; page += 2)
        ASSERT_EQ(mprotect(memory.page(page), kPage, PROT_READ), 0);
    const auto octets_read = [] {
        std::ifstream file("/proc/self/io");
        std::string name;
        long octets = -1;
        file >> name >> octets;
        return octets;
    };
    const long before = octets_read();
    if (before < 0) GTEST_SKIP() << "/proc/self/io cannot be read";
    EXPECT_TRUE(is(registrar_.result(memory.page(kPages - 1), kPage), ND_SUCCESS));
    EXPECT_LT(octets_read() - before, 16 * 1024) << "of a list of some 100 KiB";
}

INSTANTIATE_TEST_SUITE_P(, Registration,
                         testing::Values(Kernel::tells_areas, Kernel::before_6_11, Kernel::without_proc),
                         name_of_kernel);

void put(const char* path, const std::string& text) {
    const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY));
    [[maybe_unused]] const ssize_t written = write(file, text.data(), text.size());
    close(file);
}

// Without rights in a namespace of users too, where this one is root.
bool enter_mount_namespace() {
    const std::string user = std::to_string(getuid()), group = std::to_string(getgid());
    if (unshare(CLONE_NEWNS) == 0) return true;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    put("/proc/self/setgroups", "deny");
    put("/proc/self/uid_map", "0 " + user + " 1");
    put("/proc/self/gid_map", "0 " + group + " 1");
    return true;
}

// 0: all is as it should be; otherwise the number of the step that is not. A file system of 64 KiB in namespaces of this child's own.
int steps_with_a_full_file_system(Kernel kernel) {
    if (!enter_mount_namespace()) return 100;
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", "/tmp", "tmpfs", 0, "size=64k") != 0)
        return 100;
    const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/tmp/sparse", O_RDWR | O_CREAT, 0600));
    if (file < 0 || ftruncate(file, 1 << 20) != 0) return 1;
    const Mapping memory(1 << 20, MAP_SHARED, file);
    if (!memory.is_there()) return 2;
    Registrar registrar(kernel);
    if (registrar.result(memory) != ND_ACCESS_VIOLATION) return 3;
    if (ftruncate(file, 0) != 0 || ftruncate(file, 32 << 10) != 0) return 4;
    return registrar.result(memory.page(0), 32 << 10) == ND_SUCCESS ? 0 : 5;
}

class FullFileSystem : public testing::TestWithParam<Kernel> {};

TEST_P(FullFileSystem, GivesNoMemoryToRegister) {
    proves("ND2-MR-REG-01", "ND2-MR-REG-07");
    if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer follows no child that starts threads";
    const pid_t child = fork();
    if (child == 0) _exit(steps_with_a_full_file_system(GetParam()));
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    if (WEXITSTATUS(status) == 100) GTEST_SKIP() << "no namespaces of its own for this user";
    EXPECT_EQ(WEXITSTATUS(status), 0) << "the step that is wrong";
}

INSTANTIATE_TEST_SUITE_P(, FullFileSystem,
                         testing::Values(Kernel::tells_areas, Kernel::before_6_11, Kernel::without_proc),
                         name_of_kernel);

}  // namespace
}  // namespace opennd::faults
