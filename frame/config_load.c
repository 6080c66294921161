#include "config_load.h"

#include "base/log.h"
#include "base/parallel/share.h"
#include "io/source.h"
#include "io/sources/listing/listing.h"
#include "io/sources/listing/section.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Files of another layout ------------------------------------------------------- */

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

/* Rank 0's part. Whoever opens a file that is not there says so. */
static status find_keys(const io_data_config *data, char **keys)
{
    io_listing *listing = NULL;
    status s = io_source_list(data->file, &listing);
    if (s == STATUS_INPUT && access(data->file, F_OK) != 0) {
        base_fail_set_message("");
        s = STATUS_OK;
    }
    if (listing && !listing->obstacle) {
        s = print_keys(listing, keys);
    }
    io_listing_destroy(&listing);
    return s;
}

status frame_config_guess(MPI_Comm comm, const io_config *config, char **keys)
{
    const bool is_first = parallel_rank(comm) == 0;
    *keys = NULL;
    if (!names_nothing(&config->data)) {
        return STATUS_OK;
    }
    status s = is_first ? find_keys(&config->data, keys) : STATUS_OK;
    io_config_blame(config, "data.file", s);
    int64_t bytes = *keys ? (int64_t)strlen(*keys) : 0;
    s = parallel_share_text(comm, s, keys, &bytes, "the keys of a file");
    if (s != STATUS_OK) {
        free(*keys);
        *keys = NULL;
    }
    return s;
}

status frame_config_name(char *keys, io_config **config)
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

status frame_config_take_one_sample(io_config **config)
{
    const char *const one[] = {"image.samples=1"};
    io_config *made = NULL;
    if (io_config_given(*config, "image.samples")) {
        return STATUS_OK;
    }
    const status s = io_config_override(*config, 1, one, &made);
    if (s == STATUS_OK) {
        io_config_destroy(config);
        *config = made;
    }
    return s;
}

/* ---- Loading ----------------------------------------------------------------------- */

/* Names grid and fields, if the config leaves both to its file. Collective. */
static status complete(MPI_Comm comm, io_config **config)
{
    char *keys = NULL;
    status s = frame_config_guess(comm, *config, &keys);
    if (keys && parallel_rank(comm) == 0) {
        base_log_warning("%s has a layout of its own: grid and fields are guessed from "
                         "names and shapes, as 'karman info %s' shows",
                         (*config)->data.file, (*config)->data.file);
    }
    return s == STATUS_OK ? parallel_agree(comm, frame_config_name(keys, config)) : s;
}

/* Parses a text that all ranks have. Collective. */
static status parse(MPI_Comm comm, const char *path, const char *text, size_t size,
                    const frame_job_options *options, io_config **out)
{
    io_config *config = NULL;
    status s = io_config_parse(path, text, size, options->noverrides, options->overrides,
                               &config);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = complete(comm, &config);
    }
    if (s != STATUS_OK) {
        io_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}

status frame_config_load(MPI_Comm comm, const char *path, int noverrides,
                         const char *const *overrides, io_config **out)
{
    int rank = parallel_rank(comm);
    char *text = NULL;
    size_t size = 0;
    status s = rank == 0 ? io_config_read_text(path, &text, &size) : STATUS_OK;
    int64_t bytes = (int64_t)size;
    s = parallel_share_text(comm, s, &text, &bytes, "a config file");
    if (s == STATUS_OK) {
        const frame_job_options options = {.noverrides = noverrides,
                                           .overrides = overrides};
        s = parse(comm, path, text, (size_t)bytes, &options, out);
    }
    free(text);
    return s;
}

status frame_config_load_for(MPI_Comm comm, const char *path,
                             const frame_job_options *options, io_config **out)
{
    if (!options->text) {
        return frame_config_load(comm, path, options->noverrides, options->overrides,
                                 out);
    }
    return parse(comm, path, options->text, strlen(options->text), options, out);
}

static void drop(char **text)
{
    free(*text);
    *text = NULL;
}

void frame_config_show(io_config *config)
{
    drop(&config->output.floats);
    drop(&config->output.figure);
    drop(&config->output.extracts);
    drop(&config->output.movie);
    drop(&config->output.cinema);
    drop(&config->output.timings);
    config->output.warm_caches = config->output.tile_costs = false;
    config->partition =
        (io_partition_config){.kind = IO_PARTITION_OBJECT, .balance = IO_BALANCE_CELLS};
}

json_t *frame_config_given(const io_config *config, const char *path)
{
    char *text = io_config_given_json(config, path);
    json_t *given = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    free(text);
    return given;
}

bool frame_config_has_same(const io_config *a, const io_config *b, const char *path,
                           const char *but)
{
    json_t *mine = frame_config_given(a, path), *other = frame_config_given(b, path);
    if (but) {
        json_object_del(mine, but);
        json_object_del(other, but);
    }
    const bool same = mine == other || (mine && other && json_equal(mine, other));
    json_decref(mine);
    json_decref(other);
    return same;
}

bool frame_config_draws(const io_config *config)
{
    const io_output_config *output = &config->output;
    return output->frames || output->floats || output->figure || output->movie;
}

void frame_config_tell_omissions(const io_source *source)
{
    if (io_source_step_count(source) == 0) {
        base_log_warning("%s holds a grid without a solution: layers without a field are "
                         "drawn",
                         io_source_path(source));
    }
    static const char name[] = "left out\t";
    for (const char *line = io_source_notes(source); *line != '\0';
         line += strcspn(line, "\n"), line += *line != '\0') {
        if (strncmp(line, name, sizeof name - 1) == 0) {
            line += sizeof name - 1;
            base_log_warning("%s: left out: %.*s", io_source_path(source),
                             (int)strcspn(line, "\n"), line);
        }
    }
}
