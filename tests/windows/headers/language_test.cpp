// SPDX-License-Identifier: MIT
// Types and macros as C++ programs use them.
#include <gtest/gtest.h>
#include <ntstatus.h>

#include "windows_headers.h"

#include <csignal>
#include <type_traits>

// As programs declare them before they name them in #pragma intrinsic.
extern "C" void _ReadWriteBarrier(void);

namespace opennd {
namespace {

static_assert(std::is_same_v<ULONG, DWORD> && sizeof(ULONG) == 4 && sizeof(long) == 8);
static_assert(std::is_same_v<SIZE_T, size_t> && std::is_same_v<SIZE_T, ULONG_PTR> && std::is_same_v<__int64, INT64>);
static_assert(ULONG_MAX == 0xFFFFFFFFu && LONG_MAX == 0x7FFFFFFF && LONG_MIN < 0 && UINT_MAX == ULONG_MAX);
static_assert(std::is_same_v<decltype(_T('x')), TCHAR> && sizeof(TEXT("ab")) == 3 * sizeof(TCHAR));
static_assert(MAKEWORD(2, 1) == 0x0102 && LOWORD(0x12345678) == 0x5678 && HIWORD(0x12345678) == 0x1234);
static_assert(MAKELONG(2, 1) == 0x10002 && LOBYTE(0x1234) == 0x34 && HIBYTE(0x1234) == 0x12);

DECLARE_HANDLE(HTHING);
DECLARE_HANDLE(HOTHER);
static_assert(!std::is_same_v<HTHING, HOTHER>);

TEST(Arithmetic, TakesTheCommonTypeOfBoth) {
    const ULONG small = 3;
    const SIZE_T large = SIZE_T{1} << 40;
    EXPECT_EQ(min(small, large), 3u);
    EXPECT_EQ(max(small, large), large);
    EXPECT_EQ(min(ULONG_MAX, large), 0xFFFFFFFFu);
    static_assert(min(1, 2) == 1);
    using namespace std;
    EXPECT_EQ(min(4, 5), 4) << "no contradiction to std::min";
}

int annotated(IN int given, OUT int* result, IN OUT OPTIONAL int* both) {
    *result = given + (both ? (*both)++ : 0);
    return *result;
}

TEST(Annotations, OfOldDeclarationsAreNothing) {
    int result = 0;
    int both = 2;
    EXPECT_EQ(annotated(1, &result, &both), 3);
    EXPECT_EQ(both, 3);
}

_Ret_valid_ static int* annotated_too(__in_z const char* text, _Outptr_result_z_ const char** out,
                                      _Outptr_result_maybenull_z_ const char** maybe, _Out_opt_z_cap_(4) char* cut,
                                      _Deref_pre_cap_c_(1) _Deref_out_z_cap_c_(1) char** both,
                                      __deref_inout_bcount_part(1, 1) void** more) {
    __analysis_assume(text != nullptr);
    *out = *maybe = text;
    static int value = static_cast<int>(*text);
    return cut == nullptr && both == nullptr && more == nullptr ? &value : nullptr;
}

TEST(Annotations, OfNewDeclarationsAreNothing) {
    const char *one = nullptr, *other = nullptr;
    EXPECT_EQ(*annotated_too("a", &one, &other, nullptr, nullptr, nullptr), 'a');
    EXPECT_STREQ(one, other);
}

#define OPENND_TEST_TRACE __noop

TEST(Noop, IsACallThatIsNotMadeOrAWordAlone) {
    int calls = 0;
    const auto count = [&] { return ++calls; };
    OPENND_TEST_TRACE("text %d", count());
    __noop(count());
    __noop();
    __noop;
    if (calls == 0)
        OPENND_TEST_TRACE(count());
    else
        __noop;
    EXPECT_EQ(calls, 0);
}

TEST(Barriers, MayBeDeclaredOnceMore) {
    _ReadWriteBarrier();
    _ReadBarrier();
    _WriteBarrier();
    MemoryBarrier();
}

TEST(Exceptions, AreDescribed) {
    EXCEPTION_RECORD record{};
    EXCEPTION_POINTERS pointers = {&record, nullptr};
    EXPECT_EQ(pointers.ExceptionRecord->NumberParameters, 0u);
    static_assert(ARRAYSIZE(record.ExceptionInformation) == 15);
}

struct Base {
    virtual ~Base() = default;
    int first = 0;
};
struct Derived : Base {
    LIST_ENTRY link{};
    int values[3]{};
};
template <typename Type>
struct Linked {
    enum { Offset = FIELD_OFFSET(Type, link) };
};

TEST(Layout, FindsTheStructureAroundAField) {
    Derived object;
    EXPECT_EQ(CONTAINING_RECORD(&object.link, Derived, link), &object);
    EXPECT_EQ(reinterpret_cast<char*>(&object) + Linked<Derived>::Offset, reinterpret_cast<char*>(&object.link));
    SIZE_T count = 2;
    EXPECT_EQ(FIELD_OFFSET(SOCKET_ADDRESS_LIST, Address[count]), 40);
    EXPECT_EQ(SIZEOF_SOCKET_ADDRESS_LIST(count), 40u);
    EXPECT_EQ(_countof(object.values), 3u);
    EXPECT_EQ(ARRAYSIZE(object.values), 3u);
    EXPECT_EQ(RTL_FIELD_SIZE(Derived, values), 12u);
    C_ASSERT(sizeof(LIST_ENTRY) == 16);
}

TEST(Memory, IsFilledUnderWindowsNames) {
    char bytes[4] = {1, 2, 3, 4};
    ZeroMemory(bytes, 2);
    EXPECT_EQ(bytes[1], 0);
    FillMemory(bytes, 4, 9);
    EXPECT_EQ(bytes[3], 9);
    MoveMemory(bytes + 1, "ab", 2);
    CopyMemory(bytes, "c", 1);
    EXPECT_TRUE(RtlEqualMemory(bytes, "cab\x09", 4));
    SecureZeroMemory(bytes, 4);
    EXPECT_EQ(bytes[0], 0);
}

__declspec(align(32)) int aligned;
__declspec(dllexport) int __cdecl exported(int x);
int exported(int x) {
    switch (x) {
        case STATUS_PENDING: x = 0; __fallthrough;
        case ND_CANCELED: return x;
        default:
            __assume(x != 7);
            __noop(x, "nothing");
            UNREFERENCED_PARAMETER(x);
            return 1;
    }
}
__forceinline int inlined() { return 2; }

TEST(Conventions, MeanWhatTheySay) {
#pragma warning(push)
#pragma warning(disable : 4201)
    EXPECT_EQ(reinterpret_cast<ULONG_PTR>(&aligned) % 32, 0u);
    EXPECT_EQ(exported(ND_PENDING), 0);
    EXPECT_EQ(exported(5), 1);
    EXPECT_EQ(inlined(), 2);
#pragma warning(pop)
}

enum class Colour { none = 0, red = 1, green = 2 };
extern "C" {
enum Fruit { apple = 1, pear = 4 };
DEFINE_ENUM_FLAG_OPERATORS(Fruit)
DEFINE_ENUM_FLAG_OPERATORS(Colour)
}
static_assert((Colour::red | Colour::green) == static_cast<Colour>(3) && (apple | pear) == 5);
static_assert((~Colour::red & Colour::green) == Colour::green && (pear ^ pear) == 0);
static_assert(std::is_same_v<decltype(apple | pear), Fruit>&& noexcept(~apple));

TEST(Enumerations, BecomeFlags) {
    Colour colours = Colour::red;
    colours |= Colour::green;
    EXPECT_EQ(colours & Colour::red, Colour::red);
    colours ^= Colour::red;
    colours &= ~Colour::none;
    EXPECT_EQ(colours, Colour::green);
    Fruit fruit = apple;
    (fruit |= pear) ^= apple;
    EXPECT_EQ(fruit, pear);
}

struct DECLSPEC_CACHEALIGN Line {
    char first;
};
static_assert(alignof(Line) == SYSTEM_CACHE_ALIGNMENT_SIZE && MEMORY_ALLOCATION_ALIGNMENT == 16);

_Pre_defensive_ DECLSPEC_ALLOCATOR __kernel_entry static void* annotated_as_in_sdks(
    _In_reads_or_z_opt_(4) const char* text, __drv_freesMem(Mem) void* memory, __notnull int* count,
    _Outref_result_nullonfailure_ int*& result) {
    result = count;
    return text != nullptr ? memory : nullptr;
}

TEST(Annotations, OfWindowsOwnHeadersAreNothing) {
    int count = 0;
    int* result = nullptr;
    EXPECT_EQ(annotated_as_in_sdks("a", &count, &count, result), &count);
    EXPECT_EQ(result, &count);
}

TEST(FastFailDeathTest, EndsTheProcess) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        __fastfail(FAST_FAIL_INVALID_REFERENCE_COUNT),
        [](int status) { return testing::KilledBySignal(SIGILL)(status) || testing::KilledBySignal(SIGTRAP)(status); },
        "");
}

