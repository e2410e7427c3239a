// SPDX-License-Identifier: MIT
//
// Api: which interface of Network Direct a side calls: version 1 or 2, or the kernel's. All of them connect to each other.
#pragma once

#include <string>

namespace nd {

enum class Api { nd1, nd2, ndk };

inline const char* name_of(Api api) { return api == Api::nd1 ? "nd1" : api == Api::nd2 ? "nd2" : "ndk"; }

// The name of a call, for texts of errors. Methods of the first two differ in the prefix of their interface alone:
// "Connector::Connect" is IND2Connector::Connect. `ndk_function`: the name in a table of ndkpi.h.
inline std::string method_of(Api api, const char* method, const char* ndk_function) {
    if (api == Api::ndk) return ndk_function;
    return (api == Api::nd1 ? "IND" : "IND2") + std::string(method);
}

}  // namespace nd
