// SPDX-License-Identifier: MIT
//
// Read text_table.h first.
#include "inspect/text_table.h"

#include "network/connection/peer_text.h"
#include "text/wrapped_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace nd {
namespace {

constexpr const char* kBetween = "  ";
constexpr const char* kBelow = "    ";  // before what stands below a row
constexpr std::size_t kBetweenWidth = 2, kBelowWidth = 4;

// The first one always does.
std::size_t columns_that_fit(const std::vector<std::size_t>& widths) {
    std::size_t used = 0, count = 0;
    for (; count < widths.size(); ++count) {
        used += widths[count] + (count == 0 ? 0 : kBetweenWidth);
        if (count != 0 && used > kColumns) break;
    }
    return count;
}

// Puts as many cells into a line as it has room for; nothing where all of them are empty.
void add_lines_below(const std::vector<std::string>& cells, std::vector<std::string>& lines) {
    std::string line;
    for (const std::string& cell : cells) {
        if (cell.empty()) continue;
        if (!line.empty() && kBelowWidth + line.size() + kBetweenWidth + cell.size() > kColumns) {
            lines.push_back(kBelow + line);
            line.clear();
        }
        line += (line.empty() ? "" : kBetween) + cell;
    }
    if (line.empty()) return;
    if (kBelowWidth + line.size() <= kColumns) return lines.push_back(kBelow + line);
    for (const std::string& each : wrapped(line, kColumns - kBelowWidth)) lines.push_back(kBelow + each);
}

}  // namespace

std::string printable(const std::string& text, std::size_t most_bytes) {
    return peer_text(text.data(), text.size()).substr(0, most_bytes);
}

TextTable::TextTable(std::vector<std::string> headings) {
    for (std::string& heading : headings) {
        at_right_.push_back(heading.starts_with('>'));
        if (at_right_.back()) heading.erase(0, 1);
    }
    rows_.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> row) {
    for (std::string& text : row) text = printable(text);
    rows_.push_back(std::move(row));
}

std::vector<std::size_t> TextTable::widths() const {
    std::vector<std::size_t> widths(at_right_.size(), 0);
    for (const Row& row : rows_)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    return widths;
}

// Its first columns.
std::string TextTable::line_of(const Row& row, const std::vector<std::size_t>& widths, std::size_t columns) const {
    std::string line;
    for (std::size_t i = 0; i < columns; ++i) {
        const std::string blanks(widths[i] - row[i].size(), ' ');
        if (i > 0) line += kBetween;
        line += at_right_[i] ? blanks + row[i] : row[i] + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::vector<std::string> TextTable::lines(Excess excess) const {
    const std::vector<std::size_t> wide = widths();
    const std::size_t fitting = excess == Excess::cut ? wide.size() : columns_that_fit(wide);
    std::vector<std::string> lines;
    for (const Row& row : rows_) {
        lines.push_back(line_of(row, wide, fitting).substr(0, excess == Excess::cut ? kColumns : std::string::npos));
        add_lines_below({row.begin() + static_cast<std::ptrdiff_t>(fitting), row.end()}, lines);
    }
    return lines;
}

void TextTable::print() const {
    for (const std::string& line : lines()) std::printf("%s\n", line.c_str());
}

}  // namespace nd
