// SPDX-License-Identifier: MIT
// Every Status is in the table, with the name of its enumerator, and each of its numbers has a name.
#include "base/status.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "base/status_names.h"
#include "base/status_table.h"

namespace opennd {
namespace {

TEST(Status, EveryOneHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (int value = 0; value <= static_cast<int>(kLastStatus); ++value) {
        const std::string_view text = name(static_cast<Status>(value));
        EXPECT_FALSE(text.empty()) << value;
        for (const char letter : text) EXPECT_TRUE(std::islower(letter) || letter == '_') << text;
        names.insert(text);
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(kLastStatus) + 1);
}

// The name as the enum spells it, or "(Status)200" for a number that it does not have.
template <Status kStatus>
constexpr std::string_view enumerator() {
    std::string_view text = __PRETTY_FUNCTION__;
    text = text.substr(text.find("kStatus = ") + std::string_view("kStatus = ").size());
    text = text.substr(0, text.find_first_of(";]"));
    return text.front() == '(' ? text : text.substr(text.rfind(':') + 1);
}

constexpr auto kNumberAfterTheLast = static_cast<Status>(static_cast<int>(kLastStatus) + 1);
static_assert(enumerator<kLastStatus>().front() != '(', "kLastStatus is in the enum");
static_assert(enumerator<kNumberAfterTheLast>().front() == '(',
              "kLastStatus is the last one: without that the table lacks a row");

template <std::size_t... kValues>
constexpr std::array<std::string_view, sizeof...(kValues)> enumerators(std::index_sequence<kValues...>) {
    return {enumerator<static_cast<Status>(kValues)>()...};
}

TEST(Status, IsSpelledAsInTheEnum) {
    constexpr auto kNames = enumerators(std::make_index_sequence<static_cast<std::size_t>(kLastStatus) + 1>());
    for (std::size_t value = 0; value < kNames.size(); ++value)
        EXPECT_EQ(name(static_cast<Status>(value)), kNames[value]);
}

TEST(Status, HasNumbersThatHaveNames) {
    for (const StatusRow& row : status_table()) {
        SCOPED_TRACE(row.name);
        EXPECT_STRNE(status_name(row.nd2), "unknown status");
        EXPECT_STRNE(status_name(row.nd1), "unknown status");
        EXPECT_TRUE(row.ndk == STATUS_SUCCESS || *ndk_status_name(row.ndk) != '\0');
    }
}

TEST(Status, OnlySuccessIsOk) {
    for (int value = 0; value <= static_cast<int>(kLastStatus); ++value)
        EXPECT_EQ(ok(static_cast<Status>(value)), value == static_cast<int>(Status::success));
}

}  // namespace
}  // namespace opennd
