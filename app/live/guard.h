/* Where a request may come from. */
#ifndef APP_LIVE_GUARD_H
#define APP_LIVE_GUARD_H

#include <stdbool.h>

/*
 * Whether a Host header names this machine's loopback: 127.0.0.1, localhost or [::1],
 * with any port, as a tunnel may have another one at its far end. A name of somebody
 * else's domain that was made to point here (DNS rebinding) is refused by this. NULL is
 * refused.
 */
bool live_guard_host(const char *host);

/* Whether an Origin header is that of our own page, which was asked for by `host`. No
 * header (NULL) is fine: that is no page of somebody else. */
bool live_guard_origin(const char *origin, const char *host);

#endif
