// SPDX-License-Identifier: MIT
// See plan.h.
#include "transport/faults/plan.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/format.h"

namespace opennd::faults {
namespace {

constexpr std::array<Kind, kKinds> kAllKinds{{
    {"connect:refused", Place::connect, Status::connection_refused, "nobody listens there, or the listener rejects"},
    {"connect:timeout", Place::connect, Status::timed_out, "the peer's host does not answer; told at once"},
    {"connect:unreachable", Place::connect, Status::network_unreachable, "there is no way to the peer"},
    {"memory:refuse", Place::memory, Status::insufficient_resources, "a registration finds no place in the adapter"},
    {"send:timeout", Place::send, Status::timed_out, "the peer posts no receive in time; the connection ends"},
    {"send:overrun", Place::send, Status::remote_data_error, "the peer's receive is too short; the connection ends"},
    {"write:denied", Place::write, Status::remote_access_violation,
     "the peer's memory is not granted; the connection ends"},
    {"read:denied", Place::read, Status::remote_access_violation,
     "the peer's memory is not granted; the connection ends"},
    {"wire:reset", Place::wire, Status::connection_aborted,
     "the connection is lost for both sides; requests outstanding are canceled"},
}};

constexpr bool is_blank(char each) { return each == ' ' || each == '\t'; }

// One item of a line: its words, with their places in the line.
class Words {
public:
    Words(std::string_view line, std::size_t begin, std::size_t end) : line_(line), at_(begin), end_(end) { skip(); }

    bool over() const { return at_ == end_; }
    std::string_view next() {
        place_ = at_;
        while (at_ < end_ && !is_blank(line_[at_])) ++at_;
        const std::string_view word = line_.substr(place_, at_ - place_);
        skip();
        return word;
    }
    // Of the newest word, from 1.
    std::size_t place() const { return place_ + 1; }

private:
    void skip() {
        while (at_ < end_ && is_blank(line_[at_])) ++at_;
    }

    const std::string_view line_;
    std::size_t at_, place_ = 0;
    const std::size_t end_;
};

std::string known_kinds() {
    std::string all;
    for (const Kind& kind : kAllKinds) all += format("{}{}", all.empty() ? "" : ", ", kind.name);
    return all;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "64K", of powers of 1024.
std::optional<std::uint64_t> bytes_in(std::string_view text) {
    constexpr std::string_view kUnits = "KMG";
    unsigned shift = 0;
    if (!text.empty() && kUnits.find(text.back()) != std::string_view::npos) {
        shift = 10 * (static_cast<unsigned>(kUnits.find(text.back())) + 1);
        text.remove_suffix(1);
    }
    const auto number = number_in(text);
    if (!number || *number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
    return *number << shift;
}

std::optional<double> fraction_in(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1)) return std::nullopt;
    return value;
}

// False: `expected` names the right words.
bool take_trigger(std::string_view word, Rule& rule, std::string& expected) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    const auto counted = [&](std::optional<std::uint64_t>& to) {
        to = number_in(value);
        if (to && *to != 0) return true;
        expected = format("{}=NUMBER, from 1", name);
        return false;
    };
    if (name == "nth") return counted(rule.nth);
    if (name == "every") return counted(rule.every);
    if (name == "times") return counted(rule.times);
    if (name == "p") {
        rule.probability = fraction_in(value);
        expected = "p=FRACTION, from 0 to 1";
        return rule.probability.has_value();
    }
    if (name == "after" && rule.kind->place != Place::connect) {
        rule.after_bytes = bytes_in(value);
        expected = "after=BYTES, as 65536, 64K or 1M";
        return rule.after_bytes.has_value();
    }
    expected = rule.kind->place == Place::connect ? "p=, nth=, every= or times=" : "p=, nth=, every=, after= or times=";
    return false;
}

bool take_item(Words& words, std::string_view text, Plan& plan, LineFault& fault) {
    const std::string_view first = words.next();
    const auto wrong = [&](std::string_view token, std::string expected) {
        fault = {words.place(), std::string(token), std::move(expected)};
        return false;
    };
    if (first.starts_with("seed=")) {
        const auto seed = number_in(first.substr(5));
        if (!seed) return wrong(first, "seed=NUMBER");
        plan.seed = *seed;
        return words.over() || wrong(words.next(), "; behind the seed");
    }
    Rule rule;
    const auto kind = std::ranges::find_if(kAllKinds, [&](const Kind& each) { return each.name == first; });
    if (kind == kAllKinds.end()) return wrong(first, format("seed=NUMBER, or one of {}", known_kinds()));
    rule.kind = &*kind;
    rule.text = text;
    while (!words.over()) {
        const std::string_view word = words.next();
        std::string expected;
        if (!take_trigger(word, rule, expected)) return wrong(word, std::move(expected));
    }
    plan.rules.push_back(std::move(rule));
    return true;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

const std::array<Kind, kKinds>& kinds() { return kAllKinds; }

std::string describe(const LineFault& fault) {
    return format("at character {}: \"{}\": expected {}", fault.position, fault.token, fault.expected);
}

std::optional<Plan> parse_plan(std::string_view line, LineFault& fault) {
    Plan plan;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(';', begin), line.size());
        Words words(line, begin, end);
        if (!words.over() && !take_item(words, trimmed(line.substr(begin, end - begin)), plan, fault))
            return std::nullopt;
        begin = end + 1;
    }
    return plan;
}

}  // namespace opennd::faults
