#include "site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *live_exchange_header(const live_exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
}

const char *live_exchange_argument(const live_exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_GET_ARGUMENT_KIND, name);
}

size_t live_exchange_most(const live_exchange *exchange)
{
    return exchange->site->view ? LIVE_MOST_CONFIG : LIVE_MOST_BODY;
}

int64_t live_whole_number(const char *text)
{
    if (!text || text[0] == '\0' || strspn(text, "0123456789") != strlen(text)) {
        return -1;
    }
    errno = 0;
    long long value = strtoll(text, NULL, 10);
    return errno == 0 ? value : -1;
}

int64_t live_exchange_number(const live_exchange *exchange, const char *name)
{
    return live_whole_number(live_exchange_argument(exchange, name));
}
