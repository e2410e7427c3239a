// SPDX-License-Identifier: MIT
#include "spi/com_object.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

class Thing final : public ComObject<Thing, IND2Overlapped, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {1, 2, 3, {4}};
    explicit Thing(int& closes) : closes_(closes) {}

    HRESULT STDMETHODCALLTYPE CancelOverlappedRequests() noexcept override { return ND_SUCCESS; }
    HRESULT STDMETHODCALLTYPE GetOverlappedResult(OVERLAPPED*, BOOL) noexcept override { return ND_SUCCESS; }

private:
    void close() override { ++closes_; }
    int& closes_;
};

class ComObjectTest : public testing::Test {
protected:
    ComObjectTest() {
        void* object = nullptr;
        thing_ = make_ref<Thing>(closes_);
        thing_->hand_out(&object);
        client_ = static_cast<IND2Overlapped*>(object);
    }

    int closes_ = 0;
    Ref<Thing> thing_;
    IND2Overlapped* client_ = nullptr;
};

TEST_F(ComObjectTest, AnswersForItsInterfacesWithOnePointer) {
    proves("ND2-COM-01", "ND2-COM-02");
    void* found = &closes_;
    EXPECT_EQ(client_->QueryInterface(IID_IND2Connector, &found), E_NOINTERFACE);
    EXPECT_EQ(found, nullptr);
    EXPECT_EQ(client_->QueryInterface(IID_IUnknown, nullptr), E_POINTER);
    EXPECT_EQ(client_->QueryInterface(IID_IUnknown, &found), S_OK);
    EXPECT_EQ(found, client_);
    EXPECT_EQ(client_->Release(), 1u);
    EXPECT_EQ(client_->Release(), 0u);
}

TEST_F(ComObjectTest, CountsTheProgramsReferencesOnly) {
    proves("ND2-COM-05", "ND2-COM-06");
    const Ref<Thing> internal = thing_;
    EXPECT_EQ(client_->AddRef(), 2u);
    EXPECT_EQ(client_->Release(), 1u);
    EXPECT_EQ(closes_, 0);
    EXPECT_EQ(client_->Release(), 0u);
    EXPECT_EQ(closes_, 1);
}

TEST_F(ComObjectTest, SurvivesAReleaseTooManyWhileSomethingInternalHoldsIt) {
    proves("ND2-COM-07");
    EXPECT_EQ(client_->Release(), 0u);
    EXPECT_EQ(client_->Release(), 0u);
    EXPECT_EQ(closes_, 1);
}

TEST_F(ComObjectTest, IsRecognisedByItsPrivateIdentifier) {
    proves("ND2-GEN-06");
    EXPECT_EQ(own_object<Thing>(client_), thing_);
    EXPECT_EQ(own_object<Thing>(nullptr), nullptr);
    EXPECT_EQ(client_->Release(), 0u) << "recognising left a reference";
}

}  // namespace
}  // namespace opennd
