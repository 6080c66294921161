#include "hash.h"

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
