/* SPDX-License-Identifier: MIT
 *
 * How much of everything there is on one connection.
 */
#pragma once

#define MESSAGE_BYTES 1024u         /* the longest message, header included */
#define RECEIVES      16u           /* posted at most: the credits that a peer can have */
#define MESSAGES      32u           /* being sent, or waiting for a credit */
#define REGIONS       4u            /* in the client's pool of fast registrations */
#define PIECE_BYTES   (256u * 1024) /* moved by RDMA for one request of the client's */
#define REQUEST_BYTES (64u * 1024)  /* moved by one Read or Write: a piece takes a chain of them */
#define STORE_BYTES   (1024u * 1024)

/* Pages that lie anywhere: one entry each, and one more because the first byte may stand anywhere. */
#define REQUEST_SGES ((REQUEST_BYTES / PAGE_SIZE) + 1)
#define PIECE_PAGES  ((PIECE_BYTES / PAGE_SIZE) + 1)

/* Behind each message at most a chain of Reads or Writes, or one registration, and for each region a local invalidation. */
#define INITIATOR_DEPTH (MESSAGES * (PIECE_BYTES / REQUEST_BYTES + 1) + REGIONS)
