/* SPDX-License-Identifier: ISC */
/*
 * Telling the service manager how we are, by the protocol of sd_notify(3):
 * lines in one datagram to the socket that NOTIFY_SOCKET names.  Without that
 * variable nothing happens, and a message that cannot be sent is no failure.
 */
#ifndef PROCESS_NOTIFY_H
#define PROCESS_NOTIFY_H

#include <stdint.h>

void notify_ready(void);
/* With the monotonic time that Type=notify-reload asks for. */
void notify_reloading(void);
void notify_stopping(void);
void notify_status(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void notify_watchdog(void);

/* How often to tell the watchdog, in milliseconds; 0: it is not wanted. */
int64_t notify_watchdog_ms(void);

#endif
