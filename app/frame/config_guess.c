#include "config_guess.h"

#include "base/parallel/parallel.h"
#include "io/listing/listing.h"
#include "io/listing/section.h"
#include "io/source.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool names_nothing(const io_data_config *data)
{
    return data->file && !data->grid_x && !data->grid_file && data->nfields == 0 &&
           !data->plot3d && !data->time && !data->is_fortran;
}

static status print_keys(const io_listing *listing, char **keys)
{
    io_guess *guess = NULL;
    size_t size = 0;
    status s = io_guess_create(listing, &guess);
    FILE *stream =
        s == STATUS_OK && guess->chosen >= 0 ? open_memstream(keys, &size) : NULL;
    if (stream) {
        io_section_write_keys(stream, guess);
        s = fclose(stream) == 0 ? s : base_fail_memory(size, "the keys of a file");
    }
    io_guess_destroy(&guess);
    return s;
}

/* Rank 0's part. Whoever opens the file says why it cannot be read. */
static status find_keys(const io_data_config *data, char **keys)
{
    io_listing *listing = NULL;
    status s = STATUS_OK;
    if (io_source_list(data->file, &listing) != STATUS_OK) {
        base_fail_set_message("");
    } else if (listing && !listing->obstacle) {
        s = print_keys(listing, keys);
    }
    io_listing_destroy(&listing);
    return s;
}

status app_config_guess(MPI_Comm comm, const io_config *config, char **keys)
{
    const bool is_first = parallel_rank(comm) == 0;
    *keys = NULL;
    if (!names_nothing(&config->data)) {
        return STATUS_OK;
    }
    status s = is_first ? find_keys(&config->data, keys) : STATUS_OK;
    int64_t bytes = *keys ? (int64_t)strlen(*keys) + 1 : 0;
    parallel_bcast(&bytes, 1, MPI_INT64_T, 0, comm);
    if (!is_first && bytes > 0) {
        *keys = malloc((size_t)bytes);
        s = *keys ? s : base_fail_memory((size_t)bytes, "the keys of a file");
    }
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        free(*keys);
        *keys = NULL;
        return s;
    }
    if (bytes > 0) {
        parallel_bcast(*keys, parallel_count(bytes), MPI_CHAR, 0, comm);
    }
    return STATUS_OK;
}

status app_config_name(char *keys, io_config **config)
{
    enum { MOST_KEYS = 16 };
    const char *list[MOST_KEYS];
    int count = 0;
    io_config *named = NULL;
    for (char *key = keys ? strtok(keys, "\n") : NULL; key && count < MOST_KEYS;
         key = strtok(NULL, "\n")) {
        list[count++] = key;
    }
    status s = count > 0 ? io_config_override(*config, count, list, &named) : STATUS_OK;
    free(keys);
    if (named) {
        io_config_destroy(config);
        *config = named;
    }
    return s;
}
