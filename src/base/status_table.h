// SPDX-License-Identifier: MIT
// One row for each Status: its name, and its value and meaning in each face. To add a Status, add it to the enum and a row
// here: the table does not compile unless it is whole and in order.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"
#include "ndkstatus.h"
#include "ndstatus.h"

namespace opennd {

// The explanation of a failure that has none of its own: of a result that is fetched after its failure was reported, or of a
// call whose cause lies outside OpenND.
struct StatusMeaning {
    std::string_view limit, remedy, requirement;
};

struct StatusRow {
    Status status;
    const char* name;  // as in the enum
    HRESULT nd2;
    HRESULT nd1;
    NTSTATUS ndk;
    // Where several rows of a face have one value, one of them has the meaning.
    StatusMeaning nd2_meaning = {};
    StatusMeaning nd1_meaning = {};
};

std::span<const StatusRow> status_table();

// A number that is no Status counts as the last one.
const StatusRow& row_of(Status status);

// The meaning of a value in a face, or `unknown`.
template <typename Value>
const StatusMeaning& meaning_of(Value value, Value StatusRow::*face, StatusMeaning StatusRow::*meaning,
                                const StatusMeaning& unknown) {
    for (const StatusRow& row : status_table())
        if (row.*face == value && !(row.*meaning).limit.empty()) return row.*meaning;
    return unknown;
}

}  // namespace opennd
