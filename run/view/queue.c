#include "queue.h"

#include "base/system.h"
#include "io/picture/pixels.h"
#include "run/steer/parameters.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_NAME = 32,
    MOST_WHAT = 64,
    WATCH_SECONDS = 10,
    OK = 200,
    NOTHING = 204,
    TOO_LATE = 409,
    GONE = 410,
    FAILED = 500
};

/* An order; it lies on the stack of the thread that waits for it. */
typedef struct order {
    struct order *next;
    const char *body;
    size_t size;
    char client[MOST_NAME]; /* whose drawings it ends; "": it ends none */
    bool is_drawing, is_watched, is_done;
    bool is_quiet; /* the page asks by itself: nobody uses the view */
    bool asks_loading;
    view_result result;
    pthread_cond_t done;
} order;

struct view_queue {
    pthread_mutex_t lock;
    pthread_cond_t added;
    order *first;   /* waiting, in their order */
    order *current; /* taken */
    bool is_closed;
    double last;   /* base_clock of the last order; 0: nobody has waited for one yet */
    bool is_ready; /* orders are taken */
    char loading[MOST_WHAT]; /* what is being loaded; "": nothing */
    double share;            /* of it that is loaded */
    pthread_cond_t shown;
    live_answer watched; /* the last picture for those who watch */
    int64_t number;      /* of it, from 1 */
};

status view_queue_create(view_queue **out)
{
    view_queue *queue = calloc(1, sizeof *queue);
    if (!queue) {
        return base_fail_memory(sizeof *queue, "a view");
    }
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->added, NULL);
    pthread_cond_init(&queue->shown, NULL);
    *out = queue;
    return STATUS_OK;
}

