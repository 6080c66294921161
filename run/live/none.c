/* Replaces the server in builds without libmicrohttpd. */
#include "live.h"

bool live_is_available(void)
{
    return false;
}

status live_server_start(const char *folder, const live_options *options,
                         live_server **out)
{
    (void)folder;
    (void)options;
    (void)out;
    return base_fail(STATUS_USAGE,
                     "this karman was built without libmicrohttpd: install it (Debian: "
                     "libmicrohttpd-dev) and build anew");
}

void live_server_stop(live_server **server)
{
    (void)server;
}

const char *live_server_address(const live_server *server)
{
    (void)server;
    return "";
}

const char *live_server_tunnel(const live_server *server)
{
    (void)server;
    return "";
}
