// SPDX-License-Identifier: MIT
// See profile_file.h.
#include "library/profile/profile_file.h"

#include <algorithm>

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

// In the order of the tables of figure_rows.h.
void sort_by_row(ProfileFile& file) {
    std::ranges::sort(file.limits, {}, &PublishedLimit::row);
    std::ranges::sort(file.quirks, {}, &PublishedQuirk::row);
}

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

}  // namespace opennd
