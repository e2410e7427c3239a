// SPDX-License-Identifier: MIT
// See misspelt_names.h.
#include "library/settings/misspelt_names.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/format.h"
#include "base/log.h"
#include "base/printable.h"
#include "library/settings/setting_table.h"
#include "library/settings/settings.h"

namespace opennd {
namespace {

constexpr std::string_view kPrefix = "OPENND_";
// The prefix is one name space for all of this project. These are the names in it that are no settings of libopennd.
constexpr std::string_view kOfCompanions[] = {"OPENND_WDM_CHECKING"};
constexpr std::string_view kOfTests[] = {"OPENND_TEST_", "OPENND_LAB"};  // names that begin so

// The least number of letters to insert, to leave out, to change, or to exchange with the next one (optimal string alignment).
std::size_t distance(std::string_view one, std::string_view other) {
    std::vector<std::size_t> before, last, row(other.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < one.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < other.size(); ++j) {
            row[j + 1] = std::min({last[j] + (one[i] == other[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1});
            if (i > 0 && j > 0 && one[i] == other[j - 1] && one[i - 1] == other[j])
                row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
        }
    }
    return row.back();
}

std::vector<std::string_view> known_names() {
    std::vector<std::string_view> names(std::begin(kOfCompanions), std::end(kOfCompanions));
    for (const SettingRow& row : setting_table()) names.emplace_back(row.variable);
    return names;
}

// The longest name that `variable` begins with: of OPENND_LOG_LEVEL OPENND_LOG.
std::string_view longest_beginning(std::string_view variable, std::span<const std::string_view> names) {
    std::string_view longest;
    for (const std::string_view name : names)
        if (variable.starts_with(name) && variable.substr(name.size()).starts_with('_') && name.size() > longest.size())
            longest = name;
    return longest;
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names) {
    std::string_view nearest;
    std::size_t fewest = word.size();  // all of its letters changed: another word
    for (const std::string_view name : names) {
        const std::size_t mistakes = distance(word, name);
        const bool begins_so = word.size() > 1 && name.starts_with(word);
        if (mistakes >= fewest || (!begins_so && mistakes > std::max<std::size_t>(1, name.size() / 3))) continue;
        fewest = mistakes;
        nearest = name;
    }
    return nearest;
}

bool is_known_variable(std::string_view variable) {
    const std::vector<std::string_view> names = known_names();
    const auto begins_so = [&](std::string_view prefix) { return variable.starts_with(prefix); };
    return std::any_of(std::begin(kOfTests), std::end(kOfTests), begins_so) ||
           std::find(names.begin(), names.end(), variable) != names.end();
}

std::string_view known_variable_near(std::string_view variable) {
    const std::vector<std::string_view> names = known_names();
    std::vector<std::string_view> words;  // without the prefix
    for (const std::string_view name : names) words.push_back(name.substr(kPrefix.size()));
    const std::string_view nearest = nearest_name(variable.substr(kPrefix.size()), words);
    const auto found = std::find(words.begin(), words.end(), nearest);
    if (found != words.end()) return names[static_cast<std::size_t>(found - words.begin())];
    return longest_beginning(variable, names);
}

void name_unknown_variables() {
    for (const std::string_view variable : environment_names(kPrefix)) {
        if (is_known_variable(variable)) continue;
        const std::string_view meant = known_variable_near(variable);
        log(LogLevel::error, "{} is set, and no setting has that name; {}", printable(variable),
            meant.empty() ? std::string("nd info --settings lists all") : format("{} is one", meant));
    }
}

}  // namespace opennd
