#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_SLOTS = 1024 };

static const char *const PURPOSE = "representatives of the ranks";

static uint64_t hash(const uint64_t *list, int64_t count)
{
    uint64_t sum = (uint64_t)count;
    for (int64_t n = 0; n < count; n++) {
        sum = (sum ^ list[n]) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum;
}

static bool is_equal(const simulate_words *set, int n, const uint64_t *list,
                     int64_t count)
{
    return set->begin[n + 1] - set->begin[n] == count &&
           memcmp(set->words + set->begin[n], list, (size_t)count * sizeof *list) == 0;
}

/* The slot of a list, or the free one in which it belongs. */
static int *find_slot(const simulate_words *set, const uint64_t *list, int64_t count)
{
    const uint64_t mask = (uint64_t)set->nslots - 1;
    uint64_t at = hash(list, count) & mask;
    while (set->slots[at] && !is_equal(set, set->slots[at] - 1, list, count)) {
        at = (at + 1) & mask;
    }
    return &set->slots[at];
}

/* Keeps half of the slots free. */
static status grow_slots(simulate_words *set)
{
    if (2 * (int64_t)set->count < set->nslots) {
        return STATUS_OK;
    }
    const int64_t count = set->nslots > 0 ? 2 * set->nslots : LEAST_SLOTS;
    const status s = composite_memory_grow(set->memory, &set->slots, &set->slots_capacity,
                                           count, sizeof *set->slots, PURPOSE);
    if (s != STATUS_OK) {
        return s;
    }
    set->nslots = count;
    memset(set->slots, 0, (size_t)count * sizeof *set->slots);
    for (int n = 0; n < set->count; n++) {
        *find_slot(set, set->words + set->begin[n], set->begin[n + 1] - set->begin[n]) =
            n + 1;
    }
    return STATUS_OK;
}

static status append(simulate_words *set, const uint64_t *list, int64_t count)
{
    status s = composite_memory_grow(set->memory, &set->begin, &set->begin_capacity,
                                     set->count + 2, sizeof *set->begin, PURPOSE);
    if (s != STATUS_OK) {
        return s;
    }
    set->begin[0] = 0;
    const int64_t begin = set->begin[set->count];
    s = composite_memory_grow(set->memory, &set->words, &set->words_capacity,
                              begin + count + 1, sizeof *set->words, PURPOSE);
    if (s == STATUS_OK && count > 0) {
        memcpy(set->words + begin, list, (size_t)count * sizeof *list);
    }
    set->begin[set->count + 1] = begin + count;
    return s;
}

status simulate_words_find(simulate_words *set, const uint64_t *list, int64_t count,
                           int *number, bool *is_new)
{
    status s = grow_slots(set);
    if (s != STATUS_OK) {
        return s;
    }
    int *slot = find_slot(set, list, count);
    *is_new = *slot == 0;
    if (*is_new) {
        s = append(set, list, count);
        *slot = s == STATUS_OK ? ++set->count : 0;
    }
    *number = *slot - 1;
    return s;
}

void simulate_words_empty(simulate_words *set)
{
    set->count = 0;
    if (set->nslots > 0) {
        memset(set->slots, 0, (size_t)set->nslots * sizeof *set->slots);
    }
}

void simulate_words_clear(simulate_words *set)
{
    free(set->words);
    free(set->begin);
    free(set->slots);
    *set = (simulate_words){.memory = set->memory};
}
