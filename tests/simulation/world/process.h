// SPDX-License-Identifier: MIT
// A simulated process, and the machine that it runs on.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/address.h"

namespace opennd {
class Library;
}

namespace opennd::simulation {

class Machine {
public:
    Machine(std::uint32_t number, std::vector<Address> addresses) : number_(number), addresses_(std::move(addresses)) {}

    std::uint32_t number() const { return number_; }
    const std::vector<Address>& addresses() const { return addresses_; }
    bool has(const Address& address) const {
        for (const Address& own : addresses_)
            if (own.with_port(0) == address.with_port(0)) return true;
        return false;
    }

private:
    const std::uint32_t number_;
    const std::vector<Address> addresses_;
};

class Process {
public:
    static constexpr const char* kServiceThread = "service";

    Process(Machine& machine, std::string name, int id) : machine_(machine), name_(std::move(name)), id_(id) {}
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    Machine& machine() const { return machine_; }
    const std::string& name() const { return name_; }
    int id() const { return id_; }
    // Called before one of its threads runs: puts the globals of this process in place.
    void enter() const {
        if (on_enter_) on_enter_();
    }
    void on_enter(std::function<void()> function) { on_enter_ = std::move(function); }
    // When it was killed: its threads are gone, and its files are closed.
    void die() const {
        if (on_death_) on_death_();
    }
    void on_death(std::function<void()> function) { on_death_ = std::move(function); }

    // None of its threads runs; its machine acknowledges what arrives.
    bool stopped() const { return stopped_; }
    void set_stopped(bool stopped) {
        stopped_ = stopped;
        if (stopped) ++stops_;
    }
    // How often it was stopped.
    int stops() const { return stops_; }

    // The library as this process has it; null: not yet, or no more.
    Library* library() const { return library_; }
    void set_library(Library* library) { library_ = library; }

    // All of its environment. Null: the variable is not set.
    void set(const std::string& variable, std::string value) { environment_[variable] = std::move(value); }
    char* variable(const std::string& name) {
        const auto found = environment_.find(name);
        return found == environment_.end() ? nullptr : found->second.data();
    }

private:
    Machine& machine_;
    const std::string name_;
    const int id_;
    std::function<void()> on_enter_, on_death_;
    std::map<std::string, std::string> environment_;
    Library* library_ = nullptr;
    bool stopped_ = false;
    int stops_ = 0;
};

}  // namespace opennd::simulation
