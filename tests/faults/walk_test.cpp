// SPDX-License-Identifier: MIT
//
// Each call of the system fails once, for each reason that it can have, while two sides do all there is to do: no method
// gives a status that its table lacks, every request ends, nothing is left behind, and the next time all of it works. Requirements
// ND2-GEN-02, ND2-QP-STAT-03.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <string>

#include "faults/conversation.h"
#include "faults/failing_calls.h"
#include "support/process_resources.h"
#include "support/requirement.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using support::proves;

struct Parameter {
    const char* transport;
    Cause cause;
};

std::string name_of(const testing::TestParamInfo<Parameter>& info) {
    constexpr const char* kCauses[] = {"exhausted", "forbidden", "absent"};
    return std::string(info.param.transport) + "_" + kCauses[static_cast<int>(info.param.cause)];
}

class Walk : public testing::TestWithParam<Parameter> {
protected:
    // Far more than there are; a conversation that makes more does not end.
    static constexpr long kMostCalls = 2000;

    static void walk(const Parameter& parameter) {
        ASSERT_EQ(opennd_transport_select(parameter.transport), ND_SUCCESS);
        ASSERT_TRUE(Conversation().run()) << "without a failure";
        for (long number = 0; number < kMostCalls; ++number) {
            std::string text;
            {
                Conversation conversation;
                const FailingCall failing(number, parameter.cause);
                conversation.run();
                text = "call " + std::to_string(number) + ", " + failing.text() + ": ";
                for (const std::string& finding : conversation.findings()) ADD_FAILURE() << text << finding;
                if (!failing.failed()) return;
            }
            Conversation next;
            EXPECT_TRUE(next.run()) << text << "what comes next fails";
            for (const std::string& finding : next.findings()) ADD_FAILURE() << text << "and next, " << finding;
        }
        FAIL() << "a conversation that does not end";
    }
};

TEST_P(Walk, NoFailureOfACallGivesAStatusThatTheTableLacks) {
    proves("ND2-GEN-02", "ND2-QP-STAT-03", "ND2-CQ-GET-03");
    walk(GetParam());
    const auto before = support::settled_resources();
    EXPECT_TRUE(Conversation().run()) << "after all the failures";
    EXPECT_TRUE(support::settled_resources().within(before));
}

INSTANTIATE_TEST_SUITE_P(, Walk,
                         testing::Values(Parameter{"loopback", Cause::exhausted},
                                         Parameter{"loopback", Cause::forbidden}, Parameter{"loopback", Cause::absent},
                                         Parameter{"shm", Cause::exhausted}, Parameter{"shm", Cause::forbidden},
                                         Parameter{"shm", Cause::absent}, Parameter{"iwarp", Cause::exhausted},
                                         Parameter{"iwarp", Cause::forbidden}, Parameter{"iwarp", Cause::absent}),
                         name_of);

// What a process makes once it makes for its first adapter, so that each call fails in a child of its own.
class FirstAdapter : public testing::Test {
protected:
    enum class End { as_the_table_says, otherwise, without_a_failure };

    static End open_with_failure(long number, Cause cause) {
        const pid_t child = fork();
        if (child == 0) _exit(static_cast<int>(open_in_child(number, cause)));
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status)) << "call " << number;
        return static_cast<End>(WEXITSTATUS(status));
    }

private:
    static End open_in_child(long number, Cause cause) {
        const support::Startup startup;
        const SocketAddress address = support::loopback_address();
        const FailingCall failing(number, cause);
        support::ComPtr<IND2Adapter> adapter;
        const HRESULT status =
            NdOpenAdapter(IID_IND2Adapter, support::as_sockaddr(address), sizeof address, adapter.out());
        if (!failing.failed()) return End::without_a_failure;
        const auto known =
            support::is_one_of(status, {ND_SUCCESS, ND_INVALID_ADDRESS, ND_NO_MEMORY, ND_INSUFFICIENT_RESOURCES});
        if (known) return End::as_the_table_says;
        std::cerr << "call " << number << ", " << failing.text() << ": " << known.message() << '\n';
        return End::otherwise;
    }
};

TEST_F(FirstAdapter, NoFailureOfACallGivesAStatusThatTheTableLacks) {
    proves("ND2-GEN-02", "NDS-OPEN-02");
    for (const Cause cause : {Cause::exhausted, Cause::forbidden, Cause::absent}) {
        long number = 0;
        for (End end{}; end != End::without_a_failure; ++number) {
            end = open_with_failure(number, cause);
            ASSERT_NE(end, End::otherwise);
        }
        EXPECT_GT(number, 4) << "calls that failed";
    }
}

}  // namespace
}  // namespace opennd::faults
