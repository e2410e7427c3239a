// SPDX-License-Identifier: MIT
// Text of a peer reaches a log or a terminal as text, and as one line.
#include "base/printable.h"

#include <gtest/gtest.h>

#include <string>

#include "base/log.h"
#include "base/phrase.h"

namespace opennd {
namespace {

struct Line {
    std::string text;
    static void keep(void* context, LogLevel, const char* message) { static_cast<Line*>(context)->text = message; }
};

TEST(Printable, LeavesTextAlone) {
    EXPECT_EQ(printable("127.0.0.1:5000 \xC3\xA9t\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
              "127.0.0.1:5000 \xC3\xA9t\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST(Printable, NamesTheOctetsThatControl) {
    EXPECT_EQ(printable("a\x1B[2Jb"), "a\\x1B[2Jb");
    EXPECT_EQ(printable("one\r\ntwo\x7F"), "one\\x0D\\x0Atwo\\x7F");
    EXPECT_EQ(printable("\xC2\x9B"
                        "2J"),
              "\\xC2\\x9B2J")
        << "the second set in UTF-8";
    EXPECT_EQ(printable("\x9B"
                        "2J"),
              "\\x9B2J")
        << "the second set alone";
    EXPECT_EQ(printable("\xE0\x82\x9B"), "\\xE0\\x82\\x9B") << "more octets than it needs";
    EXPECT_EQ(printable("\xE2\x82"), "\\xE2\\x82") << "cut short";
}

TEST(Printable, KeepsALogLineOneLine) {
    Line line;
    set_log_sink(&Line::keep, &line, LogLevel::debug);
    log(LogLevel::warn, "the peer says {}", "bye\n12:00:00 opennd error: forged\x1B[31m");
    set_log_sink(nullptr, nullptr, LogLevel::error);
    EXPECT_EQ(line.text, "the peer says bye\\x0A12:00:00 opennd error: forged\\x1B[31m");
}

TEST(Printable, KeepsAPhraseToItsRoom) {
    EXPECT_EQ(std::string_view(phrase("a {} b", "\x1B]0;title\x07")), "a ?]0;title? b");
}

}  // namespace
}  // namespace opennd
