// SPDX-License-Identifier: MIT
// See profile_file.h.
#include "library/profile/profile_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/format.h"
#include "library/json/json.h"
#include "library/settings/misspelt_names.h"

namespace opennd {
namespace {

template <typename Row>
const Row* find_row(std::span<const Row> rows, std::string_view name) {
    for (const Row& row : rows)
        if (row.name == name) return &row;
    return nullptr;
}

template <typename Row>
std::string no_such(std::string_view kind, std::string_view name, std::span<const Row> rows) {
    std::vector<std::string_view> names;
    for (const Row& row : rows) names.push_back(row.name);
    const std::string_view nearest = nearest_name(name, names);
    return nearest.empty() ? format("{} is no {}", name, kind) : format("{} is no {}; {} is one", name, kind, nearest);
}

// Reads one file. The first fault stays.
class Reader {
public:
    Reader(std::string_view origin, std::string& fault) : origin_(origin), fault_(fault) {}

    ProfileFile read(std::string_view text) {
        ProfileFile file;
        const ordered_json whole = ordered_json::parse(text.begin(), text.end(), nullptr, false, true);
        if (!whole.is_object()) return fail("it is no JSON object"), file;
        for (const auto& [key, value] : whole.items()) read_member(key, value, file);
        if (file.name.empty()) fail("it has no name");
        if (file.title.empty()) fail("it has no title");
        return file;
    }

private:
    void fail(std::string_view what) {
        if (fault_.empty()) fault_ = format("{}: {}", origin_, what);
    }

    std::string text_of(const ordered_json& object, std::string_view key, std::string_view where) {
        const auto found = object.is_object() ? object.find(key) : object.end();
        if (!object.is_object() || found == object.end() || !found->is_string() ||
            found->get_ref<const std::string&>().empty())
            return fail(format("{} needs a text \"{}\"", where, key)), std::string();
        return found->get<std::string>();
    }

    void read_member(const std::string& key, const ordered_json& value, ProfileFile& file) {
        if (key == "name" || key == "title") {
            if (!value.is_string()) return fail(format("{} is no text", key));
            (key == "name" ? file.name : file.title) = value.get<std::string>();
        } else if (key == "technology") {
            read_technology(value, file);
        } else if (key == "limits" && value.is_object()) {
            for (const auto& [name, limit] : value.items()) read_limit(name, limit, file);
        } else if (key == "quirks" && value.is_object()) {
            for (const auto& [name, quirk] : value.items()) read_quirk(name, quirk, file);
        } else if (key == "not_imitated" && value.is_array()) {
            for (const ordered_json& each : value)
                file.not_imitated.push_back({text_of(each, "what", key), text_of(each, "source", key)});
        } else {
            fail(format("{}: name, title, technology, limits, quirks and not_imitated are known", key));
        }
    }

    void read_technology(const ordered_json& value, ProfileFile& file) {
        const std::string word = text_of(value, "value", "technology");
        file.technology_source = text_of(value, "source", "technology");
        const Technology* const found = find_technology(word);
        if (!found) return fail(format("technology {}: expected iwarp, infiniband, roce or roce_v2", word));
        file.technology = *found;
    }

    void read_limit(const std::string& name, const ordered_json& limit, ProfileFile& file) {
        const LimitRow* const row = find_row(limit_rows(), name);
        if (!row) return fail(no_such("limit", name, limit_rows()));
        const std::string source = text_of(limit, "source", name);
        const auto value = limit.is_object() ? limit.find("value") : limit.end();
        if (!limit.is_object() || value == limit.end() || !value->is_number_unsigned())
            return fail(format("{} needs a \"value\", a number that is not negative", name));
        if (value->get<std::uint64_t>() < row->least)
            return fail(format("{} is {}: {} is the least with which an adapter works", name,
                               value->get<std::uint64_t>(), row->least));
        file.limits.push_back({row, value->get<std::uint64_t>(), source});
    }

