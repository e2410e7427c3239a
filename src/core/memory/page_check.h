// SPDX-License-Identifier: MIT
// May this list of pages be registered? For fast regions and for memory regions.
#pragma once

#include <string_view>

#include "base/status.h"
#include "model/page_list.h"

namespace opennd {

// invalid_parameter, explained: no pages, or one that does not begin at a multiple of kPageBytes; first_byte beyond the first
// page; no bytes, or more than the pages hold; a range that wraps.
Status check_pages(const PageList& pages, std::string_view operation);

}  // namespace opennd
