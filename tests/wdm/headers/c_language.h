/* SPDX-License-Identifier: MIT
 * A consumer in C, as far as a test can call it. */
#ifndef C_LANGUAGE_H
#define C_LANGUAGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* 0, or the line that failed. */
int run_c_consumer(void);

#ifdef __cplusplus
}
#endif

#endif
