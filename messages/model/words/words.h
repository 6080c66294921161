/* A set of lists of 64-bit words: equal lists have one number. Private to
 * messages/model. */
#ifndef COMPOSITE_SIMULATE_WORDS_H
#define COMPOSITE_SIMULATE_WORDS_H

#include "composite/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero, with `memory` set, is empty. */
typedef struct simulate_words {
    composite_memory *memory; /* borrowed */
    uint64_t *words;          /* list n is words [begin[n], begin[n + 1]) */
    int64_t *begin;
    int count;
    int *slots; /* [nslots]: 1 + numbers of lists, by their hashes; 0: free */
    int64_t nslots;
    int64_t words_capacity, begin_capacity, slots_capacity;
} simulate_words;

/* Finds the number of a list [count], which is added if it is new. Local. Errors:
 * STATUS_MEMORY. */
status simulate_words_find(simulate_words *set, const uint64_t *list, int64_t count,
                           int *number, bool *is_new);

/* Forgets all lists, and keeps the memory. */
void simulate_words_empty(simulate_words *set);
void simulate_words_clear(simulate_words *set);

#endif
