// SPDX-License-Identifier: MIT
//
// Explanations are sentences put together from parts: their seams must not show.
#pragma once

namespace opennd::support {

// Fails tests by explanations with two commas, two blanks or no words between two signs. A test that sets an error sink of its own is left alone.
void fail_tests_by_broken_sentences();

}  // namespace opennd::support
