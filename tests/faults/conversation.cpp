// SPDX-License-Identifier: MIT
//
// See conversation.h.
#include "faults/conversation.h"

#include <ndspi.h>

#include "faults/nd1_conversation.h"
#include "faults/nd2_conversation.h"
#include "faults/ndk_conversation.h"
#include "support/status.h"

namespace opennd::faults {

bool Conversation::run(support::milliseconds patience) {
    const bool all = talk(patience);
    let_go();
    return all && findings_.empty();
}

bool Conversation::at_once(const char* method, std::int32_t status) {
    const bool missing = memory_may_be_missing_ && status == without_memory_;
    if (!missing && !contains(statuses_.row_of(method).at_once, status))
        note(std::string(method) + " gave " + support::status_text(status));
    if (!SUCCEEDED(status)) stop(std::string(method) + " gave " + support::status_text(status));
    return SUCCEEDED(status);
}

bool Conversation::later(const char* method, std::int32_t status) {
    if (!contains(statuses_.row_of(method).later, status))
        note(std::string(method) + " ended with " + support::status_text(status));
    if (status != ND_SUCCESS) stop(std::string(method) + " ended with " + support::status_text(status));
    return status == ND_SUCCESS;
}

bool Conversation::result(const char* request, std::int32_t status, std::uint64_t bytes, std::uint64_t expected) {
    if (!contains(statuses_.row_of(request).result, status))
        note(std::string("the result of a ") + request + " was " + support::status_text(status));
    if (bytes != (status == ND_SUCCESS ? expected : 0))
        note(std::string("the result of a ") + request + " was of " + std::to_string(bytes) + " bytes, with " +
             support::status_text(status));
    if (status != ND_SUCCESS) stop(std::string("the result of a ") + request + " was " + support::status_text(status));
    return status == ND_SUCCESS;
}

std::unique_ptr<Conversation> conversation(Face face) {
    switch (face) {
        case Face::nd2: return std::make_unique<Nd2Conversation>();
        case Face::nd1: return std::make_unique<Nd1Conversation>();
        case Face::ndk: return std::make_unique<NdkConversation>();
    }
    return nullptr;
}

}  // namespace opennd::faults
