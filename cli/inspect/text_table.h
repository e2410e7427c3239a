// SPDX-License-Identifier: MIT
//
// A table for a terminal of 80 columns: columns as wide as their texts, numbers at the right. Columns that do not fit stand below
// their row, and below the headings.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace nd {

// Another process's text for a terminal: see peer_text(). Cut to `most_bytes`.
std::string printable(const std::string& text, std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

// The excess of lines that would be longer than 80 columns: the rest of the cells follows in lines below, or is cut.
enum class Excess { below, cut };

class TextTable {
public:
    // A heading that begins with '>' is of numbers.
    explicit TextTable(std::vector<std::string> headings);

    // One text for each heading, which is made printable.
    void add(std::vector<std::string> row);
    bool empty() const { return rows_.size() == 1; }
    std::vector<std::string> lines(Excess excess = Excess::below) const;
    void print() const;

private:
    using Row = std::vector<std::string>;
    std::vector<std::size_t> widths() const;
    std::string line_of(const Row& row, const std::vector<std::size_t>& widths, std::size_t columns) const;

    std::vector<Row> rows_;  // the headings first
    std::vector<bool> at_right_;
};

}  // namespace nd
