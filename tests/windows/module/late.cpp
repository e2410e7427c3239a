// SPDX-License-Identifier: MIT
// A constructor that runs behind those of entered.cpp.
bool entered_late = false;

namespace {

struct Late {
    Late() { entered_late = true; }
    ~Late() { entered_late = false; }
} late;

}  // namespace
