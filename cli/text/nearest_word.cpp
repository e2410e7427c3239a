// SPDX-License-Identifier: MIT
//
// Read nearest_word.h first.
#include "text/nearest_word.h"

#include <algorithm>
#include <cstddef>

namespace nd {
namespace {

// Letters to insert, to leave out, to change, or to exchange with their neighbours (optimal string alignment).
std::size_t mistakes_between(std::string_view one, std::string_view other) {
    std::vector<std::vector<std::size_t>> least(one.size() + 1, std::vector<std::size_t>(other.size() + 1));
    for (std::size_t i = 0; i <= one.size(); ++i)
        for (std::size_t j = 0; j <= other.size(); ++j) {
            if (i == 0 || j == 0) {
                least[i][j] = i + j;
                continue;
            }
            const std::size_t change = one[i - 1] == other[j - 1] ? 0 : 1;
            least[i][j] = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
        }
    return least[one.size()][other.size()];
}

// A word with more mistakes is another word.
std::size_t most_mistakes(std::string_view word) { return std::max<std::size_t>(1, word.size() / 3); }

}  // namespace

std::string nearest_word(std::string_view wrong, const std::vector<std::string>& words) {
    std::string nearest;
    std::size_t fewest = wrong.size();
    for (const std::string& word : words) {
        const std::size_t mistakes = mistakes_between(wrong, word);
        if (mistakes >= fewest || mistakes > most_mistakes(word)) continue;
        fewest = mistakes;
        nearest = word;
    }
    return nearest;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& words) {
    const std::string meant = nearest_word(wrong, words);
    return meant.empty() ? std::string() : "; did you mean " + meant + "?";
}

}  // namespace nd
