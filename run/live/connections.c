#include "connections.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

typedef struct entry {
    live_connections *all;
    bool is_used, is_trusted, is_cut;
    int socket;
    uint64_t number; /* older connections have smaller numbers */
    int64_t due; /* end of the time for the request or the reply, in milliseconds of the
                    monotonic clock */
} entry;

struct live_connections {
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t ending;
    bool ends;
    int seconds, reply_seconds;
    uint64_t count; /* number of connections so far */
    pthread_t watcher;
    entry entries[LIVE_MOST_CONNECTIONS];
};

/* ---- Cutting off ------------------------------------------------------------------- */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Makes the connection's thread wake up and end it. The socket stays open until
 * libmicrohttpd reports the end of the connection, so its number cannot be reused
 * before. */
static void cut(entry *one)
{
    shutdown(one->socket, SHUT_RDWR);
    one->is_cut = true;
}

static void cut_late(live_connections *all)
{
    const int64_t present = now();
    for (int n = 0; n < LIVE_MOST_CONNECTIONS; n++) {
        entry *one = &all->entries[n];
        if (one->is_used && !one->is_cut && present >= one->due) {
            cut(one);
        }
    }
}

/* The thread: cuts late connections each second until the end. */
static void *watch(void *context)
{
    live_connections *all = context;
    pthread_mutex_lock(&all->lock);
    while (!all->ends) {
        cut_late(all);
        struct timespec next;
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec++;
        pthread_cond_timedwait(&all->ending, &all->lock, &next);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

static void cut_oldest_stranger(live_connections *all)
{
    int strangers = 0;
    entry *oldest = NULL;
    for (int n = 0; n < LIVE_MOST_CONNECTIONS; n++) {
        entry *one = &all->entries[n];
        if (one->is_used && !one->is_cut && !one->is_trusted) {
            strangers++;
            oldest = !oldest || one->number < oldest->number ? one : oldest;
        }
    }
    if (strangers > LIVE_MOST_STRANGERS) {
        cut(oldest);
    }
}

/* ---- The life of a connection ------------------------------------------------------ */

static entry *find_unused(live_connections *all)
{
    for (int n = 0; n < LIVE_MOST_CONNECTIONS; n++) {
        if (!all->entries[n].is_used) {
            return &all->entries[n];
        }
    }
    return NULL;
}

static entry *begin(live_connections *all, int number)
{
    entry *one = find_unused(all);
    if (!one) { /* cannot happen: the server accepts at most as many connections as there
                   are entries */
        shutdown(number, SHUT_RDWR);
        return NULL;
    }
    *one = (entry){.all = all,
                   .is_used = true,
                   .socket = number,
                   .number = all->count++,
                   .due = now() + 1000 * (int64_t)all->seconds};
    cut_oldest_stranger(all);
    return one;
}

void live_connections_notify(void *context, struct MHD_Connection *connection,
                             void **place, enum MHD_ConnectionNotificationCode code)
{
    live_connections *all = context;
    pthread_mutex_lock(&all->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *place = begin(
            all, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                     ->connect_fd);
    } else if (*place) {
        ((entry *)*place)->is_used = false;
        *place = NULL;
    }
    pthread_mutex_unlock(&all->lock);
}

static entry *entry_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
        ->socket_context;
}

void live_connections_trust(struct MHD_Connection *connection)
{
    entry *one = entry_of(connection);
    if (one) {
        pthread_mutex_lock(&one->all->lock);
        one->is_trusted = true;
        pthread_mutex_unlock(&one->all->lock);
    }
}

static void set_due(entry *one, int seconds)
{
    if (one) {
        pthread_mutex_lock(&one->all->lock);
        one->due = now() + 1000 * (int64_t)seconds;
        pthread_mutex_unlock(&one->all->lock);
    }
}

void live_connections_reply(struct MHD_Connection *connection)
{
    entry *one = entry_of(connection);
    set_due(one, one ? one->all->reply_seconds : 0);
}

void live_connections_await(struct MHD_Connection *connection)
{
    entry *one = entry_of(connection);
    set_due(one, one ? one->all->seconds : 0);
}

/* ---- All of them ------------------------------------------------------------------- */

static void make_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void release(live_connections *all)
{
    pthread_cond_destroy(&all->ending);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

status live_connections_create(int seconds, int reply_seconds, live_connections **out)
{
    live_connections *all = calloc(1, sizeof *all);
    if (!all) {
        return base_fail_memory(sizeof *all, "connections");
    }
    all->seconds = seconds;
    all->reply_seconds = reply_seconds;
    pthread_mutex_init(&all->lock, NULL);
    make_condition(&all->ending);
    if (pthread_create(&all->watcher, NULL, watch, all) != 0) {
        release(all);
        return base_fail_memory(0, "a thread");
    }
    *out = all;
    return STATUS_OK;
}

void live_connections_destroy(live_connections **all)
{
    if (!*all) {
        return;
    }
    pthread_mutex_lock(&(*all)->lock);
    (*all)->ends = true;
    pthread_cond_signal(&(*all)->ending);
    pthread_mutex_unlock(&(*all)->lock);
    pthread_join((*all)->watcher, NULL);
    release(*all);
    *all = NULL;
}
