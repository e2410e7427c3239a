// SPDX-License-Identifier: MIT
// The calls of the system that the simulation stands in for, as the system has them.
#pragma once

#include <ifaddrs.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

namespace opennd::simulation::real {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*), void* argument);
int pthread_sigmask(int how, const sigset_t* set, sigset_t* before);
int sched_yield();
int close(int fd);
ssize_t read(int fd, void* to, size_t bytes);
ssize_t write(int fd, const void* from, size_t bytes);
ssize_t preadv2(int fd, const iovec* parts, int count, off_t offset, int flags);
int poll(pollfd* entries, nfds_t count, int timeout_ms);
int ioctl(int fd, unsigned long request, void* argument);
int fcntl(int fd, int command, long argument);
long syscall(long number, long a, long b, long c, long d, long e, long f);
int clock_gettime(clockid_t clock, timespec* time);
ssize_t getrandom(void* to, size_t bytes, unsigned flags);
int getrlimit(int resource, rlimit* limit);
pid_t getpid();
int getifaddrs(ifaddrs** list);
void freeifaddrs(ifaddrs* list);
char* getenv(const char* name);
int pthread_join(pthread_t thread, void** result);
int pthread_detach(pthread_t thread);
int pthread_setname_np(pthread_t thread, const char* name);
int nanosleep(const timespec* time, timespec* left);
ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                         unsigned long remotes, unsigned long flags);
ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                          unsigned long remotes, unsigned long flags);

}  // namespace opennd::simulation::real
