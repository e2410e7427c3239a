// SPDX-License-Identifier: MIT
//
// The style sheet of a page with plots and tables: on wide screens and on phones, light and dark.
#pragma once

#include <string>

namespace nd {

// With plot_style(). Classes: "plots" around figures; "wide" around a table, which then scrolls alone; "words" of a table of texts,
// and of cells of text in another.
std::string page_style();

}  // namespace nd
