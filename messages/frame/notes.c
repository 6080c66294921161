#include "notes.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

void traffic_note_add(traffic_notes *notes, traffic_note note)
{
    note.number = notes->count;
    notes->failed |= base_array_add(notes->items, notes->count, note, NULL) != STATUS_OK;
}

void traffic_bar_add(traffic_bars *bars, traffic_bar bar, bool *failed)
{
    *failed |= base_array_add(bars->items, bars->count, bar, NULL) != STATUS_OK;
}

void traffic_notes_clear(traffic_notes *notes)
{
    for (int run = 0; run < TRAFFIC_RUNS; run++) {
        for (int kind = 0; kind < TRAFFIC_KINDS; kind++) {
            free(notes->bars[run][kind].items);
        }
    }
    free(notes->items);
    *notes = (traffic_notes){0};
}

/* ---- Sorting ----------------------------------------------------------------------- */

static int compare_keys(traffic_key a, traffic_key b)
{
    return a.round != b.round ? (a.round > b.round) - (a.round < b.round)
           : a.src != b.src   ? (a.src > b.src) - (a.src < b.src)
                              : (a.dst > b.dst) - (a.dst < b.dst);
}

static int compare_notes(const void *left, const void *right)
{
    const traffic_note *a = left, *b = right;
    const int order = compare_keys(a->key, b->key);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* ---- Folding ----------------------------------------------------------------------- */

static void begin_message(traffic_message *message, traffic_key key)
{
    *message = (traffic_message){.key = key};
    for (int run = 0; run < TRAFFIC_RUNS; run++) {
        message->times[run] = (traffic_times){.sent = INFINITY,
                                              .left = -INFINITY,
                                              .came = -INFINITY,
                                              .combines = INFINITY,
                                              .done = -INFINITY};
    }
}

static void fold(traffic_message *message, const traffic_note *note)
{
    traffic_times *times = &message->times[note->run];
    if (note->kind == TRAFFIC_OP) {
        message->is_planned = true;
        return;
    }
    times->is_there = true;
    times->in_place |= note->in_place;
    times->bytes += note->bytes;
    switch (note->kind) {
    case TRAFFIC_SEND:
        times->sent = fmin(times->sent, note->begin);
        times->left = fmax(times->left, note->end);
        break;
    case TRAFFIC_RECEIVE:
        times->came = fmax(times->came, note->end);
        break;
    default:
        times->combines = fmin(times->combines, note->begin);
        times->done = fmax(times->done, note->end);
    }
}

/* Fills in times without a note, such as the sending of pixels that are read in place. */
static void complete(traffic_times *times)
{
    const double known = isfinite(times->sent)       ? times->sent
                         : isfinite(times->combines) ? times->combines
                                                     : times->came;
    times->sent = known;
    times->left = fmax(times->left, times->sent);
    times->came = isfinite(times->came)       ? times->came
                  : isfinite(times->combines) ? times->combines
                                              : times->left;
    times->came = fmax(times->came, times->sent);
    times->combines = isfinite(times->combines) ? times->combines : times->came;
    times->done = fmax(times->done, fmax(times->combines, times->came));
}

/* The messages without pixels are put where both ends are done with all before. latest
 * [size]: of each position, the end of its last message so far. */
static void place_empty(traffic_message *messages, int64_t count, traffic_run run,
                        double *latest)
{
    for (int64_t i = 0; i < count; i++) {
        const traffic_key key = messages[i].key;
        traffic_times *times = &messages[i].times[run];
        if (times->is_there) {
            complete(times);
        } else {
            const double at = fmax(latest[key.src], latest[key.dst]);
            *times = (traffic_times){0, at, at, at, at, at, false, false};
        }
        latest[key.dst] = fmax(latest[key.dst], times->done);
    }
}

static status place_all(traffic_message *messages, int64_t count, int size,
                        const double *const begin[TRAFFIC_RUNS])
{
    double *latest = malloc(((size_t)size + 1) * sizeof *latest);
    if (!latest) {
        return base_fail_memory((size_t)size * sizeof *latest, "the messages of a page");
    }
    for (int run = 0; run < TRAFFIC_RUNS; run++) {
        for (int q = 0; q < size; q++) {
            latest[q] = begin[run][q];
        }
        place_empty(messages, count, (traffic_run)run, latest);
    }
    free(latest);
    return STATUS_OK;
}

status traffic_notes_fold(traffic_notes *notes, int size,
                          const double *const begin[TRAFFIC_RUNS], traffic_message **out,
                          int64_t *count)
{
    const size_t bytes = ((size_t)notes->count + 1) * sizeof(traffic_message);
    traffic_message *messages = notes->failed ? NULL : malloc(bytes);
    *count = 0;
    if (!messages) {
        return base_fail_memory(bytes, "the messages of a page");
    }
    if (notes->count > 0) {
        qsort(notes->items, (size_t)notes->count, sizeof *notes->items, compare_notes);
    }
    for (int64_t i = 0; i < notes->count; i++) {
        const traffic_note *note = &notes->items[i];
        if (*count == 0 || compare_keys(messages[*count - 1].key, note->key) != 0) {
            begin_message(&messages[(*count)++], note->key);
        }
        fold(&messages[*count - 1], note);
    }
    *out = messages;
    const status s = place_all(messages, *count, size, begin);
    if (s != STATUS_OK) {
        free(messages);
        *out = NULL;
    }
    return s;
}
