// SPDX-License-Identifier: MIT
// A book of checked requests: the memory that they fill, and the results that may come, are known as long as they can be.
#include "transport/watch/request_book.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace opennd::watch {
namespace {

class RequestBookTest : public testing::Test {
protected:
    PostedRequest& open(Operation operation, std::uintptr_t context, bool silent = false) {
        const Sge entry{memory.data(), 16, Token::none};
        const WorkRequest request{.operation = operation,
                                  .flags = silent ? RequestFlags::silent_success : RequestFlags::none,
                                  .context = reinterpret_cast<void*>(context),
                                  .sges = {&entry, 1}};
        auto checked = std::make_unique<CheckedRequest>(request, std::vector{entry}, CallStack{});
        if (operation == Operation::receive || operation == Operation::read) checked->fill(parts.filled);
        if (!silent) checked->expect_result(room);
        PostedRequest& opened = book->open(request);
        book->check(opened, std::move(checked));
        return opened;
    }
    // A request that the queue pair has accepted.
    PostedRequest& post(Operation operation, std::uintptr_t context, bool silent = false) {
        PostedRequest& opened = open(operation, context, silent);
        book->accept(opened, opened.number);
        return opened;
    }
    std::uintptr_t settle(PostedRequest& posted, Status status = Status::success) {
        Completion completion;
        completion.status = status;
        completion.operation = posted.operation;
        completion.request_context = &posted;
        book->settle(completion, now());
        return reinterpret_cast<std::uintptr_t>(completion.request_context);
    }
    bool is_filled() const { return parts.filled.find({const_cast<std::byte*>(memory.data()), 1, {}}).has_value(); }

    std::array<std::byte, 16> memory{};
    Diagnostics diagnostics{CheckMode::warn};
    CheckedParts parts{diagnostics};
    Ref<ResultRoom> room = make_ref<ResultRoom>(4);
    Ref<RequestBook> book = make_ref<RequestBook>("queue pair", nullptr, Face::nd2, 0, &diagnostics);
};

TEST_F(RequestBookTest, PutsTheProgramsContextBackInAnyOrder) {
    PostedRequest &first = post(Operation::send, 71), &second = post(Operation::receive, 72);
    EXPECT_EQ(settle(second), 72u);
    EXPECT_EQ(settle(first), 71u);
}

TEST_F(RequestBookTest, KnowsMemoryThatIsFilledUntilTheResult) {
    PostedRequest& posted = post(Operation::receive, 1);
    EXPECT_TRUE(is_filled());
    settle(posted);
    EXPECT_FALSE(is_filled());
}

TEST_F(RequestBookTest, ForgetsSilentRequestsWithASuccessBehindThem) {
    PostedRequest& silent = post(Operation::read, 1, true);
    settle(post(Operation::send, 2));
    EXPECT_FALSE(is_filled());
    EXPECT_FALSE(book->age_of(&silent));
}

TEST_F(RequestBookTest, KeepsSilentRequestsWithAFailureBehindThem) {
    PostedRequest& silent = post(Operation::read, 1, true);
    settle(post(Operation::send, 2), Status::canceled);
    EXPECT_TRUE(is_filled());
    EXPECT_EQ(settle(silent, Status::canceled), 1u);
}

TEST_F(RequestBookTest, KeepsASilentRequestThatIsStillBeingPosted) {
    PostedRequest& silent = open(Operation::read, 1, true);
    settle(post(Operation::send, 2));
    EXPECT_TRUE(is_filled());
    EXPECT_EQ(settle(silent), 1u);
}

TEST_F(RequestBookTest, CountsResultsThatMayComeUntilTheyAreTaken) {
    PostedRequest& posted = post(Operation::send, 1);
    EXPECT_EQ(room->expect(), 2u);
    room->settle();
    settle(posted);
    EXPECT_EQ(room->expect(), 1u);
}

TEST_F(RequestBookTest, TellsHowManyTheFirstFailureLeavesToBeCanceled) {
    std::string fact;
    set_diagnostic_sink([](void* told, const Diagnostic& each) { static_cast<std::string*>(told)->append(each.fact); },
                        &fact);
    PostedRequest &first = post(Operation::send, 1), &second = post(Operation::write, 2);
    for (const std::uintptr_t context : {3u, 4u}) post(Operation::receive, context);
    settle(first, Status::timed_out);
    EXPECT_NE(fact.find("; 3 more are outstanding"), std::string::npos) << fact;
    fact.clear();
    settle(second, Status::timed_out);
    set_diagnostic_sink(nullptr, nullptr);
    EXPECT_EQ(fact, "") << "it is not the first";
}

TEST_F(RequestBookTest, KeepsContextsAndNothingElseAfterItsEnd) {
    PostedRequest& posted = post(Operation::receive, 5);
    book->end(1);
    EXPECT_EQ(book->ended(), 1u);
    EXPECT_FALSE(is_filled());
    EXPECT_EQ(room->expect(), 1u);
    EXPECT_EQ(settle(posted), 5u);
    EXPECT_EQ(room->expect(), 2u) << "its result counted twice";
}

TEST_F(RequestBookTest, FillsNoMemoryOnceItIsGone) {
    post(Operation::receive, 5);
    book = nullptr;
    EXPECT_FALSE(is_filled());
    EXPECT_EQ(room->expect(), 1u);
}

TEST_F(RequestBookTest, TakesARefusedRequestBack) {
    EXPECT_TRUE(book->before_first_receive());
    PostedRequest& refused = open(Operation::receive, 1);
    EXPECT_FALSE(book->before_first_receive());
    book->refuse(refused, Status::queue_full);
    EXPECT_TRUE(book->before_first_receive());
    EXPECT_FALSE(is_filled());
    EXPECT_EQ(room->expect(), 1u);
}

}  // namespace
}  // namespace opennd::watch
