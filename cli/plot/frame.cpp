// SPDX-License-Identifier: MIT
//
// Read frame.h first.
#include "plot/frame.h"

#include "plot/markup.h"
#include "text/wrapped_text.h"

namespace nd {
namespace {

constexpr double kLine = 19, kEdge = 6;
constexpr std::size_t kTitleLetters = 50;
constexpr double kSample = 32;  // of a line, beside its name
constexpr double kLetter = 8;

using TextOf = std::string (*)(double);

bool overlap(const std::vector<double>& marks, std::size_t step, const Scale& x, TextOf text_of) {
    for (std::size_t i = step; i < marks.size(); i += step) {
        const double room = x.place(marks[i]) - x.place(marks[i - step]);
        if (room < (width_of(text_of(marks[i])) + width_of(text_of(marks[i - step]))) / 2 + kLetter) return true;
    }
    return false;
}

std::string with_kind(const std::string& name, const Scale& scale) {
    return scale.logarithmic() ? name + ", logarithmic" : name;
}

}  // namespace

std::string line_between(const char* name, double x1, double y1, double x2, double y2) {
    return element("line", {{"class", name},
                            {"x1", coordinate(x1)},
                            {"y1", coordinate(y1)},
                            {"x2", coordinate(x2)},
                            {"y2", coordinate(y2)}});
}

std::string label_at(const std::string& text, double x, double y, const char* anchor) {
    return text_element("text", text, {{"x", coordinate(x)}, {"y", coordinate(y)}, {"text-anchor", anchor}});
}

double width_of(const std::string& text) { return kLetter * static_cast<double>(text.size()); }

Frame::Frame(const Labels& labels, double height, double left)
    : labels_(labels), height_(height), left_(left), top_(kEdge) {
    for (const std::string& line : wrapped(labels.title, kTitleLetters)) {
        top_ += kLine;
        content_ += text_element("text", line, {{"class", "title"}, {"x", coordinate(kEdge)}, {"y", coordinate(top_)}});
    }
    top_ += kLine;
    end_ = bottom();
}

void Frame::add_y(const Scale& y) {
    add(label_at(with_kind(labels_.y, y), kEdge, top_, "start"));
    top_ += kLine;
    end_ = bottom();
    for (const double tick : y.ticks()) {
        const double at = bottom() - y.place(tick);
        add(line_between("grid", left_, at, kRight, at) + label_at(tick_text(tick), left_ - 7, at + 5, "end"));
    }
}

void Frame::add_x(const Scale& x, const std::string& name, const std::vector<double>& marks,
                  std::string (*text_of)(double)) {
    add(line_between("axis", left_, bottom(), kRight, bottom()));
    std::size_t step = 1;
    while (overlap(marks, step, x, text_of)) ++step;
    for (std::size_t i = 0; i < marks.size(); i += step) {
        const double at = x.place(marks[i]);
        add(line_between("axis", at, bottom(), at, bottom() + 5) +
            label_at(text_of(marks[i]), at, bottom() + 20, "middle"));
    }
    end_ = bottom() + 20 + kLine;
    add(label_at(with_kind(name, x), (left_ + kRight) / 2, end_, "middle"));
}

void Frame::add_names(const std::vector<Series>& series, const std::vector<Look>& looks) {
    constexpr double kBetween = 8;
    double x = kEdge;
    end_ += kLine + kEdge;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const double width = kSample + kBetween + width_of(series[i].name) + 2 * kBetween;
        if (x > kEdge && x + width > kWidth) {
            x = kEdge;
            end_ += kLine + 2;
        }
        const double middle = end_ - 5;
        add(element("g", {{"class", looks[i].name}},
                    element("line", {{"class", "line"},
                                     {"x1", coordinate(x)},
                                     {"y1", coordinate(middle)},
                                     {"x2", coordinate(x + kSample)},
                                     {"y2", coordinate(middle)},
                                     {"stroke-width", coordinate(looks[i].width)},
                                     {"stroke-dasharray", looks[i].dashes}}) +
                        mark(looks[i], x + kSample / 2, middle)) +
            label_at(series[i].name, x + kSample + kBetween, end_, "start"));
        x += width;
    }
}

std::string Frame::picture() const {
    std::string told = text_element("title", labels_.title);
    if (!labels_.description.empty()) told += text_element("desc", labels_.description);
    return element("svg",
                   {{"xmlns", "http://www.w3.org/2000/svg"},
                    {"viewBox", "0 0 " + coordinate(kWidth) + " " + coordinate(end_ + 2 * kEdge)},
                    {"role", "img"},
                    {"aria-label", labels_.title}},
                   told + content_);
}

}  // namespace nd
