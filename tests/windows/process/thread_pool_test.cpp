// SPDX-License-Identifier: MIT
// Work of the thread pool.
#include <gtest/gtest.h>
#include <windows.h>

#include <atomic>

#include "windows/soon.h"

namespace opennd {
namespace {

struct Job {
    std::atomic<int> calls{0};
    std::atomic<int> inside{0};
    HANDLE begun = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    HANDLE go = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    PTP_WORK work = nullptr;
    DWORD thread = GetCurrentThreadId();

    ~Job() {
        CloseHandle(begun);
        CloseHandle(go);
    }

    static VOID NTAPI count(PTP_CALLBACK_INSTANCE instance, PVOID context, PTP_WORK work) {
        auto* const job = static_cast<Job*>(context);
        EXPECT_NE(instance, nullptr);
        EXPECT_EQ(work, job->work);
        EXPECT_NE(GetCurrentThreadId(), job->thread);
        ++job->calls;
    }
    static VOID NTAPI block(PTP_CALLBACK_INSTANCE, PVOID context, PTP_WORK) {
        auto* const job = static_cast<Job*>(context);
        if (++job->inside == 4) SetEvent(job->begun);
        EXPECT_EQ(WaitForSingleObject(job->go, kSoon), WAIT_OBJECT_0);
        ++job->calls;
    }
    static VOID NTAPI close(PTP_CALLBACK_INSTANCE, PVOID context, PTP_WORK work) {
        CloseThreadpoolWork(work);
        SetEvent(static_cast<Job*>(context)->begun);
    }
};

TEST(ThreadPool, MakesEachCallThatWasAskedFor) {
    Job job;
    job.work = CreateThreadpoolWork(Job::count, &job, nullptr);
    ASSERT_NE(job.work, nullptr);
    WaitForThreadpoolWorkCallbacks(job.work, FALSE);
    EXPECT_EQ(job.calls, 0) << "none was asked for";
    for (int i = 0; i < 1000; ++i) SubmitThreadpoolWork(job.work);
    WaitForThreadpoolWorkCallbacks(job.work, FALSE);
    EXPECT_EQ(job.calls, 1000);
    SubmitThreadpoolWork(job.work);
    WaitForThreadpoolWorkCallbacks(job.work, FALSE);
    EXPECT_EQ(job.calls, 1001);
    CloseThreadpoolWork(job.work);
}

TEST(ThreadPool, MakesCallsWhileOthersBlock) {
    Job job;
    job.work = CreateThreadpoolWork(Job::block, &job, nullptr);
    for (int i = 0; i < 4; ++i) SubmitThreadpoolWork(job.work);
    EXPECT_EQ(WaitForSingleObject(job.begun, kSoon), WAIT_OBJECT_0) << "four at once";
    EXPECT_EQ(job.calls, 0);
    SetEvent(job.go);
    WaitForThreadpoolWorkCallbacks(job.work, FALSE);
    EXPECT_EQ(job.calls, 4);
    CloseThreadpoolWork(job.work);
}

TEST(ThreadPool, DropsCallsThatHaveNotBegunAndWaitsForTheOthers) {
    Job job;
    job.work = CreateThreadpoolWork(Job::block, &job, nullptr);
    for (int i = 0; i < 4; ++i) SubmitThreadpoolWork(job.work);
    EXPECT_EQ(WaitForSingleObject(job.begun, kSoon), WAIT_OBJECT_0);
    SetEvent(job.go);
    for (int i = 0; i < 2000; ++i) SubmitThreadpoolWork(job.work);
    WaitForThreadpoolWorkCallbacks(job.work, TRUE);
    const int made = job.calls;
    EXPECT_EQ(made, job.inside) << "none is under way";
    EXPECT_GE(made, 4);
    EXPECT_LE(made, 2004);
    SubmitThreadpoolWork(job.work);
    WaitForThreadpoolWorkCallbacks(job.work, FALSE);
    EXPECT_EQ(job.calls, made + 1) << "dropped for good, and the work goes on";
    CloseThreadpoolWork(job.work);
}

TEST(ThreadPool, WorkThatIsClosedMakesItsCallsAllTheSame) {
    Job job;
    job.work = CreateThreadpoolWork(Job::block, &job, nullptr);
    for (int i = 0; i < 4; ++i) SubmitThreadpoolWork(job.work);
    CloseThreadpoolWork(job.work);
    EXPECT_EQ(WaitForSingleObject(job.begun, kSoon), WAIT_OBJECT_0);
    SetEvent(job.go);
    while (job.calls < 4) SwitchToThread();
}

TEST(ThreadPool, WorkMayCloseItself) {
    Job job;
    SubmitThreadpoolWork(CreateThreadpoolWork(Job::close, &job, nullptr));
    EXPECT_EQ(WaitForSingleObject(job.begun, kSoon), WAIT_OBJECT_0);
}

TEST(ThreadPool, WorkWithoutAFunctionIsRefused) {
    EXPECT_EQ(CreateThreadpoolWork(nullptr, nullptr, nullptr), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

}  // namespace
}  // namespace opennd
