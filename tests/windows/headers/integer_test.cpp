// SPDX-License-Identifier: MIT
// Integers: their limits, their bits and bytes, pointers as such, and sums that tell when they do not fit.
#include <gtest/gtest.h>
#include <intrin.h>
#include <intsafe.h>
#include <windows.h>

#include <cstdint>

namespace opennd {
namespace {

static_assert(MAXUINT8 == 255 && MAXINT8 == 127 && MININT8 == -128);
static_assert(MAXUINT16 == 65535 && MAXINT16 == 32767 && MININT16 == -32768);
static_assert(MAXINT32 == 2147483647 && MAXINT64 == 9223372036854775807 && MAXLONG_PTR == MAXINT64);
static_assert(ANYSIZE_ARRAY == 1);

TEST(Bytes, AreTurnedRound) {
    EXPECT_EQ(_byteswap_ushort(0x0102), 0x0201);
    EXPECT_EQ(_byteswap_ulong(0x01020304), 0x04030201u);
    static_assert(sizeof(_byteswap_ulong(0)) == 4);
    EXPECT_EQ(_byteswap_uint64(0x0102030405060708), 0x0807060504030201u);
}

template <typename Index>
void scans() {
    Index at = 77;
    EXPECT_EQ(_BitScanForward(&at, 0), 0);
    EXPECT_EQ(_BitScanReverse64(&at, 0), 0);
    EXPECT_EQ(at, Index{77}) << "left alone";
    EXPECT_NE(_BitScanForward(&at, 0x0000'0A00), 0);
    EXPECT_EQ(at, Index{9});
    EXPECT_NE(_BitScanReverse(&at, 0x0000'0A00), 0);
    EXPECT_EQ(at, Index{11});
    EXPECT_NE(_BitScanReverse(&at, 0x8000'0001), 0);
    EXPECT_EQ(at, Index{31});
    EXPECT_NE(_BitScanForward64(&at, std::uint64_t{1} << 40), 0);
    EXPECT_EQ(at, Index{40});
    EXPECT_NE(BitScanReverse64(&at, ~std::uint64_t{0}), 0);
    EXPECT_EQ(at, Index{63});
    EXPECT_EQ(_BitScanForward(&at, static_cast<ULONG>(std::uint64_t{1} << 40)), 0) << "32 bits";
}

TEST(Bits, AreFoundWhateverTheIndexIs) {
    scans<DWORD>();
    scans<unsigned long>();
    scans<int>();
}

TEST(Pointers, AreCutToNumbersAndMadeOfThem) {
    const auto number = reinterpret_cast<void*>(std::uintptr_t{0xFFFF'8000'0000'0004});
    EXPECT_EQ(HandleToUlong(number), 4u);
    EXPECT_EQ(HandleToULong(INVALID_HANDLE_VALUE), 0xFFFFFFFFu);
    EXPECT_EQ(HandleToLong(INVALID_HANDLE_VALUE), -1);
    EXPECT_EQ(LongToHandle(-1), INVALID_HANDLE_VALUE) << "with its sign";
    EXPECT_EQ(ULongToHandle(0xFFFFFFFF), reinterpret_cast<void*>(std::uintptr_t{0xFFFFFFFF})) << "without one";
    EXPECT_EQ(PtrToUlong(number), 4u);
    EXPECT_EQ(IntToPtr(-1), INVALID_HANDLE_VALUE);
    EXPECT_EQ(UIntToPtr(PtrToUInt(ULongToPtr(8))), ULongToPtr(8));
}

constexpr HRESULT kOverflow = static_cast<HRESULT>(0x80070216u);  // INTSAFE_E_ARITHMETIC_OVERFLOW

TEST(SafeIntegers, AreConvertedIfTheyFit) {
    static_assert(INTSAFE_E_ARITHMETIC_OVERFLOW == kOverflow);
    UINT number = 1;
    EXPECT_EQ(IntToUInt(5, &number), S_OK);
    EXPECT_EQ(number, 5u);
    EXPECT_EQ(IntToUInt(-1, &number), kOverflow);
    EXPECT_EQ(number, UINT_ERROR);
    ULONG length = 0;
    EXPECT_EQ(SizeTToULong(0xFFFFFFFF, &length), S_OK);
    EXPECT_EQ(length, 0xFFFFFFFFu);
    EXPECT_EQ(SizeTToULong(0x1'0000'0000, &length), kOverflow);
    EXPECT_EQ(length, ULONG_ERROR);
    INT back = 0;
    EXPECT_EQ(ULongLongToInt(0x7FFFFFFF, &back), S_OK);
    EXPECT_EQ(ULongLongToInt(0x80000000, &back), kOverflow);
    EXPECT_EQ(back, -1);
    CHAR letter = 'x';
    EXPECT_EQ(IntToChar(128, &letter), kOverflow);
    EXPECT_EQ(letter, '\0');
    BYTE byte = 0;
    EXPECT_EQ(IntToByte(255, &byte), S_OK);
    EXPECT_EQ(LongLongToByte(256, &byte), kOverflow);
    EXPECT_EQ(byte, 0xFF);
    USHORT port = 0;
    EXPECT_EQ(DWordToUShort(65535, &port), S_OK);
    EXPECT_EQ(ULongToUShort(65536, &port), kOverflow);
    LONGLONG wide = 0;
    EXPECT_EQ(ULongLongToLongLong(std::uint64_t{1} << 63, &wide), kOverflow);
    UINT_PTR place = 0;
    EXPECT_EQ(LongLongToUIntPtr(-1, &place), kOverflow);
}

TEST(SafeIntegers, AreAddedSubtractedAndMultipliedIfItFits) {
    ULONG sum = 0;
    EXPECT_EQ(ULongAdd(0xFFFFFFFE, 1, &sum), S_OK);
    EXPECT_EQ(sum, 0xFFFFFFFFu);
    EXPECT_EQ(ULongAdd(0xFFFFFFFF, 1, &sum), kOverflow);
    EXPECT_EQ(sum, ULONG_ERROR);
    EXPECT_EQ(ULongSub(1, 2, &sum), kOverflow);
    EXPECT_EQ(DWordMult(0x10000, 0x10000, &sum), kOverflow);
    EXPECT_EQ(DWordMult(0xFFFF, 0x10001, &sum), S_OK);
    EXPECT_EQ(sum, 0xFFFFFFFFu);
    SIZE_T bytes = 0;
    EXPECT_EQ(SizeTMult(SIZE_MAX / 2, 2, &bytes), S_OK);
    EXPECT_EQ(SizeTMult(SIZE_MAX / 2 + 1, 2, &bytes), kOverflow);
    EXPECT_EQ(bytes, SIZE_T_ERROR);
    INT number = 0;
    EXPECT_EQ(IntAdd(MAXINT, 1, &number), kOverflow);
    EXPECT_EQ(IntSub(MININT, 1, &number), kOverflow);
    EXPECT_EQ(IntMult(MININT, -1, &number), kOverflow);
    EXPECT_EQ(number, INT_ERROR);
    USHORT port = 0;
    EXPECT_EQ(UShortAdd(65535, 1, &port), kOverflow);
    EXPECT_EQ(UShortAdd(65534, 1, &port), S_OK);
    LONGLONG wide = 0;
    EXPECT_EQ(LongLongAdd(MAXLONGLONG, 1, &wide), kOverflow);
}

}  // namespace
}  // namespace opennd
