/* Hashes: one number for many bytes, for names of files and for telling whether two
 * things are equal. Not secure against deliberate collisions. And tables of numbers that
 * are found by hashes. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "status.h"

#include <stddef.h>
#include <stdint.h>

/* The start value of a hash, and its multiplier. */
#define BASE_HASH_START UINT64_C(14695981039346656037)
#define BASE_HASH_PRIME UINT64_C(1099511628211)

/* FNV-1a over `size` bytes, continuing from `hash`: G. Fowler, L. C. Noll, K.-P. Vo 1991.
 * The same in every version and on every machine of one byte order, since files contain
 * it. Local. */
uint64_t base_hash_bytes(uint64_t hash, const void *bytes, size_t size);

/* The same idea, eight bytes at a time and therefore eight times as fast: for lists with
 * one entry per rank, hashed in each frame. An incomplete last word is filled with zeros.
 * Local. */
uint64_t base_hash_words(uint64_t hash, const void *bytes, size_t size);

/* ---- Tables ------------------------------------------------------------------------ */

/* Zero: it is empty. */
typedef struct base_lookup {
    int64_t count, capacity;
    struct base_lookup_slot *slots; /* [capacity], a power of two */
} base_lookup;

/* Adds a number, at least 0, under a key. A key may have a few. Local. Errors:
 * STATUS_MEMORY. */
status base_lookup_add(base_lookup *lookup, uint64_t key, int64_t number);

/*
 * The next number under a key, in the order in which they were added; -1: there is no
 * more. *at: 0 for the first one. Others may have been added since. Different names may
 * have the same hash, so compare the names. Local.
 *
 *     int64_t at = 0;
 *     while ((n = base_lookup_next(&lookup, key, &at)) >= 0) { … }
 */
int64_t base_lookup_next(const base_lookup *lookup, uint64_t key, int64_t *at);

/* The key of a name. Local. */
uint64_t base_lookup_name(const char *name);

/* Frees the slots and makes it empty. Local. */
void base_lookup_clear(base_lookup *lookup);

#endif
