#include "same.h"

#include "io/gzip/unpacked.h"

#include <stdlib.h>
#include <string.h>

bool io_array_same_bytes(const char *const files[2], const int64_t at[2], int64_t bytes)
{
    enum { PART = 1 << 14 };
    char parts[2][PART];
    FILE *streams[2] = {io_unpacked_stream(files[0]), io_unpacked_stream(files[1])};
    bool are = streams[0] && streams[1];
    for (int n = 0; n < 2 && are; n++) {
        are = fseek(streams[n], (long)at[n], SEEK_SET) == 0;
    }
    for (int64_t done = 0; done < bytes && are; done += PART) {
        const size_t part = bytes - done < PART ? (size_t)(bytes - done) : PART;
        are = fread(parts[0], 1, part, streams[0]) == part &&
              fread(parts[1], 1, part, streams[1]) == part &&
              memcmp(parts[0], parts[1], part) == 0;
    }
    for (int n = 0; n < 2; n++) {
        if (streams[n]) {
            fclose(streams[n]);
        }
    }
    return are;
}

typedef status decoder(const char *path, const io_array_place *place, void **values,
                       int64_t *bytes);

/* Whether two arrays that are coded have the same values. */
static bool are_same_values(const char *const files[2],
                            const io_array_place *const places[2], decoder *decode)
{
    void *values[2] = {NULL, NULL};
    int64_t bytes[2] = {0, 0};
    status s = STATUS_OK;
    for (int n = 0; n < 2 && s == STATUS_OK; n++) {
        s = decode(files[n], places[n], &values[n], &bytes[n]);
    }
    const bool are = s == STATUS_OK && bytes[0] == bytes[1] &&
                     memcmp(values[0], values[1], (size_t)bytes[0]) == 0;
    if (s != STATUS_OK) {
        base_fail_set_message(""); /* reading says it again */
    }
    free(values[0]);
    free(values[1]);
    return are;
}

bool io_array_same(const io_array_table *table, const io_array_place *const places[2],
                   int64_t count, decoder *decode)
{
    const io_array_place *a = places[0], *b = places[1];
    if (a->file < 0 || b->file < 0) {
        return a->file == b->file && a->start == b->start &&
               memcmp(a->slope, b->slope, sizeof a->slope) == 0;
    }
    const char *const files[2] = {table->files[a->file], table->files[b->file]};
    if (a->is_coded || b->is_coded) {
        return a->is_coded && b->is_coded && are_same_values(files, places, decode);
    }
    return a->swaps == b->swaps && a->type == b->type &&
           io_array_same_bytes(files, (const int64_t[2]){a->offset, b->offset},
                               count * (int64_t)io_number_size(a->type));
}
