// SPDX-License-Identifier: MIT
//
// Elements of HTML and SVG as text that is well-formed XML.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace nd {

// For content and for values of attributes.
std::string escape_markup(std::string_view text);

using Attributes = std::initializer_list<std::pair<const char*, std::string>>;

// `content` is markup already; the values of the attributes are escaped here.
std::string element(const char* name, Attributes attributes, const std::string& content = {});

// An element with content that is text.
std::string text_element(const char* name, std::string_view text, Attributes attributes = {});

// A coordinate with one decimal.
std::string coordinate(double value);

}  // namespace nd
