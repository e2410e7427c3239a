// SPDX-License-Identifier: MIT
//
// See status_table.h.
#include "faults/status_table.h"

#include <ndspi.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace opennd::faults {

bool contains(const Statuses& statuses, std::int32_t status) {
    return status == ND_DEVICE_REMOVED || std::find(statuses.begin(), statuses.end(), status) != statuses.end();
}

const StatusRow& StatusTable::row_of(const char* method) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const StatusRow& row) { return std::strcmp(row.method, method) == 0; });
    if (found == rows_.end()) throw std::out_of_range(std::string("no row for ") + method);
    return *found;
}

}  // namespace opennd::faults
