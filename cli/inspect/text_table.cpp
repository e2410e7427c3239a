// SPDX-License-Identifier: MIT
//
// Read text_table.h first.
#include "inspect/text_table.h"

#include "network/connection/peer_text.h"
#include "text/wrapped_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <string_view>
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
        optional_.push_back(heading.starts_with('?'));
        if (optional_.back()) heading.erase(0, 1);
        at_right_.push_back(heading.starts_with('>'));
        if (at_right_.back()) heading.erase(0, 1);
    }
    rows_.push_back(std::move(headings));
    styles_.push_back(Style::heading);
}

void TextTable::add(std::vector<std::string> row, Style style) {
    for (std::string& text : row) text = printable(text);
    rows_.push_back(std::move(row));
    styles_.push_back(style);
}

std::vector<std::size_t> TextTable::widths() const {
    std::vector<std::size_t> widths(at_right_.size(), 0);
    for (const Row& row : rows_)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    return widths;
}

std::string TextTable::line_of(const Row& row, const std::vector<std::size_t>& widths, const Columns& columns) const {
    std::string line;
    for (const std::size_t i : columns) {
        const std::string blanks(widths[i] - row[i].size(), ' ');
        if (i != columns.front()) line += kBetween;
        line += at_right_[i] ? blanks + row[i] : row[i] + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::vector<std::string> TextTable::lines(Excess excess) const {
    const std::vector<std::size_t> wide = widths();
    Columns fitting(excess == Excess::cut ? wide.size() : columns_that_fit(wide));
    std::iota(fitting.begin(), fitting.end(), 0);
    std::vector<std::string> lines;
    for (const Row& row : rows_) {
        lines.push_back(line_of(row, wide, fitting).substr(0, excess == Excess::cut ? kColumns : std::string::npos));
        add_lines_below({row.begin() + static_cast<std::ptrdiff_t>(fitting.size()), row.end()}, lines);
    }
    return lines;
}

// The last column is worth its line only if some words of it are seen.
TextTable::Columns TextTable::columns_within(std::size_t room, const std::vector<std::size_t>& widths) const {
    constexpr std::size_t kLeastOfLast = 30;
    Columns shown(widths.size());
    std::iota(shown.begin(), shown.end(), 0);
    const auto needed = [&] {
        std::size_t all = kBetweenWidth * (shown.size() - 1) + std::min(widths[shown.back()], kLeastOfLast);
        for (const std::size_t i : shown) all += i == shown.back() ? 0 : widths[i];
        return all;
    };
    const auto may_go = [&](std::size_t i) {
        return optional_[i] ||
               std::ranges::all_of(rows_.begin() + 1, rows_.end(), [i](const Row& row) { return row[i].empty(); });
    };
    while (needed() > room) {
        const auto last = std::ranges::find_if(shown.rbegin(), shown.rend(), may_go);
        if (last == shown.rend() || shown.size() == 1) break;
        shown.erase(std::next(last).base());
    }
    return shown;
}

void TextTable::print() const {
    Style style = Style::heading;
    for (const std::string& line : lines())
        std::printf("%s\n", styled(std::exchange(style, Style::plain), line).c_str());
}

void TextTable::print_one_line_each() const {
    constexpr std::string_view kCut = "..";
    const std::size_t room = output_columns();
    const std::vector<std::size_t> wide = widths();
    const Columns shown = columns_within(room, wide);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        std::string line = line_of(rows_[i], wide, shown);
        if (line.size() > room) line = line.substr(0, std::max(room, kCut.size()) - kCut.size()).append(kCut);
        std::printf("%s\n", styled(styles_[i], line).c_str());
    }
}

}  // namespace nd
