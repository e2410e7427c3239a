// SPDX-License-Identifier: MIT
//
// Read json_output.h first.
#include "usage/json_output.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace nd {
namespace {

constexpr std::string_view kFlag = "--json";

[[noreturn]] void fail_file(const std::string& name) {
    throw std::runtime_error("cannot write " + name + ": " + std::strerror(errno));
}

std::FILE* opened(const std::string& name, std::FILE* otherwise) {
    if (name.empty()) return otherwise;
    std::FILE* const file = std::fopen(name.c_str(), "we");
    if (file == nullptr) fail_file(name);
    return file;
}

}  // namespace

void define_json_options(CLI::App& command, JsonOptions& options, const char* what) {
    CLI::Option* json = command.add_flag("--json", options.json, what);
    command.add_option("--output", options.output, "The JSON goes to this file, not to standard output")
        ->type_name("FILE")
        ->needs(json);
}

JsonOutput::JsonOutput(const JsonOptions& options, std::FILE* otherwise)
    : name_(options.output), file_(opened(options.output, otherwise)) {}

JsonOutput::~JsonOutput() {
    if (!name_.empty()) std::fclose(file_);
}

void JsonOutput::write(const nlohmann::ordered_json& document, int indent) {
    const bool written = std::fprintf(file_, "%s\n", document.dump(indent).c_str()) >= 0 && std::fflush(file_) == 0;
    if (!written && !name_.empty()) fail_file(name_);
}

std::optional<std::string> word_behind_json(std::span<char* const> words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--") break;
        if (word.starts_with(kFlag) && word.substr(kFlag.size()).starts_with('='))
            return std::string(word.substr(kFlag.size() + 1));
        if (word != kFlag || i + 1 == words.size()) continue;
        const std::string_view next = words[i + 1];
        if (next == "-" || !next.starts_with('-')) return std::string(next);
    }
    return std::nullopt;
}

bool is_file_name(const std::string& word) {
    return word == "-" || word.ends_with(".json") || word.find('/') != std::string::npos;
}

std::string file_usage(const std::string& word) {
    if (word == "-") return "--json takes no file name: it prints to standard output as it is";
    return "--json takes no file name, as '" + word + "'; it prints to standard output, or with --output " + word +
           " to that file";
}

}  // namespace nd
