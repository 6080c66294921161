/* One number for many bytes: names of files, and whether two things are the same. No
 * protection against people who look for collisions. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* What a hash starts from, and what mixes it. */
#define BASE_HASH_START UINT64_C(14695981039346656037)
#define BASE_HASH_PRIME UINT64_C(1099511628211)

/**
 * FNV-1a over `size` bytes, going on from `hash`: G. Fowler, L. C. Noll, K.-P. Vo 1991.
 * The same on every machine of one byte order, in every version: files keep it. Local.
 */
uint64_t base_hash_bytes(uint64_t hash, const void *bytes, size_t size);

/**
 * The same idea, eight bytes at a time and so eight times as fast: for lists with an
 * entry a rank, in each frame. A last word that is not whole is filled with zeros. Local.
 */
uint64_t base_hash_words(uint64_t hash, const void *bytes, size_t size);

#endif
