// SPDX-License-Identifier: MIT
// The program in C runs.
#include "c_language.h"

#include <gtest/gtest.h>

TEST(CLanguage, HasTheSame) { EXPECT_EQ(run_c_program(), 0) << "the line of c_language.c"; }
