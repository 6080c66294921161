/* Hashes: one number for many bytes, for names of files and for telling whether two
 * things are equal. Not secure against deliberate collisions. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

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

#endif
