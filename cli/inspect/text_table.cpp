// SPDX-License-Identifier: MIT
//
// Read text_table.h first.
#include "inspect/text_table.h"

#include "network/connection/peer_text.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace nd {

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

std::vector<std::string> TextTable::lines() const {
    std::vector<std::size_t> widths(at_right_.size(), 0);
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::vector<std::string> lines;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string blanks(widths[i] - row[i].size(), ' ');
            line += (i == 0 ? "" : "  ") + (at_right_[i] ? blanks + row[i] : row[i] + blanks);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

void TextTable::print() const {
    for (const std::string& line : lines()) std::printf("%s\n", line.c_str());
}

}  // namespace nd
