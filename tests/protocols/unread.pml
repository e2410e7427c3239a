/* SPDX-License-Identifier: MIT
 *
 * LinkSocket::ring_again() beside Link::take_packet(): news are taken though no packet is sent for them, because an earlier one is unread.
 * The system's count of what is unread is a variable of the system's, which orders nothing.
 *
 * Lost news are an end state in which the consumer waits for a packet.
 *
 * WITHOUT_PRODUCERS_BARRIER: the producer looks whether a packet is unread before its news can be seen. WITHOUT_CONSUMERS_BARRIER: the
 * consumer looks at the news before it can be seen that the packet is read.
 */
#define THREADS 2
#include "memory.pml"

#define NEWS 0
#define READ 1 /* the earlier packet */

byte packets = 1;

active proctype producer() {
    byte me = 0, read;
    store_release(NEWS, 1);
#ifndef WITHOUT_PRODUCERS_BARRIER
    full_barrier();
#endif
    load(READ, read);
    if
    :: read == 0
    :: else -> waiting[me] == 0; packets++
    fi
}

active proctype consumer() {
    byte me = 1, news;
    do
    :: news == 1 -> break
    :: else ->
        packets > 0;
        packets--;
        hear();
        store(READ, 1);
#ifndef WITHOUT_CONSUMERS_BARRIER
        full_barrier();
#endif
        load(NEWS, news)
    od
}
