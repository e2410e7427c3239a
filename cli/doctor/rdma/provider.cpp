// SPDX-License-Identifier: MIT
//
// The tables of providers in docs/verbs.md, as rows that a device is compared with. Read rdma.h first.
#include "doctor/rdma/rdma.h"

#include "info/adapters.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace nd {
namespace {

using nlohmann::ordered_json;

enum class Has { no, yes, either };

struct Provider {
    std::string_view driver;
    std::string_view technologies;
    Has windows, shared_receives, moderation, ece;
    Has one_entry_of_a_read;
};

constexpr std::array kProviders{
    Provider{"mlx5", "InfiniBand, RoCE", Has::yes, Has::yes, Has::yes, Has::yes, Has::no},
    Provider{"mlx4", "InfiniBand, RoCE", Has::yes, Has::yes, Has::yes, Has::no, Has::no},
    Provider{"irdma", "iWARP, RoCE", Has::yes, Has::either, Has::no, Has::no, Has::either},
    Provider{"bnxt_re", "RoCE", Has::no, Has::yes, Has::no, Has::no, Has::no},
    Provider{"cxgb4", "iWARP", Has::no, Has::yes, Has::no, Has::no, Has::yes},
    Provider{"qedr", "iWARP, RoCE", Has::no, Has::yes, Has::no, Has::no, Has::no},
    Provider{"hns", "RoCE", Has::no, Has::yes, Has::yes, Has::no, Has::no},
    Provider{"ionic", "RoCE", Has::yes, Has::no, Has::no, Has::no, Has::no},
    Provider{"mana", "RoCE", Has::no, Has::no, Has::no, Has::no, Has::no},
    Provider{"erdma", "iWARP", Has::no, Has::no, Has::no, Has::no, Has::no},
    Provider{"rxe", "RoCE", Has::yes, Has::yes, Has::no, Has::no, Has::no},
    Provider{"siw", "iWARP", Has::no, Has::yes, Has::no, Has::no, Has::yes},
};

class Comparison {
public:
    void add(const char* ability, Has expected, bool found) {
        if (expected == Has::either || found == (expected == Has::yes)) return;
        add(std::string(found ? "has " : "has no ") + ability);
    }
    void add(const std::string& difference) { text_ += (text_.empty() ? "" : "; ") + difference; }

    const std::string& differences() const { return text_; }

private:
    std::string text_;
};

bool has_one_entry_of_a_read(const ordered_json& device) {
    return std::ranges::any_of(device["limits"], [](const ordered_json& limit) {
        return text_of(limit, "name") == "max_sge_rd" && limit["used"] == 1;
    });
}

}  // namespace

Finding check_provider(const ordered_json& device) {
    const std::string driver = text_of(device, "driver"), technology = text_of(device, "technology");
    const char* const report = "report it with this output: docs/verbs.md";
    const auto row = std::ranges::find(kProviders, driver, &Provider::driver);
    if (row == kProviders.end())
        return {Verdict::note, "provider", driver.empty() ? "unknown" : driver,
                "the table of providers has no row of it", report};
    Comparison comparison;
    if (row->technologies.find(technology.substr(0, technology.find(' '))) == std::string_view::npos)
        comparison.add("is of " + technology + ", not of " + std::string(row->technologies));
    comparison.add("memory windows", row->windows, device["has_windows"].get<bool>());
    comparison.add("shared receive queues", row->shared_receives, device["has_shared_receives"].get<bool>());
    comparison.add("moderation of interrupts", row->moderation, device["moderates_interrupts"].get<bool>());
    comparison.add("ECE", row->ece, device["exchanges_ece"].get<bool>());
    comparison.add("Reads of one entry alone", row->one_entry_of_a_read, has_one_entry_of_a_read(device));
    if (comparison.differences().empty()) return {Verdict::good, "provider", driver + ", as its sources say"};
    return {Verdict::note, "provider", driver + " " + comparison.differences(),
            "its sources say otherwise, as docs/verbs.md has them", report};
}

}  // namespace nd
