// SPDX-License-Identifier: MIT
//
// A table for a terminal: columns as wide as their texts, numbers at the right.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace nd {

// Another process's text for a terminal: see peer_text(). Cut to `most_bytes`.
std::string printable(const std::string& text, std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

class TextTable {
public:
    // A heading that begins with '>' is of numbers.
    explicit TextTable(std::vector<std::string> headings);

    // One text for each heading, which is made printable.
    void add(std::vector<std::string> row);
    bool empty() const { return rows_.size() == 1; }
    std::vector<std::string> lines() const;
    void print() const;

private:
    std::vector<std::vector<std::string>> rows_;  // the headings first
    std::vector<bool> at_right_;
};

}  // namespace nd
