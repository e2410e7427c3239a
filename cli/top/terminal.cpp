// SPDX-License-Identifier: MIT
//
// Read terminal.h first.
#include "top/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define NCURSES_NOMACROS  // functions alone: `timeout` and others are names of ours too
#include <ncurses.h>

namespace nd {
namespace {

// A signal may come right before the wait, which does not end for it then; the caller looks in between.
constexpr long long kMostWait_ms = 250;

}  // namespace

struct Terminal::Screen {
    SCREEN* of_terminal;
};

Terminal::Terminal() : screen_(std::make_unique<Screen>()) {
    const char* const remedy = ": use nd top --batch";
    if (::isatty(STDOUT_FILENO) == 0 || ::isatty(STDIN_FILENO) == 0)
        throw std::runtime_error(std::string("standard input and output are not a terminal") + remedy);
    screen_->of_terminal = ::newterm(nullptr, stdout, stdin);
    if (!screen_->of_terminal) {
        const char* const name = std::getenv("TERM");
        throw std::runtime_error("no terminal is known by TERM=" + std::string(name ? name : "") + remedy);
    }
    ::cbreak();
    ::noecho();
    ::curs_set(0);
    ::keypad(stdscr, TRUE);
}

Terminal::~Terminal() {
    ::endwin();
    ::delscreen(screen_->of_terminal);
}

void Terminal::show(const std::vector<std::string>& page, std::size_t heading) {
    ::werase(stdscr);
    const auto rows = static_cast<std::size_t>(std::max(getmaxy(stdscr), 0));
    const int columns = std::max(getmaxx(stdscr), 0);
    for (std::size_t row = 0; row < std::min(rows, page.size()); ++row) {
        if (row == heading) ::wattr_on(stdscr, A_REVERSE, nullptr);
        std::string line = page[row];
        if (row == heading) line.resize(std::max(line.size(), static_cast<std::size_t>(columns)), ' ');
        ::mvwaddnstr(stdscr, static_cast<int>(row), 0, line.c_str(), columns);
        ::wattr_off(stdscr, A_REVERSE, nullptr);
    }
    ::wrefresh(stdscr);
}

Terminal::Event Terminal::wait(std::chrono::steady_clock::time_point end) {
    using namespace std::chrono;
    const auto left = duration_cast<milliseconds>(end - steady_clock::now()).count();
    ::wtimeout(stdscr, static_cast<int>(std::clamp<long long>(left + 1, 0, kMostWait_ms)));
    const int key = ::wgetch(stdscr);
    if (key == KEY_RESIZE) return {.resized = true, .key = {}};
    if (key < 0 || key > 127) return {};
    return {.resized = false, .key = static_cast<char>(key)};
}

}  // namespace nd
