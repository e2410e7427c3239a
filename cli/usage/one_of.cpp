// SPDX-License-Identifier: MIT
//
// Read one_of.h first.
#include "usage/one_of.h"

#include "text/nearest_word.h"

#include <algorithm>

namespace nd {
namespace {

// Empty if it is one of them.
std::string complaint(const std::string& word, const std::vector<std::string>& words) {
    if (std::ranges::find(words, word) != words.end()) return {};
    return "'" + word + "' is none of " + CLI::detail::join(words, ", ") + did_you_mean(word, words);
}

std::string description(const std::vector<std::string>& words) { return "{" + CLI::detail::join(words, ",") + "}"; }

}  // namespace

CLI::Validator one_of(std::vector<std::string> words) {
    std::string described = description(words);
    return CLI::Validator([words = std::move(words)](std::string& word) { return complaint(word, words); },
                          std::move(described));
}

CLI::Validator list_of(std::vector<std::string> words) {
    std::string described = description(words);
    return CLI::Validator(
        [words = std::move(words)](std::string& list) {
            if (list.empty()) return std::string();
            for (const std::string& each : CLI::detail::split(list, ','))
                if (std::string wrong = complaint(each.substr(each.starts_with('^') ? 1 : 0), words); !wrong.empty())
                    return wrong;
            return std::string();
        },
        std::move(described));
}

}  // namespace nd
