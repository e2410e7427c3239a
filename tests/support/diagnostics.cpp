// SPDX-License-Identifier: MIT
//
// See diagnostics.h.
#include "support/diagnostics.h"

#include <cstring>
#include <memory>
#include <optional>

namespace opennd::support {
namespace {

bool announces(const testing::TestInfo& test, const std::string& rule) {
    const testing::TestResult& result = *test.result();
    for (int i = 0; i < result.test_property_count(); ++i) {
        const testing::TestProperty& property = result.GetTestProperty(i);
        if (std::strcmp(property.key(), "provokes") == 0 &&
            (' ' + std::string(property.value()) + ' ').find(' ' + rule + ' ') != std::string::npos)
            return true;
    }
    return false;
}

class Gate final : public testing::EmptyTestEventListener {
public:
    void OnTestStart(const testing::TestInfo&) override { told_.emplace(); }
    void OnTestEnd(const testing::TestInfo& test) override {
        for (const Diagnostics::Told& each : told_->all())
            if (!each.note && !announces(test, each.rule))
                ADD_FAILURE() << each.rule << ": " << each.object << ": " << each.fact << "; " << each.site;
        told_.reset();
    }

private:
    std::optional<Diagnostics> told_;
};

}  // namespace

std::vector<Diagnostics::Told> Diagnostics::all() const {
    const std::lock_guard lock(mutex_);
    return told_;
}

std::vector<Diagnostics::Told> Diagnostics::of(std::string_view rule) const {
    std::vector<Told> found;
    for (const Told& each : all())
        if (each.rule == rule) found.push_back(each);
    return found;
}

void Diagnostics::keep(void* self, const opennd_diagnostic* diagnostic) {
    auto* const diagnostics = static_cast<Diagnostics*>(self);
    const std::lock_guard lock(diagnostics->mutex_);
    diagnostics->told_.push_back({diagnostic->rule, diagnostic->object, diagnostic->fact, diagnostic->remedy,
                                  diagnostic->site, diagnostic->note != 0});
}

void fail_tests_by_diagnostics() { testing::UnitTest::GetInstance()->listeners().Append(new Gate); }

}  // namespace opennd::support
