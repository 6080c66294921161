#include "queue.h"

#include "base/system.h"
#include "io/picture/pixels.h"

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_NAME = 32,
    OK = 200,
    TOO_LATE = 409,
    GONE = 410,
    NOT_YET = 503,
    FAILED = 500
};

/* An order; it lies on the stack of the thread that waits for it. */
typedef struct order {
    struct order *next;
    const char *body;
    size_t size;
    char client[MOST_NAME]; /* "" for any but drawings */
    bool is_done;
    view_result result;
    pthread_cond_t done;
} order;

struct view_queue {
    pthread_mutex_t lock;
    pthread_cond_t added;
    order *first;   /* waiting, in their order */
    order *current; /* taken */
    bool is_open, is_closed;
    double last; /* base_clock of the last order */
};

status view_queue_create(view_queue **out)
{
    view_queue *queue = calloc(1, sizeof *queue);
    if (!queue) {
        return base_fail_memory(sizeof *queue, "a view");
    }
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->added, NULL);
    queue->last = base_clock();
    *out = queue;
    return STATUS_OK;
}

void view_queue_destroy(view_queue **queue)
{
    if (*queue) {
        pthread_mutex_destroy(&(*queue)->lock);
        pthread_cond_destroy(&(*queue)->added);
        free(*queue);
    }
    *queue = NULL;
}

view_result view_result_error(unsigned code, const char *sentence)
{
    json_t *json = json_pack("{s:s}", "error", sentence);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return (view_result){.code = code, .bytes = text, .size = text ? strlen(text) : 0};
}

/* ---- The server's threads ---------------------------------------------------------- */

static void finish(order *o, view_result result)
{
    o->result = result;
    o->is_done = true;
    pthread_cond_signal(&o->done);
}

/* Drops a drawing of the same client: the newest position is the only one that counts. */
static void supersede(view_queue *queue, const char *client)
{
    static const char sentence[] = "a newer order has taken the place of this one";
    for (order **at = &queue->first; *at;) {
        order *o = *at;
        if (strcmp(o->client, client) == 0) {
            *at = o->next;
            finish(o, view_result_error(TOO_LATE, sentence));
        } else {
            at = &o->next;
        }
    }
    if (queue->current && strcmp(queue->current->client, client) == 0) {
        base_stop_set(true);
    }
}

static void append(view_queue *queue, order *o)
{
    order **end = &queue->first;
    while (*end) {
        end = &(*end)->next;
    }
    *end = o;
    queue->last = base_clock();
    pthread_cond_signal(&queue->added);
}

/* Puts the order in, and waits. */
static void wait_for(view_queue *queue, order *o)
{
    pthread_mutex_lock(&queue->lock);
    if (queue->is_closed) {
        o->result = view_result_error(GONE, "the view has ended");
    } else if (!queue->is_open) {
        o->result = view_result_error(NOT_YET, "the data are being loaded");
    } else {
        if (o->client[0] != '\0') {
            supersede(queue, o->client);
        }
        append(queue, o);
        while (!o->is_done) {
            pthread_cond_wait(&o->done, &queue->lock);
        }
    }
    pthread_mutex_unlock(&queue->lock);
}

/* Reads the client of a drawing; false if the body is no order. */
static bool read_client(const char *body, size_t size, char client[MOST_NAME])
{
    json_t *json = json_loadb(body, size, 0, NULL);
    const char *what = json_string_value(json_object_get(json, "do"));
    const char *name = json_string_value(json_object_get(json, "client"));
    client[0] = '\0';
    if (what && strcmp(what, "draw") == 0 && name && strlen(name) < MOST_NAME) {
        memcpy(client, name, strlen(name) + 1);
    }
    const bool good = what != NULL;
    json_decref(json);
    return good;
}

/* Makes a JPEG of the pixels, beside the ranks, which may draw the next picture. */
static void encode(view_result *result)
{
    uint8_t *file = NULL;
    size_t size = 0;
    const io_pixels pixels = {result->width, result->height, result->pixel_bytes,
                              (const uint8_t *)result->bytes};
    const status s = io_jpeg_encode(&pixels, result->quality, &file, &size);
    free(result->bytes);
    result->bytes = (char *)file;
    result->size = size;
    result->type = "image/jpeg";
    if (s != STATUS_OK) {
        free(result->note);
        *result = view_result_error(FAILED, "the picture cannot be encoded");
    }
}

void view_queue_answer(void *context, const char *body, size_t length, live_answer *out)
{
    order o = {.body = body, .size = length};
    if (read_client(body, length, o.client)) {
        pthread_cond_init(&o.done, NULL);
        wait_for(context, &o);
        pthread_cond_destroy(&o.done);
    } else {
        o.result = view_result_error(400, "send {\"do\": \"draw\", …}");
    }
    if (o.result.quality > 0 && o.result.bytes) {
        encode(&o.result);
    }
    *out = (live_answer){.code = o.result.code ? o.result.code : OK,
                         .type = o.result.type,
                         .bytes = o.result.bytes,
                         .size = o.result.size,
                         .note = o.result.note};
}

/* ---- The main thread --------------------------------------------------------------- */

void view_queue_open(view_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->is_open = true;
    queue->last = base_clock();
    pthread_mutex_unlock(&queue->lock);
}

/* Waits for a fifth of a second at most, as a signal wakes nobody. */
static void wait_a_while(view_queue *queue)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&queue->added, &queue->lock, &until);
}

bool view_queue_take(view_queue *queue, double idle_seconds,
                     const _Atomic bool *is_ending, const char **body, size_t *size)
{
    pthread_mutex_lock(&queue->lock);
    while (!queue->first && !*is_ending && base_clock() - queue->last < idle_seconds) {
        wait_a_while(queue);
    }
    order *o = *is_ending ? NULL : queue->first;
    if (o) {
        queue->first = o->next;
        o->next = NULL;
        *body = o->body;
        *size = o->size;
        base_stop_set(false);
    }
    queue->current = o;
    pthread_mutex_unlock(&queue->lock);
    return o != NULL;
}

void view_queue_give(view_queue *queue, view_result *result)
{
    pthread_mutex_lock(&queue->lock);
    finish(queue->current, *result);
    queue->current = NULL;
    queue->last = base_clock();
    pthread_mutex_unlock(&queue->lock);
    *result = (view_result){0};
}

void view_queue_close(view_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->is_closed = true;
    while (queue->first) {
        order *o = queue->first;
        queue->first = o->next;
        finish(o, view_result_error(GONE, "the view has ended"));
    }
    pthread_mutex_unlock(&queue->lock);
}
