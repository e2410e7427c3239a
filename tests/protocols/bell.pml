/* SPDX-License-Identifier: MIT
 *
 * The bell of a link (src/transport/local/link/link_socket.h): LinkSocket::ring(), and a thread that looks before it sleeps
 * (EventLoop::look_before_sleep()). The producer stores news, rings, and sends a packet unless it was rung already or the other side looks. The consumer
 * looks, says that it looks no more, looks once more, and sleeps until a packet comes.
 *
 * Lost news are an end state in which the consumer waits for a packet.
 *
 * WITHOUT_LAST_LOOK: the consumer does not look again after it said that it looks no more. TAKES_RING_LAST: it takes the ring after
 * it has looked at the news.
 */
#define THREADS 2
#include "memory.pml"

#define ROUNDS 3
#define NEWS 0
#define RUNG 1
#define LOOKS 2

byte packets;

active proctype producer() {
    byte me = 0, number, looks, rung;
    do
    :: number == ROUNDS -> break
    :: else ->
        number++;
        store_release(NEWS, number);
        exchange(RUNG, 1, rung);
        if
        :: rung == 1 -> goto told
        :: else
        fi;
        load_ordered(LOOKS, looks);
        if
        :: looks == 1
        :: else -> packets++
        fi;
told:
        skip
    od
}

active proctype consumer() {
    byte me = 1, news, rung;
deliver: /* Link::deliver_news() */
#ifndef TAKES_RING_LAST
    exchange(RUNG, 0, rung);
    load(NEWS, news);
#else
    load(NEWS, news);
    exchange(RUNG, 0, rung);
#endif
    if
    :: news == ROUNDS -> goto all
    :: else
    fi;
    if
    :: true -> goto asleep
    :: true
    fi;
    store_ordered(LOOKS, 1);
look:
    load_ordered(RUNG, rung);
    if
    :: rung == 0 -> goto look
    :: true
    fi;
    store_ordered(LOOKS, 0);
#ifndef WITHOUT_LAST_LOOK
    load_ordered(RUNG, rung);
#endif
    if
    :: rung == 1 -> goto deliver
    :: else
    fi;
asleep:
    packets > 0;
    packets = 0;
    hear();
    goto deliver;
all:
    skip
}
