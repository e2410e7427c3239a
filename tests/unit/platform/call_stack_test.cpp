// SPDX-License-Identifier: MIT
#include "platform/process/call_stack.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace opennd {
namespace {

// The test program holds the library's code itself, as a program does that is linked with the archive.
TEST(CallStackTest, BeginsAtTheCaller) {
    const CallStack stack = program_stack();
    ASSERT_GT(stack.count, 1u);
    EXPECT_NE(stack_text(stack, 1).find("call_stack_test.cpp:"), std::string::npos) << stack_text(stack, 1);
}

TEST(CallStackTest, IsTheSameForOnePlace) {
    CallStack stacks[2];
    const volatile int count = 2;  // not known to the compiler, which would make two calls of one
    for (int i = 0; i < count; ++i) stacks[i] = program_stack();
    EXPECT_EQ(stacks[0], stacks[1]);
    EXPECT_NE(program_stack(), stacks[0]) << "another place";
}

TEST(CallStackTest, NamesAFunctionThatItsFileExports) {
    const void* const function = ::dlsym(RTLD_DEFAULT, "getpid");
    ASSERT_NE(function, nullptr);
    const std::string text = frame_texts(static_cast<const char*>(function) + 1).at(0);
    // In "libc.so.6+0x...", or in a line of the C library where its debug information is installed.
    EXPECT_NE(text.find("getpid in "), std::string::npos) << text;
}

TEST(CallStackTest, NamesAtMostAsManyFramesAsAskedFor) {
    const CallStack stack = program_stack();
    EXPECT_EQ(stack_text(stack, 1).find(" < "), std::string::npos);
    EXPECT_NE(stack_text(stack, 2).find(" < "), std::string::npos);
}

TEST(CallStackTest, OfAThreadOfTheLibraryIsEmpty) { EXPECT_EQ(stack_text({}), ""); }

}  // namespace
}  // namespace opennd