void view_queue_destroy(view_queue **queue)
{
    if (*queue) {
        pthread_mutex_destroy(&(*queue)->lock);
        pthread_cond_destroy(&(*queue)->added);
        pthread_cond_destroy(&(*queue)->shown);
        free((*queue)->watched.bytes);
        free((*queue)->watched.note);
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
        if (o->is_drawing && strcmp(o->client, client) == 0) {
            *at = o->next;
            finish(o, view_result_error(TOO_LATE, sentence));
        } else {
            at = &o->next;
        }
    }
    const order *now = queue->current;
    if (now && now->is_drawing && strcmp(now->client, client) == 0) {
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
    queue->last = o->is_quiet ? queue->last : base_clock();
    pthread_cond_signal(&queue->added);
}

/* Puts the order in, and waits. */
static void wait_for(view_queue *queue, order *o)
{
    pthread_mutex_lock(&queue->lock);
    if (queue->is_closed) {
        o->result = view_result_error(GONE, "the view has ended");
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

/* Reads the client of an order that ends drawings: of one that draws, or that says so as
 * a drawing follows it. False if the body is no order. */
static bool read_client(order *o)
{
    json_t *json = json_loadb(o->body, o->size, 0, NULL);
    const char *what = json_string_value(json_object_get(json, "do"));
    const char *name = json_string_value(json_object_get(json, "client"));
    o->is_drawing = what && strcmp(what, "draw") == 0;
    const bool ends = o->is_drawing || json_is_true(json_object_get(json, "ends"));
    if (what && ends && name && strlen(name) < MOST_NAME) {
        memcpy(o->client, name, strlen(name) + 1);
        o->is_watched = o->is_drawing && json_is_true(json_object_get(json, "watched"));
    }
    const bool good = what != NULL;
    o->is_quiet = good && strcmp(what, "news") == 0;
    o->asks_loading = good && strcmp(what, "loading") == 0;
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

/* ---- Loading ----------------------------------------------------------------------- */

void view_queue_note_loading(void *context, const char *field, double share)
{
    view_queue *queue = context;
    pthread_mutex_lock(&queue->lock);
    snprintf(queue->loading, sizeof queue->loading, "%s",
             share >= 1.0 ? ""
             : field      ? field
                          : "the grid");
    queue->share = share;
    pthread_mutex_unlock(&queue->lock);
}

static view_result tell_loading(view_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    json_t *json = json_pack("{s:b, s:o, s:f}", "ready", queue->is_ready, "what",
                             steer_string(queue->loading), "share", queue->share);
    const bool is_closed = queue->is_closed;
    pthread_mutex_unlock(&queue->lock);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    if (is_closed || !text) {
        free(text);
        return view_result_error(is_closed ? GONE : FAILED, "the view has ended");
    }
    return (view_result){.bytes = text, .size = strlen(text)};
}

/* ---- Those who watch --------------------------------------------------------------- */

/* A copy of a picture, whose note begins with its number; without bytes if memory is
 * short. */
static live_answer copy_picture(const live_answer *of, int64_t number)
{
    live_answer copy = {
        .code = of->code, .type = of->type, .bytes = malloc(of->size + 1)};
    const size_t room = strlen(of->note) + 40;
    copy.note = malloc(room);
    if (copy.note && number > 0) {
        snprintf(copy.note, room, "{\"number\": %lld,%s", (long long)number,
                 of->note + 1);
    } else if (copy.note) {
        memcpy(copy.note, of->note, strlen(of->note) + 1);
    }
    if (copy.bytes) {
        memcpy(copy.bytes, of->bytes, of->size);
        copy.size = of->size;
    }
    return copy;
}

/* Keeps a picture for those who watch. */
static void keep(view_queue *queue, const live_answer *picture)
{
    const live_answer copy = copy_picture(picture, 0);
    pthread_mutex_lock(&queue->lock);
    live_answer old = queue->watched;
    queue->watched = copy;
    queue->number++;
    pthread_cond_broadcast(&queue->shown);
    pthread_mutex_unlock(&queue->lock);
    free(old.bytes);
    free(old.note);
}

void view_queue_watch(void *context, int64_t after, live_answer *out)
{
    view_queue *queue = context;
    struct timespec until;
    int waits = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WATCH_SECONDS;
    pthread_mutex_lock(&queue->lock);
    while (queue->number <= after && !queue->is_closed && waits == 0) {
        waits = pthread_cond_timedwait(&queue->shown, &queue->lock, &until);
    }
    const bool has_new = queue->number > after && queue->watched.note;
    *out = queue->is_closed ? (live_answer){.code = GONE}
           : has_new        ? copy_picture(&queue->watched, queue->number)
                            : (live_answer){.code = NOTHING};
    pthread_mutex_unlock(&queue->lock);
}

/* ---- Answers ----------------------------------------------------------------------- */

void view_queue_answer(void *context, const char *body, size_t length, live_answer *out)
{
    order o = {.body = body, .size = length};
    if (!read_client(&o)) {
        o.result = view_result_error(400, "send {\"do\": \"draw\", …}");
    } else if (o.asks_loading) {
        o.result = tell_loading(context);
    } else {
        pthread_cond_init(&o.done, NULL);
        wait_for(context, &o);
        pthread_cond_destroy(&o.done);
    }
    if (o.result.quality > 0 && o.result.bytes) {
        encode(&o.result);
    }
    *out = (live_answer){.code = o.result.code ? o.result.code : OK,
                         .type = o.result.type,
                         .bytes = o.result.bytes,
                         .size = o.result.size,
                         .note = o.result.note};
    if (o.is_watched && out->code == OK && out->bytes && out->note) {
        keep(context, out);
    }
}

/* ---- The main thread --------------------------------------------------------------- */

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
    queue->is_ready = true;
    queue->last = queue->last > 0.0 ? queue->last : base_clock();
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
    queue->last = queue->current->is_quiet ? queue->last : base_clock();
    finish(queue->current, *result);
    queue->current = NULL;
    pthread_mutex_unlock(&queue->lock);
    *result = (view_result){0};
}

void view_queue_close(view_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->is_closed = true;
    pthread_cond_broadcast(&queue->shown);
    while (queue->first) {
        order *o = queue->first;
        queue->first = o->next;
        finish(o, view_result_error(GONE, "the view has ended"));
    }
    pthread_mutex_unlock(&queue->lock);
}
