// SPDX-License-Identifier: MIT
//
// Read explain.h first.
#include "explain/explain.h"

#include "explain/requirements.h"
#include "explain/status_table.h"
#include "opennd.h"
#include "text/nearest_word.h"
#include "text/wrapped_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace nd {
namespace {

constexpr std::string_view kBlank = " ";

std::string_view first_name(const StatusRow& row) {
    const std::string_view names = row.names;
    return names.substr(0, names.find(' '));
}

bool has_name(const StatusRow& row, std::string_view wanted) {
    for (std::string_view rest = row.names; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == wanted) return true;
        rest.remove_prefix(std::min(end + kBlank.size(), rest.size()));
    }
    return false;
}

constexpr std::size_t kHexDigits = 8;  // that "%08x" prints of a status

bool is_printed_without_prefix(std::string_view text) {
    const auto is_hex = [](unsigned char letter) { return std::isxdigit(letter) != 0; };
    return text.size() == kHexDigits && std::all_of(text.begin(), text.end(), is_hex);
}

// Reads a status as programs print it: hexadecimal, also by "%08x", or decimal with a sign or without.
std::optional<HRESULT> parse_number(const std::string& text) {
    if (is_printed_without_prefix(text)) return static_cast<HRESULT>(std::strtoul(text.c_str(), nullptr, 16));
    char* end = nullptr;
    errno = 0;
    const long long value = std::strtoll(text.c_str(), &end, 0);
    if (text.empty() || *end != '\0' || errno != 0 || value < INT32_MIN || value > UINT32_MAX) return std::nullopt;
    return static_cast<HRESULT>(static_cast<std::uint32_t>(value));
}

// The names of all statuses, rules and requirements.
std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (const StatusRow& row : status_table())
        std::ranges::copy(CLI::detail::split(row.names, ' '), std::back_inserter(names));
    ULONG count = 0;
    const opennd_check_rule* const rules = opennd_check_rules(&count);
    for (ULONG i = 0; i < count; ++i) names.emplace_back(rules[i].id);
    std::ranges::move(requirement_ids(), std::back_inserter(names));
    return names;
}

const StatusRow& find_row(const std::string& wanted) {
    const std::optional<HRESULT> number = parse_number(wanted);
    for (const StatusRow& row : status_table())
        if (number ? row.value == *number : has_name(row, wanted)) return row;
    throw std::invalid_argument("explain: no status is \"" + wanted + "\", no rule and no requirement" +
                                did_you_mean(wanted, all_names()) +
                                "\n  `nd explain` and `nd explain --checks` list those that there are");
}

const char* title(Face face) {
    switch (face) {
        case nd2: return "Network Direct version 2";
        case nd1: return "Network Direct version 1";
        case ndk: return "NDKPI";
    }
    return "";
}

void print_uses(const StatusRow& row, Face face) {
    bool first = true;
    for (const StatusUse& use : row.uses) {
        if ((use.faces & face) == 0) continue;
        if (first) std::printf("\n%s\n", title(face));
        first = false;
        print_wrapped("  ", std::string(use.operation) + ": " + use.why);
    }
}

void print_row(const StatusRow& row) {
    const std::string_view own = first_name(row), names = row.names;
    std::printf("%.*s (0x%08X)%s\n", static_cast<int>(own.size()), own.data(), static_cast<std::uint32_t>(row.value),
                SUCCEEDED(row.value) ? ", which succeeds" : "");
    if (own.size() != names.size()) print_wrapped("also ", row.names + own.size() + 1);
    std::printf("\n");
    print_wrapped("", row.meaning);
    for (const Face face : {nd2, nd1, ndk}) print_uses(row, face);
    std::printf("\nWhat to change\n");
    print_wrapped("  ", row.remedy);
}

const opennd_check_rule* find_rule(const std::string& wanted) {
    ULONG count = 0;
    const opennd_check_rule* const rules = opennd_check_rules(&count);
    for (ULONG i = 0; i < count; ++i)
        if (wanted == rules[i].id) return &rules[i];
    return nullptr;
}

void print_rule(const opennd_check_rule& rule) {
    std::printf("%s, a %s of the checking layer (OPENND_CHECK)\n\n", rule.id, rule.note ? "note" : "rule");
    print_wrapped("", rule.title);
    std::printf("\n");
    print_wrapped("", rule.meaning);
    std::printf("\nWhat to change\n");
    print_wrapped("  ", rule.remedy);
}

void print_requirement(const std::string& id, const Requirement& requirement) {
    std::printf("%s, a requirement on OpenND (docs/requirements/%.*s)\n\n", id.c_str(),
                static_cast<int>(requirement.page.size()), requirement.page.data());
    print_wrapped("", requirement.text);
}

void print_row_of_list(const std::string& name, const char* meaning) {
    std::string label = name;
    label.resize(std::max<std::size_t>(label.size() + 1, 27), ' ');
    print_wrapped(label, meaning);
}

void list_rules() {
    ULONG count = 0;
    const opennd_check_rule* const rules = opennd_check_rules(&count);
    for (ULONG i = 0; i < count; ++i) print_row_of_list(rules[i].id, rules[i].title);
}

}  // namespace

void define_explain_options(CLI::App& command, ExplainOptions& options) {
    command.description(
        "The meaning of a status, its sources and the remedy; a rule of the checking layer; or a requirement that an "
        "explanation cites. For the failure of a particular call see opennd_last_error and OPENND_LOG=warn");
    command.add_option("STATUS", options.status,
                       "Name (ND_IO_TIMEOUT) or number (0xC00000B5, c00000b5, -1073741643) of the status, a rule "
                       "(CHECK-LEAK) or a requirement (ND2-QP-SEND-03); nothing for a list of statuses");
    command.add_flag("--checks", options.checks, "A list of the rules of the checking layer");
}

int run_explain(const ExplainOptions& options) {
    if (options.checks) return list_rules(), 0;
    if (const opennd_check_rule* const rule = find_rule(options.status)) return print_rule(*rule), 0;
    if (const auto requirement = find_requirement(options.status))
        return print_requirement(options.status, *requirement), 0;
    if (!options.status.empty()) {
        print_row(find_row(options.status));
        return 0;
    }
    for (const StatusRow& row : status_table()) {
        const std::string_view own = first_name(row);
        char label[64] = "";
        std::snprintf(label, sizeof label, "0x%08X  %-34.*s ", static_cast<std::uint32_t>(row.value),
                      static_cast<int>(own.size()), own.data());
        print_wrapped(label, row.meaning);
    }
    return 0;
}

}  // namespace nd
