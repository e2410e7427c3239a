// SPDX-License-Identifier: MIT
//
// Work in a child process.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace opennd::faults {

// The result of `work` in a child of fork. Nothing of gtest is used there.
inline bool in_child(const std::function<bool()>& work) {
    const pid_t child = fork();
    if (child == 0) _exit(work() ? 0 : 1);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace opennd::faults
