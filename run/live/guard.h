/* Checks of the origin of a request. */
#ifndef RUN_LIVE_GUARD_H
#define RUN_LIVE_GUARD_H

#include <stdbool.h>

/*
 * Whether a Host header names this machine's loopback: 127.0.0.1, localhost or [::1]; or
 * `proxy`, the name of a proxy before us, or NULL. Any port will do, as a tunnel may have
 * another one at its far end. This refuses a foreign domain name that was made to resolve
 * to the loopback (DNS rebinding). NULL is refused.
 */
bool live_guard_host(const char *host, const char *proxy);

/* Whether an Origin header is that of our own page, whose Host header is `host`; the
 * proxy may serve it by https. NULL (no header) is fine: a page of another site would
 * send one.
 */
bool live_guard_origin(const char *origin, const char *host, const char *proxy);

#endif
