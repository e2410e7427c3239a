// SPDX-License-Identifier: MIT
//
// Read profiles.h first.
#include "profiles.h"

#include "inspect/text_table.h"
#include "nd_error.h"
#include "text/wrapped_text.h"

#include <opennd.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <span>
#include <string>

namespace nd {
namespace {

using nlohmann::ordered_json;

std::span<const opennd_profile_figure> figures() {
    ULONG count = 0;
    const opennd_profile_figure* const all = opennd_profile_figures(&count);
    return {all, count};
}

std::string text(const ordered_json& object, const char* key) { return object[key].get<std::string>(); }

void write_limits(std::ostream& out, const ordered_json& limits) {
    out << "\n| Limit | Published | Query gives | Source |\n|---|---|---|---|\n";
    for (const ordered_json& limit : limits)
        out << "| `" << text(limit, "name") << "` | " << text(limit, "published") << " | " << text(limit, "query")
            << " | " << text(limit, "source") << " |\n";
}

void write_quirks(std::ostream& out, const ordered_json& quirks, const ordered_json& missing) {
    out << "\n| Quirk | Imitation | Source |\n|---|---|---|\n";
    for (const ordered_json& quirk : quirks)
        out << "| `" << text(quirk, "name") << "` | " << text(quirk, "effect") << " | " << text(quirk, "source")
            << " |\n";
    for (const ordered_json& each : missing)
        out << "| " << text(each, "what") << " | not imitated | " << text(each, "source") << " |\n";
}

}  // namespace

ordered_json profile_json() {
    char name[256] = "";
    check(opennd_profile(name, sizeof name), "read the profile", "opennd_profile");
    if (*name == '\0') return nullptr;
    for (const ordered_json& profile : profiles_json())
        if (text(profile, "name") == name)
            return {{"name", name}, {"title", profile["title"]}, {"not_imitated", profile["not_imitated"]}};
    return {{"name", name}, {"title", ""}, {"not_imitated", ordered_json::array()}};
}

void print_profile(const ordered_json& profile) {
    if (profile.is_null()) return;
    std::printf("profile %s: %s\n", text(profile, "name").c_str(), text(profile, "title").c_str());
    for (const ordered_json& each : profile["not_imitated"]) print_fact("not imitated", text(each, "what"));
}

ordered_json profiles_json() {
    ordered_json all = ordered_json::array();
    for (const opennd_profile_figure& each : figures()) {
        if (all.empty() || text(all.back(), "name") != each.profile)
            all.push_back({{"name", each.profile},
                           {"title", each.title},
                           {"limits", ordered_json::array()},
                           {"quirks", ordered_json::array()},
                           {"not_imitated", ordered_json::array()}});
        ordered_json& profile = all.back();
        switch (each.kind) {
            case OPENND_PROFILE_LIMIT:
                profile["limits"].push_back({{"name", each.name},
                                             {"published", each.published},
                                             {"query", each.effect},
                                             {"source", each.source}});
                break;
            case OPENND_PROFILE_QUIRK:
                profile["quirks"].push_back({{"name", each.name}, {"effect", each.effect}, {"source", each.source}});
                break;
            case OPENND_PROFILE_NOT_IMITATED:
                profile["not_imitated"].push_back({{"what", each.name}, {"source", each.source}});
                break;
        }
    }
    return all;
}

void print_profiles(const ordered_json& profiles) {
    for (const ordered_json& profile : profiles) {
        std::printf("\nprofile %s: %s\n", text(profile, "name").c_str(), text(profile, "title").c_str());
        TextTable limits({"LIMIT", ">PUBLISHED", ">QUERY GIVES", "SOURCE"});
        for (const ordered_json& limit : profile["limits"])
            limits.add({text(limit, "name"), text(limit, "published"), text(limit, "query"), text(limit, "source")});
        limits.print();
        for (const ordered_json& quirk : profile["quirks"]) {
            print_fact(text(quirk, "name").c_str(), text(quirk, "effect"));
            print_fact("  source", text(quirk, "source"));
        }
        for (const ordered_json& each : profile["not_imitated"]) {
            print_fact("not imitated", text(each, "what"));
            print_fact("  source", text(each, "source"));
        }
    }
}

void write_profile_tables(std::ostream& out) {
    for (const ordered_json& profile : profiles_json()) {
        out << "\n### " << text(profile, "name") << ": " << text(profile, "title") << "\n";
        write_limits(out, profile["limits"]);
        write_quirks(out, profile["quirks"], profile["not_imitated"]);
    }
}

}  // namespace nd