    void read_quirk(const std::string& name, const ordered_json& quirk, ProfileFile& file) {
        const QuirkRow* const row = find_row(quirk_rows(), name);
        if (!row) return fail(no_such("quirk", name, quirk_rows()));
        file.quirks.push_back({row, text_of(quirk, "source", name)});
    }

    std::string_view origin_;
    std::string& fault_;
};

// In the order of the tables of profile_file.h.
void sort_by_row(ProfileFile& file) {
    std::ranges::sort(file.limits, {}, &PublishedLimit::row);
    std::ranges::sort(file.quirks, {}, &PublishedQuirk::row);
}

constexpr std::uint64_t kLeastRegistration = 1 << 16;

constexpr std::array kLimits{
    LimitRow{"MaxRegistrationSize", &AdapterLimits::max_registration_bytes, kLeastRegistration},
    LimitRow{"MaxWindowSize", &AdapterTraits::max_window_bytes, 0},
    LimitRow{"MaxInitiatorSge", &AdapterLimits::max_initiator_sges, 1},
    LimitRow{"MaxReceiveSge", &AdapterLimits::max_receive_sges, 1},
    LimitRow{"MaxReadSge", &AdapterLimits::max_read_sges, 1},
    LimitRow{"MaxTransferLength", &AdapterLimits::max_transfer_bytes, 1},
    LimitRow{"MaxInlineDataSize", &AdapterLimits::max_inline_bytes, 0},
    LimitRow{"MaxInboundReadLimit", &AdapterLimits::max_inbound_reads, 0},
    LimitRow{"MaxOutboundReadLimit", &AdapterLimits::max_outbound_reads, 0},
    LimitRow{"MaxReceiveQueueDepth", &AdapterLimits::max_receive_depth, 1},
    LimitRow{"MaxInitiatorQueueDepth", &AdapterLimits::max_initiator_depth, 1},
    LimitRow{"MaxSharedReceiveQueueDepth", &AdapterLimits::max_shared_receive_depth, 0},
    LimitRow{"MaxCompletionQueueDepth", &AdapterLimits::max_completion_depth, 1},
    LimitRow{"MaxCallerData", &AdapterLimits::max_caller_data_bytes, 0},
    LimitRow{"MaxCalleeData", &AdapterLimits::max_callee_data_bytes, 0},
    LimitRow{"NdkMaxCallerData", &AdapterLimits::max_private_data_bytes, 0},
};

constexpr std::array kQuirks{
    QuirkRow{"unordered_placement", "no IN_ORDER_DMA_SUPPORTED in AdapterFlags; the order itself is kept",
             [](Profile& p) { p.most.traits.places_in_order = false; }},
    QuirkRow{"no_queue_resize", "no CQ_RESIZE_SUPPORTED in AdapterFlags; Resize gives ND_NOT_SUPPORTED",
             [](Profile& p) { p.most.traits.resizes_completion_queues = false; }},
    QuirkRow{"no_loopback", "no LOOPBACK_CONNECTIONS_SUPPORTED in AdapterFlags; Connect to an own address fails",
             [](Profile& p) { p.most.traits.connects_to_itself = false; }},
    QuirkRow{"sink_needs_right",
             "of version 2: a Read into memory without RDMA_READ_SINK or ALLOW_REMOTE_WRITE gives ND_ACCESS_VIOLATION",
             [](Profile& p) { p.most.traits.reads_fill_written_memory = false; }},
    QuirkRow{
        "padded_private_data",
        "private data arrive with zeros up to MaxCallerData or MaxCalleeData; those of a Reject only if there are any",
        [](Profile& p) { p.most.traits.pads_private_data = true; }},
    QuirkRow{"local_completion",
             "over iwarp a Send or Write is complete when TCP has it; over shm and loopback when the peer has it",
             [](Profile& p) { p.completes_locally = true; }},
    QuirkRow{"no_immediate_data", "of version 2: E_NOINTERFACE for the interfaces with immediate data",
             [](Profile& p) { p.most.traits.carries_immediate = false; }},
    QuirkRow{"strict_overrun", "a completion queue has room for its depth and no more, as with OPENND_OVERRUN=strict",
             [](Profile& p) { p.strict_overrun = true; }},
    QuirkRow{"receives_alone_count_bytes",
             "of NDKPI: BytesTransferred is 0 but for receives, with this quirk and without", [](Profile&) {}},
};

constexpr std::array<std::pair<std::string_view, Technology>, 4> kTechnologies{{
    {"iwarp", Technology::iwarp},
    {"infiniband", Technology::infiniband},
    {"roce", Technology::roce},
    {"roce_v2", Technology::roce_v2},
}};

}  // namespace

Profile profile_of(const ProfileFile& file) {
    Profile profile;
    profile.label = format("profile {}", file.name);
    profile.most.traits.technology = file.technology;
    for (const PublishedLimit& limit : file.limits) set_value(*limit.row, profile.most, limit.value);
    for (const PublishedQuirk& quirk : file.quirks) quirk.row->take(profile);
    return profile;
}

ProfileFile parse_profile(std::string_view text, std::string_view origin, std::string& fault) {
    fault.clear();
    ProfileFile file = Reader(origin, fault).read(text);
    sort_by_row(file);
    return file;
}

ProfileFile strictest(std::string_view name, std::string_view title, const std::vector<ProfileFile>& files) {
    ProfileFile all;
    all.name = name;
    all.title = title;
    all.technology = files.front().technology;
    for (const ProfileFile& file : files) {
        for (const PublishedLimit& limit : file.limits) {
            const auto found = std::ranges::find(all.limits, limit.row, &PublishedLimit::row);
            PublishedLimit named{limit.row, limit.value, format("{}: {}", file.name, limit.source)};
            if (found == all.limits.end())
                all.limits.push_back(std::move(named));
            else if (limit.value < found->value)
                *found = std::move(named);
        }
        for (const PublishedQuirk& quirk : file.quirks)
            if (std::ranges::find(all.quirks, quirk.row, &PublishedQuirk::row) == all.quirks.end())
                all.quirks.push_back({quirk.row, format("{}: {}", file.name, quirk.source)});
        for (const MissingQuirk& quirk : file.not_imitated)
            all.not_imitated.push_back({quirk.what, format("{}: {}", file.name, quirk.source)});
    }
    sort_by_row(all);
    return all;
}

std::span<const LimitRow> limit_rows() { return kLimits; }
std::span<const QuirkRow> quirk_rows() { return kQuirks; }

std::uint64_t value_of(const LimitRow& row, const AdapterAbilities& abilities) {
    if (const auto* const trait = std::get_if<std::uint64_t AdapterTraits::*>(&row.member))
        return abilities.traits.**trait;
    if (const auto* const wide = std::get_if<std::uint64_t AdapterLimits::*>(&row.member))
        return abilities.limits.**wide;
    return abilities.limits.*std::get<std::uint32_t AdapterLimits::*>(row.member);
}

void set_value(const LimitRow& row, AdapterAbilities& abilities, std::uint64_t value) {
    if (const auto* const trait = std::get_if<std::uint64_t AdapterTraits::*>(&row.member))
        abilities.traits.** trait = value;
    else if (const auto* const wide = std::get_if<std::uint64_t AdapterLimits::*>(&row.member))
        abilities.limits.** wide = value;
    else
        abilities.limits.*std::get<std::uint32_t AdapterLimits::*>(row.member) =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(value, UINT32_MAX));
}

const Technology* find_technology(std::string_view name) {
    for (const auto& [word, technology] : kTechnologies)
        if (word == name) return &technology;
    return nullptr;
}

std::string_view name(Technology technology) {
    for (const auto& [word, each] : kTechnologies)
        if (each == technology) return word;
    return {};
}

}  // namespace opennd
