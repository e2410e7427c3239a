// SPDX-License-Identifier: MIT
//
// A table for a terminal: columns as wide as their texts, numbers at the right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nd {

class TextTable {
public:
    // A heading that begins with '>' is of numbers.
    explicit TextTable(std::vector<std::string> headings);

    // One text for each heading. The texts are other processes': see peer_text().
    void add(std::vector<std::string> row);
    bool empty() const { return rows_.size() == 1; }
    void print() const;

private:
    std::vector<std::vector<std::string>> rows_;  // the headings first
    std::vector<bool> at_right_;
};

}  // namespace nd
