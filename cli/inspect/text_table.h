// SPDX-License-Identifier: MIT
//
// A table for a terminal: columns as wide as their texts, numbers at the right. In 80 columns, those that do not fit stand below
// their row, and below the headings; or each row has one line, which has what fits into the terminal.
#pragma once

#include "text/output_terminal.h"

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
    // A heading that begins with '>' is of numbers; one with '?' before that is of a column that may be left out in a narrow terminal.
    explicit TextTable(std::vector<std::string> headings);

    // One text for each heading, which is made printable.
    void add(std::vector<std::string> row, Style style = Style::plain);
    bool empty() const { return rows_.size() == 1; }
    std::vector<std::string> lines(Excess excess = Excess::below) const;
    void print() const;
    // Prints a line for each row. In a terminal that is too narrow, the optional columns go one after the other, the right one first,
    // and then the end of lines.
    void print_one_line_each() const;

private:
    using Row = std::vector<std::string>;
    using Columns = std::vector<std::size_t>;  // numbers of them
    std::vector<std::size_t> widths() const;
    Columns columns_within(std::size_t room, const std::vector<std::size_t>& widths) const;
    std::string line_of(const Row& row, const std::vector<std::size_t>& widths, const Columns& columns) const;

    std::vector<Row> rows_;      // the headings first
    std::vector<Style> styles_;  // of the rows
    std::vector<bool> at_right_, optional_;
};

}  // namespace nd
