// SPDX-License-Identifier: MIT
// See options.h.
#include "transport/capture/options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/format.h"

namespace opennd::capture {
namespace {

constexpr std::array<std::string_view, 3> kWires{"loopback", "shm", "iwarp"};

// The words of a text, taken one after the other.
class Words {
public:
    explicit Words(std::string_view text) : rest_(text) { skip_blanks(); }

    bool over() const { return rest_.empty(); }
    std::string_view next() {
        const std::size_t end = std::min(rest_.find_first_of(" \t"), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end);
        skip_blanks();
        ++taken_;
        return word;
    }
    // The number of the newest word, from 1.
    std::size_t place() const { return taken_; }

private:
    void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

    std::string_view rest_;
    std::size_t taken_ = 0;
};

std::string fault_at(const Words& words, std::string_view word, std::string_view expected) {
    if (word.empty()) return format("the filter ends where {} belongs", expected);
    return format("word {} of the filter is \"{}\": expected {}", words.place(), word, expected);
}

}  // namespace

std::optional<Filter> Filter::parse(std::string_view text, std::string& fault) {
    Filter filter;
    Words words(text);
    if (words.over()) return filter;
    filter.any_.emplace_back();
    for (;;) {
        Term term;
        std::string_view word = words.next();
        while (word == "not" || word == "!") {
            term.negated = !term.negated;
            word = words.next();
        }
        if (word != "host" && word != "port" && word != "wire") {
            fault = fault_at(words, word, "host, port, wire or not");
            return std::nullopt;
        }
        const std::string_view kind = word;
        word = words.next();
        if (kind == "host") {
            const auto address = Address::parse(std::string(word));
            term.kind = Term::Kind::host;
            if (address) term.host = *address;
            if (!address) fault = fault_at(words, word, "an address");
        } else if (kind == "port") {
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), term.port);
            term.kind = Term::Kind::port;
            if (error != std::errc{} || end != word.data() + word.size())
                fault = fault_at(words, word, "a number up to 65535");
        } else {
            term.wire = word;
            if (std::ranges::find(kWires, word) == kWires.end())
                fault = fault_at(words, word, "loopback, shm or iwarp");
        }
        if (!fault.empty()) return std::nullopt;
        filter.any_.back().push_back(std::move(term));
        if (words.over()) return filter;
        word = words.next();
        if (word == "or" || word == "||") {
            filter.any_.emplace_back();
        } else if (word != "and" && word != "&&") {
            fault = fault_at(words, word, "and, or, or the end");
            return std::nullopt;
        }
    }
}

bool Filter::holds(const Term& term, const Address& local, const Address& peer, std::string_view wire) {
    switch (term.kind) {
        case Term::Kind::host: return local.same_host(term.host) || peer.same_host(term.host);
        case Term::Kind::port: return local.port() == term.port || peer.port() == term.port;
        case Term::Kind::wire: return wire == term.wire;
    }
    return false;
}

bool Filter::passes(const Address& local, const Address& peer, std::string_view wire) const {
    if (any_.empty()) return true;
    return std::ranges::any_of(any_, [&](const All& all) {
        return std::ranges::all_of(all,
                                   [&](const Term& term) { return holds(term, local, peer, wire) != term.negated; });
    });
}

}  // namespace opennd::capture
