/* SPDX-License-Identifier: MIT
 *
 * A shared object that is no module of providers. */
int opennd_vendor_other(void);
int opennd_vendor_other(void) { return 0; }
