#include "guard.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool is_port(const char *text)
{
    size_t length = strlen(text);
    return length >= 1 && length <= 5 && strspn(text, "0123456789") == length;
}

/* Whether a Host header has this name, with any port or none. */
static bool is_named(const char *host, const char *name)
{
    const size_t length = strlen(name);
    const char *rest = host + length;
    return strncasecmp(host, name, length) == 0 &&
           (*rest == '\0' || (*rest == ':' && is_port(rest + 1)));
}

bool live_guard_host(const char *host, const char *proxy)
{
    return host && (is_named(host, "127.0.0.1") || is_named(host, "localhost") ||
                    is_named(host, "[::1]") || (proxy && is_named(host, proxy)));
}

static bool is_of(const char *origin, const char *scheme, const char *host)
{
    const size_t length = strlen(scheme);
    return strncmp(origin, scheme, length) == 0 && strcmp(origin + length, host) == 0;
}

bool live_guard_origin(const char *origin, const char *host, const char *proxy)
{
    return !origin ||
           (host &&
            (is_of(origin, "http://", host) ||
             (proxy && is_named(host, proxy) && is_of(origin, "https://", host))));
}
