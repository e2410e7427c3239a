// SPDX-License-Identifier: MIT
//
// See left_out.h.
#include "conformance/vocabulary/nd1/left_out.h"

namespace opennd::conformance::nd1 {
namespace {

constexpr const char* kBusy = "a bound window keeps its registration, which has no other release (ND1-AD-DRG-02)";
constexpr const char* kConnector = "an endpoint has one connector, which made it (ND1-CN-CREP-01)";
constexpr const char* kEndOfPeer = "the peer's disconnect flushes nothing (ND1-EP-GEN-21): nd1/connected_test.cpp";
constexpr const char* kGivenUp = "a peer that gave up is told at the call, and has no two ways (ND1-CN-ACC-04)";
constexpr const char* kInline =
    "inline goes by entry, up to the endpoint's own limit (ND1-EP-INL-01 to -07): nd1/posting_test.cpp";
constexpr const char* kLocalEnd = "a local Disconnect ends NotifyDisconnect with success (ND1-AMB-29)";
constexpr const char* kLocalWrite = "every registration can be written locally (ND1-AD-REG-07): nd1/adapter_test.cpp";
constexpr const char* kNotify =
    "errors satisfy every type, each result once (ND1-CQ-NTF-03, -04): nd1/completion_queue_test.cpp";
constexpr const char* kPort = "Listen is one call, on the adapter's own address (ND1-AD-LSN-01): nd1/adapter_test.cpp";
constexpr const char* kReads = "read limits are given to CreateEndpoint: nd1/connection_data_test.cpp";
constexpr const char* kRegion = "registrations are handles, without an object or a remote token: nd1/adapter_test.cpp";
constexpr const char* kStates = "states and what they allow are other ones: nd1/connection_test.cpp";
constexpr const char* kToken = "a window's token is in its descriptor, and is not asked for: nd1/window_test.cpp";
constexpr const char* kTooLong =
    "too much private data is ND_BUFFER_OVERFLOW (ND1-CN-CONN-06): nd1/connection_data_test.cpp";
constexpr const char* kUnconnected = "requests wait for the connection (ND1-EP-GEN-01): nd1/connected_test.cpp";

constexpr LeftOut kEntries[] = {
    {"Accept", "IsRefusedIfTheActiveSideRejects", kGivenUp},
    {"Accept", "IsRefusedIfTheActiveSideReleasesItsConnector", kGivenUp},
    {"Accept", "IsRefusedIfTheActiveSideReleasesItsQueuePair", kGivenUp},
    {"Accept", "OfACanceledConnectIsAborted", kGivenUp},
    {"Connect", "CanceledEndsTheConnectorAndFreesTheQueuePair", kStates},
    {"Connect", "CanceledLeavesAQueuePairThatConnectsWithAnotherConnector", kStates},
    {"Connect", "NamesBothAddressesOnBothSides", kStates},
    {"Connect", "OfAQueuePairInUseIsConnectionActive", kConnector},
    {"Connect", "ToTheUnspecifiedAddressIsABadNetworkName", "it is an invalid address (ND1-CN-CONN-03)"},
    {"Connect", "WithTheSameFourTupleAsALiveConnectionFails", kConnector},
    {"ConnectorState", "*", kStates},
    {"Disconnect", "ByReleaseOfTheQueuePair", kLocalEnd},
    {"Disconnect", "EndsTheQueuePairForGood", kConnector},
    {"Disconnect", "FlushesThePeerWithoutAnyCallThere", kEndOfPeer},
    {"Disconnect", "TellsBothSides", kLocalEnd},
    {"Establish", "GivesReceivedDataWithoutWaitingForAccept", kUnconnected},
    {"Establish", "PutsTheNegotiatedReadLimitsInForce", kReads},
    {"Listeners", "BindAndListenOnce", kPort},
    {"Listeners", "BoundToPortZeroKnowTheirPortBeforeListening", kPort},
    {"Listeners", "BoundToTheUnspecifiedAddressReportTheAdapters", kPort},
    {"Listeners", "OfAnotherHostsAddressAreRefused", kPort},
    {"Listeners", "ShareNoAddress", kPort},
    {"Listeners", "ShareNoPortBetweenUnspecifiedAndSpecific", kPort},
    {"MemoryRegions", "CannotBeRegisteredTwiceAtOnce", kRegion},
    {"MemoryRegions", "HaveNewTokensAtEachRegistration", kRegion},
    {"MemoryRegions", "HaveTokensOnceRegistrationIsComplete", kRegion},
    {"MemoryRegions", "MayOverlapByTheThousands", kRegion},
    {"Notify", "AnyDominatesSolicitedAndLeavesErrors", kNotify},
    {"Notify", "ErrorsIgnoresResultsOfEveryStatus", kNotify},
    {"Notify", "SolicitedCompletesAtOnceForASolicitedResultNotRetrieved", kNotify},
    {"NotifyDisconnect", "AfterThePeerWentCompletesAtOnce", kEndOfPeer},
    {"NotifyDisconnect", "EndsWithTheStatusOfAFailedAccept", kUnconnected},
    {"NotifyDisconnect", "WhileCompleteConnectOrAcceptIsPendingServesTheConnection", kUnconnected},
    {"Posting", "FromTheMomentAcceptWasAcceptedTakesInitiatorRequests", kUnconnected},
    {"Posting", "FromTheMomentCompleteConnectWasAcceptedTakesInitiatorRequests", kUnconnected},
    {"Posting", "InlineBeyondTheInlineSizeIsABufferOverflow", kInline},
    {"Posting", "InlineCountsBytesAndNotSges", kInline},
    {"Posting", "OnAnIdleQueuePairRefusesInitiatorRequests",
     "its Reads and Writes name what only a connection can grant"},
    {"Posting", "TwoSgesFitAQueuePairCreatedForOne", "counts are exact (ND1-CN-CREP-10)"},
    {"PrivateDataExchange", "TooLongForAcceptChangesNothing", kTooLong},
    {"PrivateDataExchange", "TooLongForConnectChangesNothing", kTooLong},
    {"ProtectionData", "RefusesAReadIntoMemoryWithoutLocalWrite", kLocalWrite},
    {"ProtectionData", "RefusesARangeThatWrapsTheAddressSpace", "refused by the descriptor alone (ND1-EP-READ-03)"},
    {"ProtectionData", "RefusesATokenOfAnotherOpenOfTheAdapter", "a window is bound on an endpoint of its own adapter"},
    {"RdmaRead", "IgnoresAStrayInlineFlag", kInline},
    {"RdmaRead", "WithAReadLimitOfZeroIsAnInvalidRequest", kReads},
    {"ReadLimitNegotiation", "*", kReads},
    {"Receive", "AfterThePeerDisconnectedIsAcceptedAndFlushes", kEndOfPeer},
    {"Receive", "IntoAReadSinkAloneIsAnAccessViolation", kLocalWrite},
    {"Receive", "OfAMessageThatArrivedBeforeTheDisconnectSucceeds", kEndOfPeer},
    {"Receive", "SurvivesAFailedConnectAndServesTheNextOne", kConnector},
    {"Receive", "WithoutLocalWriteIsAnAccessViolation", kLocalWrite},
    {"StrictQueues", "AreNeverOverrunByFlushedResults", kNotify},
    {"StrictQueues", "MakeDeadQueuePairsOnceTheyAreDead", "a dead queue takes no endpoint (ND1-CN-CREP-02)"},
    {"Window", "BindFlushedBehindASendLeavesItUnbound", kToken},
    {"Window", "RefusesARangeOutsideItsRegion", "a stale handle is accepted (ND1-EP-BIND-02): nd1/window_test.cpp"},
    {"Window", "StaysBoundToADisconnectedQueuePairUntilThatIsReleased", "it does not (ND1-MW-09): nd1/window_test.cpp"},
    {"WindowData", "BindsAndInvalidatesMayBePipelined", kToken},
    {"WindowData", "EndsWithItsRegion", kBusy},
    {"WindowData", "ForNothingIsAcceptedAndGrantsNothing", "it is refused (ND1-EP-BIND-01): nd1/window_test.cpp"},
    {"WindowData", "InvalidatedRefusesThePeer", kToken},
    {"WindowData", "ReadsSendOnlyMemory", kLocalWrite},
};

}  // namespace

std::span<const LeftOut> left_out() { return kEntries; }

}  // namespace opennd::conformance::nd1
