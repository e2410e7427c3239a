// SPDX-License-Identifier: MIT
// The command line, put together and taken apart.
#include "win32/command_line.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "shellapi.h"
#include "win32/modules.h"
#include "windows/last_error.h"
#include "windows/process/wide_argument.h"
#include "windows/text/utf8.h"

namespace opennd::windows {
namespace {

bool is_blank(wchar_t c) { return c == L' ' || c == L'\t'; }

// The arguments of a line, one after the other.
class Parser {
public:
    explicit Parser(std::wstring_view line) : rest_(line) {}

    std::wstring program() {
        const bool quoted = rest_.starts_with(L'"');
        if (quoted) rest_.remove_prefix(1);
        std::size_t end = 0;
        while (end < rest_.size() && (quoted ? rest_[end] != L'"' : !is_blank(rest_[end]))) ++end;
        std::wstring name(rest_.substr(0, end));
        rest_.remove_prefix(quoted && end < rest_.size() ? end + 1 : end);
        return name;
    }

    // Skips blanks. Returns false at the end.
    bool has_more() {
        while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
        return !rest_.empty();
    }

    std::wstring argument() {
        std::wstring text;
        bool quoted = false;
        while (!rest_.empty() && (quoted || !is_blank(rest_.front()))) {
            const std::size_t backslashes = count(L'\\');
            const std::size_t marks = count(L'"');
            if (marks == 0) {
                text.append(backslashes, L'\\');
                if (backslashes == 0) take_character(text);
                continue;
            }
            text.append(backslashes / 2, L'\\');
            const bool first_is_text = backslashes % 2 != 0;
            if (first_is_text) text += L'"';
            quoted = after_marks(first_is_text ? marks - 1 : marks, quoted, text);
        }
        return text;
    }

private:
    std::size_t count(wchar_t c) {
        const std::size_t found = std::min(rest_.find_first_not_of(c), rest_.size());
        rest_.remove_prefix(found);
        return found;
    }

    void take_character(std::wstring& text) {
        text += rest_.front();
        rest_.remove_prefix(1);
    }

    // Marks in a row: one begins a quoted part, the next ends it, and one that follows is text. Returns whether a part
    // is open behind them.
    static bool after_marks(std::size_t marks, bool quoted, std::wstring& text) {
        const std::size_t in_row = marks + (quoted ? 1 : 0);
        text.append(in_row / 3, L'"');
        return in_row % 3 == 1;
    }

    std::wstring_view rest_;
};

std::wstring path_of_program() {
    std::vector<wchar_t> path(32768);
    return std::wstring(path.data(), GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
}

std::vector<std::wstring> arguments_of(std::wstring_view line) {
    if (line.empty()) return {path_of_program()};
    Parser parser(line);
    std::vector<std::wstring> arguments{parser.program()};
    while (parser.has_more()) arguments.push_back(parser.argument());
    return arguments;
}

// The pointers, and behind them the texts, in one block for LocalFree; null: no memory.
LPWSTR* block_of(const std::vector<std::wstring>& arguments) {
    std::size_t bytes = (arguments.size() + 1) * sizeof(LPWSTR);
    for (const std::wstring& argument : arguments) bytes += (argument.size() + 1) * sizeof(wchar_t);
    auto* const pointers = static_cast<LPWSTR*>(std::malloc(bytes));
    if (pointers == nullptr) return nullptr;
    auto* text = reinterpret_cast<wchar_t*>(pointers + arguments.size() + 1);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        pointers[i] = text;
        text = std::wmemcpy(text, arguments[i].c_str(), arguments[i].size() + 1) + arguments[i].size() + 1;
    }
    pointers[arguments.size()] = nullptr;
    return pointers;
}

// Returns the argument in the form that the parser reads back.
std::wstring quoted(const std::wstring& argument) {
    std::wstring text = L"\"";
    std::size_t backslashes = 0;
    for (const wchar_t c : argument) {
        if (c == L'"') text.append(backslashes + 1, L'\\');
        backslashes = c == L'\\' ? backslashes + 1 : 0;
        text += c;
    }
    return text.append(backslashes, L'\\') + L'"';
}

std::wstring as_argument(const std::wstring& argument) {
    return argument.empty() || argument.find_first_of(L" \t\"") != argument.npos ? quoted(argument) : argument;
}

// A program's name has no way to write a quotation mark: one with both a mark and a blank is not given back as it is.
std::wstring as_program(const std::wstring& name) {
    return name.empty() || name.find_first_of(L" \t") != name.npos ? L'"' + name + L'"' : name;
}

// The process's, in both widths.
struct Line {
    std::wstring wide;
    std::string narrow;

    Line() {
        std::ifstream arguments("/proc/self/cmdline", std::ios::binary);
        for (std::string text; std::getline(arguments, text, '\0');)
            wide += wide.empty() ? as_program(wide_argument(text)) : L' ' + as_argument(wide_argument(text));
        narrow = to_utf8(wide);
    }
};

Line& line() {
    static auto* const line = new Line;  // programs keep pointers to it
    return *line;
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

LPSTR GetCommandLineA(VOID) { return line().narrow.data(); }
LPWSTR GetCommandLineW(VOID) { return line().wide.data(); }

LPWSTR* CommandLineToArgvW(LPCWSTR lpCmdLine, int* pNumArgs) try {
    if (lpCmdLine == nullptr || pNumArgs == nullptr)
        return fail(ERROR_INVALID_PARAMETER, static_cast<LPWSTR*>(nullptr));
    const std::vector<std::wstring> arguments = arguments_of(lpCmdLine);
    LPWSTR* const block = block_of(arguments);
    if (block == nullptr) return fail(ERROR_NOT_ENOUGH_MEMORY, block);
    *pNumArgs = static_cast<int>(arguments.size());
    return block;
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, static_cast<LPWSTR*>(nullptr));
}
