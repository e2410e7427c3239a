// SPDX-License-Identifier: MIT
//
// Api: which version of Network Direct a side calls. The two connect to each other.
#pragma once

#include <string>
#include <string_view>

namespace nd {

enum class Api { nd1, nd2 };

inline const char* name_of(Api api) { return api == Api::nd1 ? "nd1" : "nd2"; }

// The method of an interface of that version, for texts of errors: "Connector::Connect" becomes "IND2Connector::Connect".
inline std::string method_of(Api api, std::string_view method) {
    return (api == Api::nd1 ? "IND" : "IND2") + std::string(method);
}

}  // namespace nd