// Names alone: a program that asks for the functions is told that there are none.
TEST(Extensions, OfWinsockAreNotThere) {
    WSADATA data;
    ASSERT_EQ(WSAStartup(MAKEWORD(2, 2), &data), 0);
    const SOCKET s = WSASocket(AF_INET, SOCK_STREAM, IPPROTO_TCP, nullptr, 0, WSA_FLAG_OVERLAPPED);
    GUID accept_ex = WSAID_ACCEPTEX;
    LPFN_ACCEPTEX function = nullptr;
    DWORD bytes = 0;
    EXPECT_EQ(WSAIoctl(s, SIO_GET_EXTENSION_FUNCTION_POINTER, &accept_ex, sizeof accept_ex, &function, sizeof function,
                       &bytes, nullptr, nullptr),
              SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEOPNOTSUPP);
    GUID registered = WSAID_MULTIPLE_RIO;
    RIO_EXTENSION_FUNCTION_TABLE table = {sizeof table, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                          nullptr,      nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
    EXPECT_EQ(WSAIoctl(s, SIO_GET_MULTIPLE_EXTENSION_FUNCTION_POINTER, &registered, sizeof registered, &table,
                       sizeof table, &bytes, nullptr, nullptr),
              SOCKET_ERROR);
    EXPECT_EQ(table.RIOReceive, nullptr);
    const RIO_BUFFERID none = RIO_INVALID_BUFFERID;
    RIO_BUF buffer = {none, 0, 0};
    EXPECT_EQ(buffer.BufferId, RIO_INVALID_BUFFERID);
    closesocket(s);
    WSACleanup();
}

TEST(Statuses, AreThoseOfNetworkDirect) {
    EXPECT_EQ(STATUS_CANCELLED, ND_CANCELED);
    EXPECT_EQ(STATUS_CONNECTION_REFUSED, ND_CONNECTION_REFUSED);
    EXPECT_EQ(STATUS_INVALID_PARAMETER, ND_INVALID_PARAMETER);
    EXPECT_EQ(STATUS_BUFFER_OVERFLOW, ND_BUFFER_OVERFLOW);
    EXPECT_EQ(HRESULT_CODE(HRESULT_FROM_WIN32(ERROR_INVALID_HANDLE)), ERROR_INVALID_HANDLE);
    EXPECT_EQ(MAKE_HRESULT(SEVERITY_ERROR, FACILITY_WIN32, 5), E_ACCESSDENIED);
    EXPECT_EQ(static_cast<DWORD>(E_NOT_VALID_STATE), 0x8007139Fu);
    EXPECT_EQ(static_cast<DWORD>(STATUS_ALREADY_REGISTERED), 0xC0000718u);
}

OPENND_BEGIN_INTERFACES
// Counts its references.
struct Counted final : IUnknown {
    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, LPVOID* object) override {
        *object = IsEqualIID(riid, IID_IUnknown) ? this : nullptr;
        if (*object != nullptr) AddRef();
        return *object != nullptr ? S_OK : E_NOINTERFACE;
    }
    ULONG STDMETHODCALLTYPE AddRef() override { return ++count; }
    ULONG STDMETHODCALLTYPE Release() override { return --count; }
    ULONG count = 1;
};
OPENND_END_INTERFACES

