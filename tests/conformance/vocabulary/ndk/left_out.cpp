// SPDX-License-Identifier: MIT
//
// See left_out.h.
#include "conformance/vocabulary/ndk/left_out.h"

namespace opennd::conformance::ndk {
namespace {

constexpr const char* kArm = "results that were there at an event do not fire the next arm (NDK-CQ-ARM-06)";
constexpr const char* kBacklog = "a listener has one backlog, of 128 (NDK-LIS-04): ndk/listener_test.cpp";
constexpr const char* kBind = "there is no Bind: Listen and Connect judge an address: ndk/listener_test.cpp";
constexpr const char* kBusyAddress = "a local address and port is one object's (NDK-SEP-01): ndk/listener_test.cpp";
constexpr const char* kCancel = "no call takes a request back: objects are closed instead (NDK-GEN-03)";
constexpr const char* kClosePends = "a close waits for what relies on the object (NDK-QP-CLOSE-01, NDK-MR-REG-06)";
constexpr const char* kDestination = "a bad destination is an invalid parameter: ndk/connect_test.cpp";
constexpr const char* kEvent = "the event is not for this side's own end, and flushes nothing (NDK-CON-EVT-01, -03)";
constexpr const char* kFailedQueue = "a queue tells of its failure once (NDK-CQ-ERR-02): ndk/queue_failure_test.cpp";
constexpr const char* kFlush = "Flush ends the connection (NDK-QP-FLUSH-02): ndk/traffic_test.cpp";
constexpr const char* kGivenUp =
    "an active side that gives up aborts the Accept (NDK-CON-REJ-01): ndk/connect_test.cpp";
constexpr const char* kGraceful = "Disconnect lets requests run out first (NDK-CON-DISC-01): ndk/connect_test.cpp";
constexpr const char* kPatient = "a message waits for its receive without limit (NDK-QP-SEND-04): ndk/traffic_test.cpp";
constexpr const char* kPush = "requests are indicated, not asked for";
constexpr const char* kReads = "a Read is refused at the call then (NDK-QP-READ-03): ndk/traffic_test.cpp";
constexpr const char* kRefused = "initiator requests are refused then (NDK-QP-STATE-01, A-35): ndk/traffic_test.cpp";
constexpr const char* kStates = "states and what they allow are other ones: ndk/connect_test.cpp";
constexpr const char* kTaken =
    "what is taken before the callback begins makes none (NDK-CQ-ARM-05): ndk/callback_test.cpp";
constexpr const char* kTooMuch = "too much data is a data overrun as well (NDK-QP-POST-03): ndk/traffic_test.cpp";
constexpr const char* kWindow = "a window's token stays readable, and Bind replaces a binding (NDK-MW-02, -04)";

constexpr LeftOut kEntries[] = {
    {"Accept", "EndsWhenItsQueuePairIsReleased", kClosePends},
    {"Accept", "IsRefusedIfTheActiveSideRejects", kGivenUp},
    {"Accept", "IsRefusedIfTheActiveSideReleasesItsConnector", kGivenUp},
    {"Accept", "IsRefusedIfTheActiveSideReleasesItsQueuePair", kClosePends},
    {"Connect", "CanceledEndsTheConnectorAndFreesTheQueuePair", kCancel},
    {"Connect", "CanceledLeavesAQueuePairThatConnectsWithAnotherConnector", kCancel},
    {"Connect", "EndsWhenItsQueuePairIsReleased", kClosePends},
    {"Connect", "ToPortZeroOrMulticastIsAnInvalidAddress", kDestination},
    {"Connect", "ToTheUnspecifiedAddressIsABadNetworkName", kDestination},
    {"Connect", "WithTheSameFourTupleAsALiveConnectionFails", kBusyAddress},
    {"ConnectorState", "*", kStates},
    {"Disconnect", "ByReleaseOfTheQueuePair", kClosePends},
    {"Disconnect", "FlushesBothQueuesBeforeItCompletes", kGraceful},
    {"Disconnect", "FlushesThePeerWithoutAnyCallThere", kEvent},
    {"Disconnect", "TellsBothSides", kEvent},
    {"Establish", "GivesReceivedDataWithoutWaitingForAccept", kRefused},
    {"Establish", "PutsTheNegotiatedReadLimitsInForce", kReads},
    {"Establish", "TakesThePortOfAListenerFromThePeerAndThatOfAConnectorAsALabel", kBusyAddress},
    {"FailingRequest", "IsCanceledBehindOneThatTimesOut", kPatient},
    {"Flush", "IsFollowedByAnOrderlyDisconnect", kFlush},
    {"Flush", "LeavesTheConnectionAsLongAsThePeerIsSilent", kFlush},
    {"Flush", "ThePeersRequestsTimeOutOnceAndThenFlush", kFlush},
    {"Listeners", "BindAndListenOnce", kBind},
    {"Listeners", "BoundToTheUnspecifiedAddressReportTheAdapters",
     "it stands for all addresses (NDK-LIS-01): ndk/listener_test.cpp"},
    {"Listeners", "CancelTheRequestOfAConnectorThatIsReleased", kPush},
    {"Listeners", "CanceledGiveTheConnectorBack", kPush},
    {"Listeners", "OfAnotherHostsAddressAreRefused", kBind},
    {"Listeners", "RefuseBeyondTheirBacklog", kBacklog},
    {"Listeners", "ReleasedCancelTheirRequests", kPush},
    {"Listeners", "ShareTheirAddressWithConnectors", kBusyAddress},
    {"MemoryRegions", "AreNotWrittenOnceWithdrawnWhileThePeerWrites", kRefused},
    {"Neighbours", "ConnectToTheListenerThatIsThereNow", kBusyAddress},
    {"Notify", "AnyCompletesAtOnceForAResultNotRetrieved", kArm},
    {"Notify", "AnyDominatesSolicitedAndLeavesErrors", kTaken},
    {"Notify", "CancelDisarmsForThoseThatComeLater", kCancel},
    {"Notify", "CancelEndsEveryTypeAndLeavesTheQueueUsable", kCancel},
    {"Notify", "CancelWithNothingPendingSucceeds", kCancel},
    {"Notify", "OneResultCompletesAllOutstandingRequests", kTaken},
    {"Notify", "ReleaseOfTheQueueCancels", kCancel},
    {"Notify", "SolicitedCompletesAtOnceForASolicitedResultNotRetrieved", kArm},
    {"Notify", "SolicitedIgnoresAnUnsolicitedMessage", kTaken},
    {"NotifyDisconnect", "CanceledLeavesTheConnection", kCancel},
    {"NotifyDisconnect", "EndsWithTheStatusOfAFailedAccept", kEvent},
    {"NotifyDisconnect", "WhileCompleteConnectOrAcceptIsPendingServesTheConnection", kEvent},
    {"Posting", "FromTheMomentAcceptWasAcceptedTakesInitiatorRequests", kRefused},
    {"Posting", "FromTheMomentCompleteConnectWasAcceptedTakesInitiatorRequests", kRefused},
    {"Posting", "InErrorAcceptsAndFlushesEverything", kRefused},
    {"Posting", "InErrorKeepsToTheDepth", kRefused},
    {"Posting", "InlineBeyondTheInlineSizeIsABufferOverflow", kTooMuch},
    {"Posting", "MoreThanTheTransferLimitIsABufferOverflow", kTooMuch},
    {"Posting", "SilentRequestsThatFailOrFlushReport", kRefused},
    {"Posting", "TwoSgesFitAQueuePairCreatedForOne", "counts are exact (NDK-QP-POST-03): ndk/traffic_test.cpp"},
    {"ProtectionData", "FlushesWhatWasPostedBehindARefusedRequest", kRefused},
    {"RdmaRead", "IgnoresAStrayInlineFlag", "stray flags are refused (NDK-QP-POST-04): ndk/traffic_test.cpp"},
    {"RdmaRead", "WithAReadLimitOfZeroIsAnInvalidRequest", kReads},
    {"RdmaRead", "PlacesIntoARegionThatIsAReadSinkAlone",
     "a read sink is no right of its own (NDK-QP-READ-06): ndk/rules_test.cpp"},
    {"ResultStatus", "OfAFlush", kRefused},
    {"ResultStatus", "OfAMessageThatNobodyReceives", kPatient},
    {"Send", "LargerThanAnyBufferTimesOutWithoutAReceiveToo", kPatient},
    {"Send", "ThatWaitsForAReceiveReportsTimeoutIfThePeerDisconnects", kGraceful},
    {"Send", "TimesOutIfThePeerNeverPostsAReceive", kPatient},
    {"SharedReceiveNotify", "EndsWithCancelAndTheQueueGoesOn", kCancel},
    {"SharedReceiveNotify", "EndsWithTheReleaseOfTheQueue", kCancel},
    {"SharedReceiveNotify", "PendsForeverWithThresholdZero", "threshold 0 leaves the arm as it is (NDK-SRQ-01)"},
    {"SharedReceives", "AreWaitedForWithoutLimit", kPatient},
    {"SharedReceives", "FreeTheirSlotAlthoughTheQueuePairIsGone", kClosePends},
    {"SharedReceives", "KeepToTheLimitsOfTheirQueue", kTooMuch},
    {"SharedReceives", "ShrinkDownToWhatIsOutstandingAndNoFurther",
     "it is an invalid parameter: ndk/shared_receive_queue_test.cpp"},
    {"SharingReceives", "ReportsTheReceiveOfAMessageThatItsConnectionCutOff", kClosePends},
    {"StrictQueues", "FailForGoodWithTheResultThatHasNoRoom", kFailedQueue},
    {"StrictQueues", "HaveTheRoomThatResizeGives",
     "too small a size is an invalid parameter: ndk/completion_queue_test.cpp"},
    {"StrictQueues", "TakeTheirQueuePairsWithThem", kFailedQueue},
    {"Window", "BindFlushedBehindASendLeavesItUnbound", kWindow},
    {"Window", "CanBeBoundOnceAtATime", kWindow},
    {"Window", "FlushedBindLeavesItUnbound", kRefused},
    {"Window", "StaysBoundToADisconnectedQueuePairUntilThatIsReleased", kWindow},
    {"WindowData", "BindsAndInvalidatesMayBePipelined", kWindow},
    {"WindowData", "EndsWithItsRegion", kClosePends},
    {"WindowData", "ForNothingIsAcceptedAndGrantsNothing", "it is refused: ndk/window_test.cpp"},
    {"WindowData", "InvalidatedRefusesThePeer", kWindow},
};

}  // namespace

std::span<const LeftOut> left_out() { return kEntries; }

}  // namespace opennd::conformance::ndk
