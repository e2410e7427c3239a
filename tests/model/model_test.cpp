// SPDX-License-Identifier: MIT
//
// The short run: programs of fixed seeds and of a fresh one, which is printed.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "model/campaign.h"
#include "model/program/generator.h"
#include "support/requirement.h"

namespace opennd::modeled {

void PrintTo(const Setting& variant, std::ostream* out) { *out << name_of(variant); }

namespace {

using support::proves;

class Model : public testing::TestWithParam<Setting> {};

TEST_P(Model, PromisesWhatTheLibraryKeeps) {
    proves("ND2-QP-ERR-01", "ND2-QP-ERR-02", "ND2-QP-FLUSH-01", "ND2-QP-FLUSH-05", "ND2-QP-POST-11", "NDK-QP-FLUSH-03",
           "NDK-QP-COMP-01", "NDK-QP-COMP-05", "ND1-EP-GEN-10", "ND1-EP-GEN-13", "ND2-CQ-GET-04", "ND2-MR-DEREG-02",
           "ND2-MR-DEREG-03", "ND2-QP-INV-03", "ND2-QP-RECV-03", "ND2-QP-SEND-01", "ND2-QP-SEND-04");
    constexpr std::uint64_t kFixed = 1, kPrograms = 15;
    const std::uint64_t fresh = std::random_device{}();
    std::cout << "fresh seeds begin with " << fresh << '\n';
    Campaign campaign(std::chrono::seconds(20));
    for (const std::uint64_t first : {kFixed, fresh})
        for (std::uint64_t seed = first; seed < first + kPrograms; ++seed)
            ASSERT_TRUE(campaign.play(generate(seed, GetParam()))) << campaign.report();
    std::cout << campaign.totals() << '\n';
}

std::string variant_name(const testing::TestParamInfo<Setting>& info) { return name_of(info.param); }

INSTANTIATE_TEST_SUITE_P(, Model, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::modeled
