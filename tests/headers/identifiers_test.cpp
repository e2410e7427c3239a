// SPDX-License-Identifier: MIT
//
// The interface identifiers: their bytes, and that any number of files may give them storage with INITGUID.
#include <ndcom.h>  // without INITGUID: IID_IUnknown is only declared here ...

#define INITGUID
#include <mana_ndspi.h>
#include <opennd.h>  // ... and the others have storage in this file, and once more in identifiers.c

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "support/requirement.h"

extern "C" const IID* opennd_test_c_identifier(int number);

namespace {

std::string text(REFIID iid) {
    char buffer[37];
    const UINT8* d = iid.Data4;
    std::snprintf(buffer, sizeof buffer, "%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X", iid.Data1, iid.Data2,
                  iid.Data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
    return buffer;
}

TEST(Identifiers, HaveTheirBytes) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(text(IID_IUnknown), "00000000-0000-0000-C000-000000000046");
    EXPECT_EQ(text(IID_IClassFactory), "00000001-0000-0000-C000-000000000046");
    EXPECT_EQ(text(IID_IND2Overlapped), "ABF72719-B016-4A40-A6F7-622791A7044C");
    EXPECT_EQ(text(IID_IND2CompletionQueue), "20CC445E-64A0-4CBB-AA75-F6A7251FDA9E");
    EXPECT_EQ(text(IID_IND2SharedReceiveQueue), "AABD67DC-459A-4DB1-826B-56CFCC278883");
    EXPECT_EQ(text(IID_IND2MemoryWindow), "070FE1F5-0AB5-4361-88DB-974BA704D4B9");
    EXPECT_EQ(text(IID_IND2MemoryRegion), "55DFEA2F-BC56-4982-8A45-0301BE46C413");
    EXPECT_EQ(text(IID_IND2QueuePair), "EEF2F332-B75D-4063-BCE3-3A0BAD2D02CE");
    EXPECT_EQ(text(IID_IND2Connector), "7DD615C4-6B4C-4866-950C-F3B1D25A5302");
    EXPECT_EQ(text(IID_IND2Listener), "65D23D83-3A57-4E02-86A4-350165C2D130");
    EXPECT_EQ(text(IID_IND2Adapter), "D89C798C-4823-4D69-846C-DFDCCFF9E5F3");
    EXPECT_EQ(text(IID_IND2Provider), "49EAE6C1-76C4-46D0-8003-5C2EAA2C9A8E");
    for (const IID& iid : {IID_IND2ManaCompletionQueue, IID_IND2ImmediateCompletionQueue})
        EXPECT_EQ(text(iid), "28925856-4FCC-4479-915C-034426A50B9E");
    for (const IID& iid : {IID_IND2ManaQueuePair, IID_IND2ImmediateQueuePair})
        EXPECT_EQ(text(iid), "8B1811D5-52DD-4084-8119-15C11AB32FB9");
    EXPECT_EQ(text(CLSID_OpenNDProvider), "2C8F2A54-6E43-4F5B-8D1F-4F70656E4E44");
    EXPECT_EQ(text(IID_INDAdapter), "A023C5A0-5B73-43BC-8D20-33AA07E9510F");
    EXPECT_EQ(text(IID_INDOverlapped), "C859E15E-75E2-4FE3-8D6D-0DFF36F02442");
    EXPECT_EQ(text(IID_INDCompletionQueue), "1245A633-2A32-473A-830C-E05D1F869D02");
    EXPECT_EQ(text(IID_INDMemoryWindow), "070FE1F5-0AB5-4361-88DB-974BA704D4B9");
    EXPECT_EQ(text(IID_INDEndpoint), "DBD00EAB-B679-44A9-BD65-E82F3DE12D1A");
    EXPECT_EQ(text(IID_INDConnector), "1BCAF2D1-E274-4AEB-AC57-CD5D4376E0B7");
    EXPECT_EQ(text(IID_INDListen), "BB902588-BA3F-4441-9FE1-3B6795E4E668");
    EXPECT_EQ(text(IID_INDProvider), "0C5DD316-5FDF-47E6-B2D0-2A6EDA8D39DD");
}

TEST(Identifiers, CompareByValue) {
    const IID copy = IID_IND2QueuePair;
    EXPECT_TRUE(copy == IID_IND2QueuePair);
    EXPECT_FALSE(copy != IID_IND2QueuePair);
    EXPECT_TRUE(IsEqualIID(copy, IID_IND2QueuePair));
    EXPECT_TRUE(IsEqualGUID(copy, IID_IND2QueuePair));
    EXPECT_TRUE(InlineIsEqualGUID(copy, IID_IND2QueuePair));
    EXPECT_FALSE(copy == IID_IND2Connector);
    EXPECT_FALSE(IsEqualIID(IID_IUnknown, IID_IClassFactory));
    EXPECT_TRUE(IID_IND2MemoryWindow == IID_INDMemoryWindow) << "one object may serve both versions";
}

TEST(Identifiers, AreOneObjectInCAndCpp) {
    EXPECT_EQ(opennd_test_c_identifier(0), &IID_IUnknown);
    EXPECT_EQ(opennd_test_c_identifier(1), &IID_IND2Adapter);
    EXPECT_EQ(opennd_test_c_identifier(2), &IID_INDAdapter);
}

}  // namespace
