#include "hash.h"

#include <stdlib.h>
#include <string.h>

uint64_t base_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t n = 0; n < size; n++) {
        hash = (hash ^ byte[n]) * BASE_HASH_PRIME;
    }
    return hash;
}

uint64_t base_hash_words(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t n = 0; n < size; n += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, byte + n, size - n < sizeof word ? size - n : sizeof word);
        hash = (hash ^ word) * BASE_HASH_PRIME;
        /* Multiplying carries only upwards: bring the upper bits down. */
        hash ^= hash >> 32;
    }
    return hash;
}

/* ---- Tables ------------------------------------------------------------------------ */

struct base_lookup_slot {
    uint64_t key;
    int64_t stored; /* the number and 1; 0: the slot is free */
};

static int64_t slot_of(const base_lookup *lookup, uint64_t key, int64_t step)
{
    const uint64_t mixed = key ^ key >> 32;
    return (int64_t)((mixed + (uint64_t)step) & (uint64_t)(lookup->capacity - 1));
}

static void put(base_lookup *lookup, uint64_t key, int64_t stored)
{
    int64_t step = 0;
    while (lookup->slots[slot_of(lookup, key, step)].stored != 0) {
        step++;
    }
    lookup->slots[slot_of(lookup, key, step)] = (struct base_lookup_slot){key, stored};
    lookup->count++;
}

/* Doubles the table. The numbers of a key keep their order: a run of slots without a free
 * one is taken over from its begin. */
static status grow(base_lookup *lookup)
{
    const base_lookup old = *lookup;
    const int64_t capacity = old.capacity > 0 ? 2 * old.capacity : 64;
    struct base_lookup_slot *slots = calloc((size_t)capacity, sizeof *slots);
    if (!slots) {
        return base_fail_memory((size_t)capacity * sizeof *slots, "a list of names");
    }
    int64_t first = 0;
    while (first < old.capacity && old.slots[first].stored != 0) {
        first++;
    }
    *lookup = (base_lookup){0, capacity, slots};
    for (int64_t n = 0; n < old.capacity; n++) {
        const struct base_lookup_slot *slot = &old.slots[(first + n) % old.capacity];
        if (slot->stored != 0) {
            put(lookup, slot->key, slot->stored);
        }
    }
    free(old.slots);
    return STATUS_OK;
}

status base_lookup_add(base_lookup *lookup, uint64_t key, int64_t number)
{
    const status s = 2 * lookup->count >= lookup->capacity ? grow(lookup) : STATUS_OK;
    if (s == STATUS_OK) {
        put(lookup, key, number + 1);
    }
    return s;
}

int64_t base_lookup_next(const base_lookup *lookup, uint64_t key, int64_t *at)
{
    for (; lookup->capacity > 0; ++*at) {
        const struct base_lookup_slot *slot = &lookup->slots[slot_of(lookup, key, *at)];
        if (slot->stored == 0) {
            return -1;
        }
        if (slot->key == key) {
            ++*at;
            return slot->stored - 1;
        }
    }
    return -1;
}

uint64_t base_lookup_name(const char *name)
{
    return base_hash_bytes(BASE_HASH_START, name, strlen(name));
}

void base_lookup_clear(base_lookup *lookup)
{
    free(lookup->slots);
    *lookup = (base_lookup){.slots = NULL};
}
