// SPDX-License-Identifier: MIT
// Zeroed memory that becomes real where it is touched, also in a process that has freed much before.
#include "platform/memory/lazy_array.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

constexpr std::size_t kPage = 4096;

bool all_zero(const LazyArray<char>& memory, std::size_t bytes) {
    return std::all_of(memory.get(), memory.get() + bytes, [](char byte) { return byte == 0; });
}

TEST(LazyArray, IsZeroAndWritableAtEverySize) {
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{65535}, std::size_t{65536}, std::size_t{1} << 20}) {
        for (int again = 0; again < 3; ++again) {
            const LazyArray<char> memory = lazily_committed<char>(bytes);
            ASSERT_NE(memory.get(), nullptr);
            EXPECT_TRUE(all_zero(memory, bytes)) << bytes;
            std::fill_n(memory.get(), bytes, '\xa5');
        }
    }
}

TEST(LazyArray, TakesNoPagesBeforeTheyAreTouchedThoughMuchWasFreed) {
    proves("ND2-ADP-LIM-02");
    constexpr std::size_t kBytes = std::size_t{64} * 1024 * 1024;
    {
        std::vector<LazyArray<char>> used;
        for (std::size_t bytes = kPage; bytes <= kBytes; bytes *= 2) {
            used.push_back(lazily_committed<char>(bytes));
            std::fill_n(used.back().get(), bytes, 'x');
        }
    }
    const LazyArray<char> memory = lazily_committed<char>(kBytes);
    memory[kBytes / 2] = 'x';
    auto* const first =
        reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(memory.get()) + kPage - 1) / kPage * kPage);
    std::vector<unsigned char> real(kBytes / kPage - 1);
    ASSERT_EQ(mincore(first, real.size() * kPage, real.data()), 0);
    const auto pages = std::count_if(real.begin(), real.end(), [](unsigned char page) { return (page & 1) != 0; });
    EXPECT_GE(pages, 1);
    EXPECT_LE(pages, 512) << "one page, or one huge page";
}

TEST(LazyArray, RefusesWhatNoAddressSpaceHolds) {
    EXPECT_THROW((void)lazily_committed<std::uint64_t>(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
    EXPECT_THROW((void)lazily_committed<char>(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
}

}  // namespace
}  // namespace opennd
