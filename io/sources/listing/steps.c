#include "steps.h"

#include "paths.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_KEYS = 4,    /* most parts with digits of one path */
    MOST_DIGITS = 18, /* a longer number is not a step */
    NAME_DIGITS = 3   /* a shorter number in a name counts components or species */
};

/* Digits in a path that may be a step. */
typedef struct step_key {
    const char *path;
    int place; /* index of its data set */
    size_t at, digits;
    bool is_name;    /* in the last part of the path */
    bool is_telling; /* alone in their part, or after a word of time */
    int count;       /* paths that differ only in these digits */
    size_t most;     /* the largest number of these digits */
} step_key;

bool steps_is_word(const char *text, size_t length)
{
    static const char *const words[] = {
        "step", "time",   "timestep", "t",        "it",    "iter", "iteration", "cycle",
        "out",  "output", "dump",     "snapshot", "frame", "sol",  "solution"};
    char plain[16];
    path_normalise((path_part){text, length}, plain, sizeof plain);
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (strcmp(plain, words[n]) == 0) {
            return true;
        }
    }
    return plain[0] == '\0';
}

/* The last run of digits in a part; false if it has none. */
static bool find_digits(path_part part, size_t *at, size_t *digits)
{
    size_t end = part.length;
    while (end > 0 && !isdigit((unsigned char)part.text[end - 1])) {
        end--;
    }
    size_t start = end;
    while (start > 0 && isdigit((unsigned char)part.text[start - 1])) {
        start--;
    }
    *at = start;
    *digits = end - start;
    return *digits > 0 && *digits <= MOST_DIGITS;
}

/* Lists the keys of one path; returns their number. */
static int list_keys(const char *path, int place, const char *grid, step_key *keys)
{
    int count = 0;
    size_t at = 0;
    for (path_part p = path_next(path, &at); p.length > 0 && count < MOST_KEYS;
         p = path_next(path, &at)) {
        size_t start, digits;
        if (find_digits(p, &start, &digits) && !path_has_part(grid, p)) {
            keys[count++] = (step_key){.path = path,
                                       .place = place,
                                       .at = (size_t)(p.text - path) + start,
                                       .digits = digits,
                                       .is_name = path[at] == '\0',
                                       .is_telling = steps_is_word(p.text, start)};
        }
    }
    return count;
}

/* Compares paths without their digits. */
static int compare_keys(const void *a, const void *b)
{
    const step_key *left = a, *right = b;
    const size_t shorter = left->at < right->at ? left->at : right->at;
    const int before = strncmp(left->path, right->path, shorter);
    if (before != 0 || left->at != right->at) {
        return before != 0 ? before : left->at < right->at ? -1 : 1;
    }
    return strcmp(left->path + left->at + left->digits,
                  right->path + right->at + right->digits);
}

static void count_alike(step_key *keys, int count)
{
    for (int first = 0, end; first < count; first = end) {
        size_t most = 0;
        for (end = first; end < count && compare_keys(&keys[first], &keys[end]) == 0;
             end++) {
            most = keys[end].digits > most ? keys[end].digits : most;
        }
        for (int n = first; n < end; n++) {
            keys[n].count = end - first;
            keys[n].most = most;
        }
    }
}

static bool key_counts(const step_key *key)
{
    return key->is_name ? key->count > 1 && (key->most >= NAME_DIGITS || key->is_telling)
                        : key->count > 1 || key->is_telling;
}

/* Chooses for each data set the key with the most similar paths; of equal keys the later
 * part. */
static void choose_keys(const step_key *keys, int nkeys, step_place *places, int *counts)
{
    for (int n = 0; n < nkeys; n++) {
        const step_key *key = &keys[n];
        step_place *place = &places[key->place];
        if (key_counts(key) &&
            (key->count > counts[key->place] ||
             (key->count == counts[key->place] && key->at > place->at))) {
            counts[key->place] = key->count;
            place->at = key->at;
            place->digits = key->digits;
        }
    }
}

status steps_find(const io_listing *listing, const char *grid, int count,
                  step_place *places)
{
    const size_t room = (size_t)count + 1;
    step_key *keys = malloc(room * MOST_KEYS * sizeof *keys);
    int *counts = calloc(room, sizeof *counts);
    if (!keys || !counts) {
        free(keys);
        free(counts);
        return base_fail_memory(room * MOST_KEYS * sizeof *keys, "the steps of a file");
    }
    int nkeys = 0;
    for (int n = 0; n < count; n++) {
        places[n].at = places[n].digits = 0;
        nkeys +=
            list_keys(listing->objects[places[n].object].path, n, grid, keys + nkeys);
    }
    if (nkeys > 0) {
        qsort(keys, (size_t)nkeys, sizeof *keys, compare_keys);
    }
    count_alike(keys, nkeys);
    choose_keys(keys, nkeys, places, counts);
    free(keys);
    free(counts);
    return STATUS_OK;
}
