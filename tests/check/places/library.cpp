// SPDX-License-Identifier: MIT
//
// A library that a program loads, and that misuses OpenND.
#include "places/misuse.h"

extern "C" [[gnu::visibility("default")]] void misuse_of_library() {
    const volatile HRESULT status = open_before_startup();  // place: library
    (void)status;
}
