// SPDX-License-Identifier: MIT
// Copies between address spaces (here: our own and a child's).
#include "platform/memory/process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "support/kernel_limits.h"

namespace opennd {
namespace {

const std::size_t kPage = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));

// Anonymous pages; a test changes their protection one by one.
class Pages {
public:
    explicit Pages(std::size_t count)
        : bytes_(count * kPage),
          data_(static_cast<std::byte*>(
              ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
    ~Pages() { ::munmap(data_, bytes_); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    std::byte* page(std::size_t index) const { return data_ + index * kPage; }
    void protect(std::size_t index, int protection) const { ::mprotect(page(index), kPage, protection); }

private:
    std::size_t bytes_;
    std::byte* data_;
};

std::vector<iovec> cut(std::vector<std::byte>& bytes, std::size_t piece) {
    std::vector<iovec> list;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        list.push_back({bytes.data() + at, std::min(piece, bytes.size() - at)});
    return list;
}

std::vector<std::byte> counting(std::size_t bytes) {
    std::vector<std::byte> result(bytes);
    for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::byte>(i * 7 + i / 256);
    return result;
}

class ProcessMemory : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = support::copies_between_no_processes(); !reason.empty()) GTEST_SKIP() << reason;
    }
};

TEST_F(ProcessMemory, CopiesListsThatAreCutDifferently) {
    std::vector<std::byte> source = counting(100'000);
    std::vector<std::byte> destination(source.size());
    // Both lists are longer than IOV_MAX.
    ASSERT_EQ(read_process_memory(::getpid(), cut(destination, 13), cut(source, 64)), Status::success);
    EXPECT_EQ(destination, source);

    std::vector<std::byte> back(source.size());
    ASSERT_EQ(write_process_memory(::getpid(), cut(destination, 50), cut(back, 17)), Status::success);
    EXPECT_EQ(back, source);
}

TEST_F(ProcessMemory, SkipsEmptyEntries) {
    std::vector<std::byte> source = counting(10);
    std::vector<std::byte> destination(10);
    std::vector<iovec> local(300, iovec{nullptr, 0});
    local.push_back({destination.data(), 10});
    local.push_back({nullptr, 0});
    ASSERT_EQ(read_process_memory(::getpid(), local, cut(source, 10)), Status::success);
    EXPECT_EQ(destination, source);
}

TEST_F(ProcessMemory, CopyingNothingSucceeds) { EXPECT_EQ(read_process_memory(::getpid(), {}, {}), Status::success); }

TEST_F(ProcessMemory, RefusesListsOfDifferentLength) {
    std::vector<std::byte> source(10);
    std::vector<std::byte> destination(9);
    EXPECT_EQ(read_process_memory(::getpid(), cut(destination, 9), cut(source, 10)), Status::invalid_parameter);
}

TEST_F(ProcessMemory, ReportsAForbiddenPageInTheMiddle) {
    const Pages pages(3);
    pages.protect(1, PROT_NONE);
    std::vector<std::byte> destination(3 * kPage);
    const iovec remote{pages.page(0), 3 * kPage};
    EXPECT_EQ(read_process_memory(::getpid(), cut(destination, kPage), {&remote, 1}), Status::access_violation);
    EXPECT_EQ(write_process_memory(::getpid(), cut(destination, kPage), {&remote, 1}), Status::access_violation);
}

TEST_F(ProcessMemory, ReportsForbiddenLocalMemory) {
    const Pages pages(1);
    pages.protect(0, PROT_READ);
    std::vector<std::byte> source(16);
    const iovec local{pages.page(0), 16};
    EXPECT_EQ(read_process_memory(::getpid(), {&local, 1}, cut(source, 16)), Status::access_violation);
}

// A forked child has the same addresses with bytes of its own.
TEST_F(ProcessMemory, ReachesAnotherProcessAndNoticesItsEnd) {
    std::vector<std::byte> mine = counting(1000);
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        mine[0] = std::byte{99};
        [[maybe_unused]] const ssize_t told = ::write(ready[1], "r", 1);
        ::pause();
        ::_exit(0);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    std::vector<std::byte> seen(1000);
    EXPECT_EQ(read_process_memory(child, cut(seen, 1000), cut(mine, 1000)), Status::success);
    EXPECT_EQ(seen[0], std::byte{99});
    EXPECT_EQ(seen[1], mine[1]);

    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(read_process_memory(child, cut(seen, 1000), cut(mine, 1000)), Status::disconnected);
    ::close(ready[0]);
    ::close(ready[1]);
}

}  // namespace
}  // namespace opennd
