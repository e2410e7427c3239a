// SPDX-License-Identifier: MIT
//
// --json, which is one flag everywhere: a document to standard output, or with --output to a file.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdio>
#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace nd {

struct JsonOptions {
    bool json = false;
    std::string output;  // a file; empty: standard output
};

// `what`: the explanation of --json.
void define_json_options(CLI::App& command, JsonOptions& options, const char* what);

// Not thread-safe.
class JsonOutput {
public:
    // Throws std::runtime_error for a file that cannot be made. `otherwise`: where it goes without a file.
    explicit JsonOutput(const JsonOptions& options, std::FILE* otherwise = stdout);
    ~JsonOutput();
    JsonOutput(const JsonOutput&) = delete;
    JsonOutput& operator=(const JsonOutput&) = delete;

    // A document with indents, or one of many, each in a line of its own. Throws std::runtime_error if the file cannot be written;
    // a write error of standard output is main's to tell.
    void print(const nlohmann::ordered_json& document) { write(document, kIndent); }
    void print_line(const nlohmann::ordered_json& document) { write(document, kInOneLine); }

private:
    static constexpr int kIndent = 2, kInOneLine = -1;
    void write(const nlohmann::ordered_json& document, int indent);

    const std::string name_;  // of the file; empty: there is none
    std::FILE* const file_;
};

// The word behind --json in a command line that is no option, and may be meant as a file; nothing where there is none.
std::optional<std::string> word_behind_json(std::span<char* const> words);
// Such a word that is no argument of any command: "-", a path, a name with .json.
bool is_file_name(const std::string& word);
// The line that says how to name a file.
std::string file_usage(const std::string& word);

}  // namespace nd
