// SPDX-License-Identifier: MIT
#include "check/transport/request_book.h"

#include <gtest/gtest.h>

#include <array>

#include "check/transport/checked_parts.h"

namespace opennd {
namespace {

class RequestBookTest : public testing::Test {
protected:
    // The number of a request that the queue pair has accepted.
    std::uint64_t post(Operation operation, std::uintptr_t context, bool silent = false) {
        PostedRequest request;
        request.operation = operation;
        request.context = reinterpret_cast<void*>(context);
        request.silent = silent;
        request.memory = {{memory.data(), 16, Token::none}};
        request.room = room;
        request.counted = !silent;
        if (request.counted) room->expect();
        const std::uint64_t number = book->open(std::move(request));
        parts.requests.add(number, book);
        book->accepted(number);
        return number;
    }
    std::uintptr_t settle(std::uint64_t number, Status status = Status::success) {
        Completion completion;
        completion.status = status;
        completion.request_context = reinterpret_cast<void*>(number);
        if (const Ref<RequestBook> owner = parts.requests.take(number)) owner->settle(number, completion);
        return reinterpret_cast<std::uintptr_t>(completion.request_context);
    }
    bool is_filled() const { return parts.filled.find({const_cast<std::byte*>(memory.data()), 1, {}}).has_value(); }

    std::array<std::byte, 16> memory{};
    Diagnostics diagnostics{CheckMode::warn};
    CheckedParts parts{diagnostics, {}, {}};
    Ref<ResultRoom> room = make_ref<ResultRoom>(4);
    Ref<RequestBook> book =
        make_ref<RequestBook>(parts.diagnostics, parts.filled, parts.requests, "queue pair", Face::nd2);
};

TEST_F(RequestBookTest, PutsTheProgramsContextBackInAnyOrder) {
    const std::uint64_t first = post(Operation::send, 71), second = post(Operation::receive, 72);
    EXPECT_EQ(settle(second), 72u);
    EXPECT_EQ(settle(first), 71u);
}

TEST_F(RequestBookTest, LeavesAContextThatIsNoNumberAlone) { EXPECT_EQ(settle(4711), 4711u); }

TEST_F(RequestBookTest, KnowsMemoryThatIsFilledUntilTheResult) {
    const std::uint64_t number = post(Operation::receive, 1);
    EXPECT_TRUE(is_filled());
    settle(number);
    EXPECT_FALSE(is_filled());
}

TEST_F(RequestBookTest, ForgetsSilentRequestsWithASuccessBehindThem) {
    const std::uint64_t silent = post(Operation::read, 1, true);
    settle(post(Operation::send, 2));
    EXPECT_FALSE(is_filled());
    EXPECT_FALSE(parts.requests.take(silent));
}

TEST_F(RequestBookTest, KeepsSilentRequestsWithAFailureBehindThem) {
    const std::uint64_t silent = post(Operation::read, 1, true);
    settle(post(Operation::send, 2), Status::canceled);
    EXPECT_EQ(settle(silent, Status::canceled), 1u);
}

TEST_F(RequestBookTest, KeepsASilentRequestThatIsStillBeingPosted) {
    PostedRequest request;
    request.silent = true;
    request.context = reinterpret_cast<void*>(1);
    const std::uint64_t silent = book->open(std::move(request));
    parts.requests.add(silent, book);
    settle(post(Operation::send, 2));
    EXPECT_EQ(settle(silent), 1u);
}

TEST_F(RequestBookTest, CountsResultsThatMayComeUntilTheyAreTaken) {
    const std::uint64_t number = post(Operation::send, 1);
    EXPECT_EQ(room->expect(), 2u);
    room->settle();
    settle(number);
    EXPECT_EQ(room->expect(), 1u);
}

TEST_F(RequestBookTest, KeepsContextsAndNothingElseAfterItsEnd) {
    const std::uint64_t number = post(Operation::receive, 5);
    book->end();
    EXPECT_FALSE(is_filled());
    EXPECT_EQ(room->expect(), 1u);
    EXPECT_FALSE(book->over());
    EXPECT_EQ(settle(number), 5u);
    EXPECT_TRUE(book->over());
}

TEST_F(RequestBookTest, ForgetsRequestsOfAQueueThatIsGone) {
    const std::uint64_t number = post(Operation::send, 5);
    book->end();
    book->forget(*room);
    EXPECT_FALSE(parts.requests.take(number));
    EXPECT_TRUE(book->over());
}

TEST_F(RequestBookTest, TakesARefusedRequestBack) {
    EXPECT_TRUE(book->first_receive());
    const std::uint64_t number = post(Operation::receive, 1);
    EXPECT_FALSE(book->first_receive());
    book->withdraw(number);
    EXPECT_TRUE(book->first_receive());
    EXPECT_FALSE(is_filled());
}

}  // namespace
}  // namespace opennd
