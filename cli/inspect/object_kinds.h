// SPDX-License-Identifier: MIT
//
// The kinds of objects that `nd show` knows: where a process's answer has them (docs/inspection.md), and their lines.
#pragma once

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace nd {

// A KEY of `nd show --sort`: a member of the kind's objects, or where there is none another one. Numbers of which more is of
// interest come with the greatest first.
struct SortKey {
    const char *word, *place;  // a JSON pointer
    bool greatest_first = false;
    const char* other_place = nullptr;
};

struct ObjectKind {
    const char* word;                   // of `nd show`
    const char* member;                 // of an interface in the answer, or of the answer
    const char* none;                   // the line where there is none
    bool of_objects;                    // asked for by ask_process(pid, Ask::objects)
    bool of_process;                    // a member of the answer, which is left out where there are none
    std::vector<std::string> headings;  // of a TextTable
    std::vector<SortKey> sort_keys;
    // A text for each heading. Throws nlohmann::json::exception: the object has another form than this nd knows.
    std::vector<std::string> (*row)(const nlohmann::ordered_json& object);
};

std::span<const ObjectKind> object_kinds();
// One of them, by its word.
const ObjectKind& object_kind(const std::string& word);

}  // namespace nd
