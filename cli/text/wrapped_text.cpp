// SPDX-License-Identifier: MIT
//
// Read wrapped_text.h first.
#include "text/wrapped_text.h"

#include <algorithm>
#include <cstdio>

namespace nd {
namespace {

constexpr std::size_t kLeastText = 20;  // columns for the text behind a long label

void wrap_line(std::string_view line, std::size_t columns, std::vector<std::string>& lines) {
    if (line.size() <= columns) return lines.emplace_back(line), void();
    std::string current;
    bool indented = true;  // the blanks before the first word stay
    for (std::size_t begin = 0; begin < line.size();) {
        const std::size_t word = std::min(line.find_first_not_of(' ', begin), line.size());
        const std::size_t end = std::min(line.find(' ', word), line.size());
        const std::size_t from = indented ? begin : word;
        const std::size_t blank = current.empty() ? 0 : 1;
        if (blank != 0 && current.size() + blank + end - word > columns) {
            lines.push_back(std::move(current));
            current.clear();
        }
        if (!current.empty()) current += ' ';
        current += line.substr(from, end - from);
        indented = false;
        begin = end;
    }
    lines.push_back(std::move(current));
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        wrap_line(text.substr(begin, end - begin), columns, lines);
        begin = end + 1;
    }
    return lines;
}

std::string wrapped_lines(std::string_view text, std::size_t columns) {
    std::string all;
    const char* before = "";
    for (const std::string& line : wrapped(text, columns)) {
        all += before + line;
        before = "\n";
    }
    return all;
}

void print_wrapped(const std::string& label, std::string_view text, Style style) {
    const std::size_t room = label.size() + kLeastText < kColumns ? kColumns - label.size() : kLeastText;
    const std::string blanks(label.size(), ' ');
    const std::string first = styled(style, label);
    const std::string* before = &first;
    for (const std::string& line : wrapped(text, room)) {
        std::printf("%s%s\n", before->c_str(), line.c_str());
        before = &blanks;
    }
}

void print_fact(const char* label, std::string_view text) {
    char padded[64] = "";
    std::snprintf(padded, sizeof padded, "  %-28s ", label);
    print_wrapped(padded, text);
}

}  // namespace nd
