// SPDX-License-Identifier: MIT
// Trace events, to which nobody listens.
#include <evntprov.h>
#include <gtest/gtest.h>
#include <windows.h>

namespace opennd {
namespace {

TEST(TraceEvents, GoNowhereAndAreChecked) {
    const GUID id = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
    REGHANDLE provider = 0;
    EXPECT_EQ(EventRegister(nullptr, nullptr, nullptr, &provider), 87u);
    ASSERT_EQ(EventRegister(&id, nullptr, nullptr, &provider), 0u);
    EXPECT_NE(provider, 0u);
    EVENT_DESCRIPTOR event;
    EventDescCreate(&event, 7, 1, 2, 3, 4, 5, 6);
    EXPECT_EQ(event.Task, 4);
    EXPECT_EQ(event.Opcode, 5);
    EXPECT_FALSE(EventEnabled(provider, &event));
    EXPECT_FALSE(EventProviderEnabled(provider, 0, 0));
    int value = 42;
    EVENT_DATA_DESCRIPTOR data;
    EventDataDescCreate(&data, &value, sizeof value);
    EXPECT_EQ(data.Size, 4u);
    EXPECT_EQ(data.Ptr, reinterpret_cast<ULONGLONG>(&value));
    EXPECT_EQ(EventWrite(provider, &event, 1, &data), DWORD{ERROR_SUCCESS});
    EXPECT_EQ(EventWrite(provider, &event, 129, &data), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventWriteString(provider, 0, 0, L"text"), DWORD{ERROR_SUCCESS});
    EXPECT_EQ(EventUnregister(provider), DWORD{ERROR_SUCCESS});
    EXPECT_EQ(EventWrite(provider, &event, 1, &data), 6u) << "ERROR_INVALID_HANDLE";
    EXPECT_EQ(EventUnregister(provider), DWORD{ERROR_INVALID_HANDLE});
}

TEST(TraceEvents, CarryTheThreadsIdentifier) {
    GUID made{}, read{};
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &made), 0u);
    EXPECT_NE(made, GUID_NULL);
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &made), 0u);
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &read), 0u);
    EXPECT_EQ(read, made);
    EXPECT_EQ(EventActivityIdControl(9, &read), DWORD{ERROR_INVALID_PARAMETER});
}

}  // namespace
}  // namespace opennd