void give(Counted& object, void** out) { object.QueryInterface(IID_IUnknown, out); }

TEST(ComPtr, HoldsOneReference) {
    using Microsoft::WRL::ComPtr;
    Counted object;
    {
        ComPtr<IUnknown> pointer(&object);
        EXPECT_EQ(object.count, 2u);
        ComPtr<IUnknown> copy = pointer;
        EXPECT_EQ(object.count, 3u);
        ComPtr<IUnknown> moved = std::move(copy);
        EXPECT_EQ(object.count, 3u);
        EXPECT_EQ(copy, nullptr);
        EXPECT_EQ(moved, pointer);
        give(object, &moved);
        EXPECT_EQ(object.count, 3u) << "the old one was given up";
        ComPtr<IUnknown> asked;
        EXPECT_EQ(moved.As(IID_IUnknown, &asked), S_OK);
        EXPECT_EQ(asked.Detach()->Release(), 3u);
        EXPECT_EQ(moved.Reset(), 2u);
        moved.Attach(&object);
        moved.Detach();
        EXPECT_TRUE(moved == nullptr && pointer != nullptr);
        EXPECT_EQ(pointer.CopyTo(moved.GetAddressOf()), S_OK);
        EXPECT_EQ(*moved.GetAddressOf(), pointer.Get());
        moved = nullptr;
    }
    EXPECT_EQ(object.count, 1u);
}

}  // namespace
}  // namespace opennd
