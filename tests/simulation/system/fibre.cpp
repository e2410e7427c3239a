// SPDX-License-Identifier: MIT
// x86-64; see fibre.h.
#include "simulation/system/fibre.h"

#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "simulation/system/real.h"

// Registers that a call preserves lie on the stack that is left; its pointer is stored at *save. The thread pointer changes with
// the stack, by an instruction where the kernel lets programs use it. Without a stack to go to, this thread of the system says so
// at *parked, and sleeps for ever on none.
extern "C" void opennd_fibre_switch(void** save, void* stack_pointer, std::uint64_t thread_pointer, std::uint32_t fast,
                                    std::uint32_t* parked);

asm(R"(
.text
.type opennd_fibre_switch, @function
opennd_fibre_switch:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    test %rsi, %rsi
    jz 3f
    mov %rsi, %rsp
    test %ecx, %ecx
    jz 1f
    .byte 0xf3, 0x48, 0x0f, 0xae, 0xd2  /* wrfsbase %rdx */
    jmp 2f
1:  mov $158, %eax
    mov $0x1002, %edi
    mov %rdx, %rsi
    syscall
2:  pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
3:  movl $1, (%r8)
4:  mov $34, %eax
    syscall
    jmp 4b
.size opennd_fibre_switch, . - opennd_fibre_switch
)");

namespace opennd::simulation {
namespace {

constexpr std::size_t kStackBytes = 1024 * 1024;

const bool fast = (::getauxval(AT_HWCAP2) & 2) != 0;  // FSGSBASE
std::vector<Fibre*> unused;
Fibre* running = nullptr;

std::uint64_t own_thread_pointer() {
    std::uint64_t pointer = 0;
    asm("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

// The thread-local variables of this program itself.
class ThreadLocals {
public:
    ThreadLocals() { ::dl_iterate_phdr(&ThreadLocals::look, this); }
    void renew(std::uint64_t thread_pointer) const {
        auto* const begin = reinterpret_cast<std::byte*>(thread_pointer - distance_);
        std::copy_n(image_, image_bytes_, begin);
        std::fill_n(begin + image_bytes_, bytes_ - image_bytes_, std::byte{0});
    }

private:
    // The program itself comes first.
    static int look(dl_phdr_info* info, std::size_t, void* self) {
        auto& own = *static_cast<ThreadLocals*>(self);
        for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            if (part.p_type != PT_TLS) continue;
            own.image_ = reinterpret_cast<const std::byte*>(info->dlpi_addr + part.p_vaddr);
            own.image_bytes_ = part.p_filesz;
            own.bytes_ = part.p_memsz;
            own.distance_ = own_thread_pointer() - reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
        }
        return 1;
    }

    const std::byte* image_ = nullptr;
    std::size_t image_bytes_ = 0, bytes_ = 0;
    std::uint64_t distance_ = 0;  // below the thread pointer
};

}  // namespace

Fibre& Fibre::of_main() {
    static Fibre* const main = [] {
        auto* const made = new Fibre;
        made->thread_pointer_ = own_thread_pointer();
        running = made;
        return made;
    }();
    return *main;
}

Fibre& Fibre::current() { return *running; }

Fibre& Fibre::obtain() {
    of_main();
    if (unused.empty()) return *make();
    Fibre* const fibre = unused.back();
    unused.pop_back();
    return *fibre;
}

Fibre* Fibre::make() {
    auto* const fibre = new Fibre;
    pthread_attr_t attributes;
    pthread_t thread;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, kStackBytes);
    if (real::pthread_create(&thread, &attributes, &Fibre::thread_main, fibre) != 0) {
        std::fputs("simulation: no thread can be made; raise the limit on threads (ulimit -u)\n", stderr);
        std::abort();
    }
    ::pthread_attr_destroy(&attributes);
    while (__atomic_load_n(&fibre->parked_, __ATOMIC_ACQUIRE) == 0) real::sched_yield();
    return fibre;
}

void* Fibre::thread_main(void* self) {
    Fibre& fibre = *static_cast<Fibre*>(self);
    sigset_t all;
    ::sigfillset(&all);
    real::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    fibre.thread_pointer_ = own_thread_pointer();
    opennd_fibre_switch(&fibre.stack_pointer_, nullptr, 0, 0, &fibre.parked_);
    fibre.run();
    return nullptr;
}

void Fibre::run() {
    for (;;) {
        std::function<void()> job;
        job.swap(job_);
        job();
    }
}

void Fibre::prepare(std::function<void()> job) {
    static const ThreadLocals own;
    own.renew(thread_pointer_);
    job_ = std::move(job);
}

void Fibre::switch_to() {
    Fibre* const left = running;
    if (left == this) return;
    running = this;
    opennd_fibre_switch(&left->stack_pointer_, stack_pointer_, thread_pointer_, fast ? 1 : 0, nullptr);
}

void Fibre::give_back() { unused.push_back(this); }

}  // namespace opennd::simulation
