// SPDX-License-Identifier: MIT
//
// The statuses that each method of a face may give: at once, later (through its OVERLAPPED or its callback), and in the
// results of its requests. From the specification; statuses for wrong arguments alone are left out, for the walk passes
// none.
#pragma once

#include <cstdint>
#include <vector>

namespace opennd::faults {

using Statuses = std::vector<std::int32_t>;  // HRESULT or NTSTATUS

// That the adapter is gone may be said anywhere.
bool contains(const Statuses& statuses, std::int32_t status);

struct StatusRow {
    const char* method;
    Statuses at_once;
    Statuses later = {};
    Statuses result = {};
};

class StatusTable {
public:
    explicit StatusTable(std::vector<StatusRow> rows) : rows_(std::move(rows)) {}

    // Fails the test if there is no such method.
    const StatusRow& row_of(const char* method) const;

private:
    const std::vector<StatusRow> rows_;
};

const StatusTable& nd2_statuses();
const StatusTable& nd1_statuses();
const StatusTable& ndk_statuses();

}  // namespace opennd::faults
