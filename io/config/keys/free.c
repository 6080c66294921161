#include "keys.h"

#include <stdlib.h>
#include <string.h>

static bool is_allocated(const io_key *key)
{
    return key->many == IO_KEY_GROWN || (key->flags & IO_KEY_POINTER) != 0;
}

static bool is_text(const io_key *key)
{
    return key->type == IO_KEY_TEXT || key->type == IO_KEY_PATH ||
           key->type == IO_KEY_PATTERN;
}

static int count_entries(const io_key *key, const char *structure)
{
    int count = key->many == IO_KEY_FIXED ? key->most : 1;
    if (key->many == IO_KEY_COUNTED || key->many == IO_KEY_GROWN) {
        memcpy(&count, structure + key->count_offset, sizeof count);
    }
    return count;
}

/* The entries of a key; NULL if there are none. */
static char *entries_of(const io_key *key, char *structure)
{
    char *member = structure + key->offset;
    return is_allocated(key) ? *(char **)member : member;
}

static void free_text(char **text)
{
    free(*text);
    *text = NULL;
}

/* Frees the values of entries. */
static void free_entries(const io_key *key, char *structure)
{
    char *entries = entries_of(key, structure);
    if (key->type == IO_KEY_OTHER && key->release != NULL) {
        key->release(structure);
    }
    if (entries == NULL || (!is_text(key) && key->type != IO_KEY_SECTION)) {
        return;
    }
    for (int i = count_entries(key, structure) - 1; i >= 0; i--) {
        char *entry = entries + (size_t)i * key->size;
        if (is_text(key)) {
            free_text((char **)entry);
        } else {
            io_keys_free(key->below, entry);
        }
    }
}

/* Frees entries before pointers: keys that share a pointer know different members behind
 * it. */
void io_keys_free(const io_key *keys, void *structure)
{
    for (const io_key *key = keys; key->name != NULL; key++) {
        if ((key->flags & IO_KEY_APART) == 0) {
            free_entries(key, structure);
        }
    }
    for (const io_key *key = keys; key->name != NULL; key++) {
        if ((key->flags & IO_KEY_APART) == 0 && is_allocated(key)) {
            free_text((char **)((char *)structure + key->offset));
        }
    }
}
