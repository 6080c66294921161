/* Orders of the page on their way to the ranks: the threads of the server put them in and
 * wait, the main thread of rank 0 takes them out. */
#ifndef RUN_VIEW_QUEUE_H
#define RUN_VIEW_QUEUE_H

#include "run/live/live.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct view_queue view_queue;

/* What an order gets: text, or pixels that the waiting thread makes a JPEG of. */
typedef struct view_result {
    unsigned code;    /* of HTTP; 0: 200 */
    const char *type; /* NULL: JSON */
    char *bytes;      /* [size], malloc'ed */
    size_t size;
    char *note;                              /* JSON of the header, malloc'ed, or NULL */
    int width, height, pixel_bytes, quality; /* quality 0: bytes are no pixels */
} view_result;

/* Errors: STATUS_MEMORY. */
status view_queue_create(view_queue **out);
void view_queue_destroy(view_queue **queue);

/*
 * live_view.answer, the context is a view_queue: puts an order in and waits for its
 * result. An order {"do": "draw", "client": …} takes the place of one of the same client
 * that waits, and stops the drawing of one (base_stop_set). So does any other with
 * "ends": true, which a drawing will follow. Any thread.
 */
void view_queue_answer(void *queue, const char *body, size_t length, live_answer *out);

/*
 * live_view.watch: the last picture of an order with "watched": true, as soon as its
 * number is greater than `after`; its note begins with this "number". 204 if there is
 * none for some seconds, 410 at the end. Any thread.
 */
void view_queue_watch(void *queue, int64_t after, live_answer *out);

/*
 * Waits for the next order and lends it: its body, [*size]. Returns false if the view is
 * to end: `*is_ending` is set, or there was no order for that long. On the main thread.
 */
bool view_queue_take(view_queue *queue, double idle_seconds,
                     const _Atomic bool *is_ending, const char **body, size_t *size);

/* io_sweep_news, the context is a view_queue: what {"do": "loading"} gets, which waits
 * for no other order: {"ready": false, "what": "pressure", "share": 0.4}. */
void view_queue_note_loading(void *queue, const char *field, double share);

/* Gives the result of the order that was taken; *result becomes zero. */
void view_queue_give(view_queue *queue, view_result *result);

/* Refuses all orders, those that wait as well. */
void view_queue_close(view_queue *queue);

/* A sentence as {"error": "…"} with a code. */
view_result view_result_error(unsigned code, const char *sentence);

#endif
