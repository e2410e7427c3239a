// SPDX-License-Identifier: MIT
// See misspelt_names.h.
#include "library/settings/misspelt_names.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "library/settings/setting_table.h"

namespace opennd {
namespace {

// The least number of letters to insert, to leave out or to change (Levenshtein).
std::size_t distance(std::string_view one, std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    for (std::size_t i = 0; i < one.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < other.size(); ++j) {
            const std::size_t changed = diagonal + (one[i] == other[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

// Names that differ in more than every fourth letter behind "OPENND_" are different names.
std::size_t most_mistakes(std::string_view variable) { return std::max<std::size_t>(1, (variable.size() - 7) / 4); }

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names) {
    std::string_view nearest;
    std::size_t fewest = word.size();  // all of its letters changed: another word
    for (const std::string_view name : names) {
        const std::size_t mistakes = distance(word, name);
        if (mistakes >= fewest || mistakes > std::max<std::size_t>(2, name.size() / 3)) continue;
        fewest = mistakes;
        nearest = name;
    }
    return nearest;
}

std::string_view setting_meant_by(std::string_view variable) {
    std::string_view nearest;
    std::size_t fewest = variable.size();
    for (const SettingRow& row : setting_table()) {
        const std::string_view name = row.variable;
        const std::size_t mistakes = distance(variable, name);
        if (mistakes == 0) return {};
        if (mistakes < fewest && mistakes <= most_mistakes(name)) {
            fewest = mistakes;
            nearest = name;
        }
    }
    return nearest;
}

void name_misspelt_settings(std::span<const std::string_view> variables) {
    for (const std::string_view variable : variables)
        if (const std::string_view meant = setting_meant_by(variable); !meant.empty())
            log(LogLevel::error, "{} is set, and no setting has that name; {} is one", variable, meant);
}

}  // namespace opennd
