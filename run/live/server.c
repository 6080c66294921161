/* for PATH_MAX and realpath */
#define _XOPEN_SOURCE 700

#include "live.h"

#include "site.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each connection has its own thread, as an order may wait for its answer without
 * blocking others. A browser opens at most six connections, for all its tabs together. */
enum {
    CONNECTION_MEMORY = 32 * 1024, /* the request's head must fit */
    THREAD_STACK = 1024 * 1024
};

struct live_server {
    live_site site;
    struct MHD_Daemon *daemon;
    char address[96];
    char tunnel[LIVE_MOST_HOST + 64];
};

bool live_is_available(void)
{
    return true;
}

/* ---- Making ------------------------------------------------------------------------ */

static status find_folder(const char *folder, char **out)
{
    struct stat info;
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return base_fail(STATUS_INPUT,
                         "there is no run directory '%s': start the program that makes "
                         "it, or give the directory that its config names",
                         folder);
    }
    *out = realpath(folder, NULL);
    return *out ? STATUS_OK
                : base_fail(STATUS_INPUT, "'%s' cannot be opened: %s", folder,
                            strerror(errno));
}

static status make_secrets(live_site *site)
{
    char name[LIVE_SECRET_LENGTH + 1];
    status s = live_secret_make(site->token);
    s = s == STATUS_OK ? live_secret_make(site->guest) : s;
    s = s == STATUS_OK ? live_secret_make(site->key) : s;
    s = s == STATUS_OK ? live_secret_make(name) : s;
    /* The servers of a machine share their cookies: each chooses its own name. */
    snprintf(site->cookie, sizeof site->cookie, "karman_live_%.8s", name);
    return s;
}

static status make_site(const char *folder, const live_options *options, live_site *site)
{
    const live_view *view = options->view;
    site->check = options->check;
    site->view = view;
    pthread_mutex_init(&site->order_lock, NULL);
    if (gethostname(site->host, sizeof site->host - 1) != 0) {
        snprintf(site->host, sizeof site->host, "HOST");
    }
    status s = view ? STATUS_OK : find_folder(folder, &site->folder);
    return s == STATUS_OK ? make_secrets(site) : s;
}

/* ---- Listening --------------------------------------------------------------------- */

static struct MHD_Daemon *listen_at(const struct sockaddr_in *address, live_site *site)
{
    return MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD,
        ntohs(address->sin_port), NULL, NULL, live_exchange_handle, site,
        MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)address,
        MHD_OPTION_NOTIFY_COMPLETED, live_exchange_forget, site,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)LIVE_MOST_CONNECTIONS,
        MHD_OPTION_NOTIFY_CONNECTION, live_connections_notify, site->connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)THREAD_STACK, MHD_OPTION_STRICT_FOR_CLIENT,
        1, MHD_OPTION_END);
}

static status start(live_server *server, const live_options *options)
{
    const int port = options->port;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    status s = live_connections_create(
        options->request_seconds ? options->request_seconds : LIVE_REQUEST_SECONDS,
        options->view ? LIVE_VIEW_SECONDS : LIVE_REPLY_SECONDS,
        &server->site.connections);
    if (s != STATUS_OK) {
        return s;
    }
    server->site.port = port; /* set before listening: an open page may send a request at
                                 once */
    server->daemon = listen_at(&address, &server->site);
    if (!server->daemon) {
        return base_fail(
            STATUS_OUTPUT,
            "port %d of 127.0.0.1 cannot be used: %s; give another by --port, "
            "or 0 for a free one",
            port, strerror(errno));
    }
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    const int bound = info ? info->port : port;
    server->site.port = bound;
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/?token=%s",
             bound, server->site.token);
    snprintf(server->tunnel, sizeof server->tunnel, "ssh -L %d:127.0.0.1:%d %s", bound,
             bound, server->site.host);
    return STATUS_OK;
}

status live_server_start(const char *folder, const live_options *options,
                         live_server **out)
{
    live_server *server = calloc(1, sizeof *server);
    if (!server) {
        return base_fail_memory(sizeof *server, "the server");
    }
    status s = make_site(folder, options, &server->site);
    if (s == STATUS_OK) {
        server->site.proxy = options->proxy;
        s = start(server, options);
    }
    if (s != STATUS_OK) {
        live_server_stop(&server);
        return s;
    }
    *out = server;
    return STATUS_OK;
}

void live_server_stop(live_server **server)
{
    if (!*server) {
        return;
    }
    if ((*server)->daemon) {
        MHD_stop_daemon((*server)->daemon);
    }
    live_connections_destroy(&(*server)->site.connections);
    pthread_mutex_destroy(&(*server)->site.order_lock);
    free((*server)->site.folder);
    free(*server);
    *server = NULL;
}

const char *live_server_address(const live_server *server)
{
    return server->address;
}

const char *live_server_tunnel(const live_server *server)
{
    return server->tunnel;
}
