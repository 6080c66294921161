#include "guard.h"

#include <stddef.h>
#include <string.h>

static bool is_port(const char *text)
{
    size_t length = strlen(text);
    return length >= 1 && length <= 5 && strspn(text, "0123456789") == length;
}

bool live_guard_host(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t n = 0; host && n < sizeof names / sizeof names[0]; n++) {
        size_t length = strlen(names[n]);
        if (strncmp(host, names[n], length) == 0) {
            const char *rest = host + length;
            return *rest == '\0' || (*rest == ':' && is_port(rest + 1));
        }
    }
    return false;
}

bool live_guard_origin(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    if (!origin) {
        return true;
    }
    size_t length = sizeof scheme - 1;
    return host && strncmp(origin, scheme, length) == 0 &&
           strcmp(origin + length, host) == 0;
}
