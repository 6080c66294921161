#include "info.h"

#include "base/parallel/parallel.h"
#include "contents.h"
#include "frame/config_load.h"
#include "io/source.h"
#include "io/sources/listing/listing.h"
#include "others.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files and configs ------------------------------------------------------------ */

static bool is_config(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* Opens a data file, or the data of a config file. Collective. */
static status open_source(MPI_Comm comm, const char *path, io_source **out)
{
    if (is_config(path)) {
        io_config *config = NULL;
        status s = frame_config_load(comm, path, 0, NULL, &config);
        if (s == STATUS_OK) {
            io_data_config data = config->data;
            data.nsteps = 0; /* of several files, look at all */
            s = io_source_open(comm, &data, out);
        }
        io_config_destroy(&config);
        return s;
    }
    char *copy = strdup(path);
    status s =
        copy ? STATUS_OK : base_fail_memory(strlen(path) + 1, "the name of a file");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        const io_data_config data = {.file = copy, .all_steps = true};
        s = io_source_open(comm, &data, out);
    }
    free(copy);
    return s;
}

/* ---- printing --------------------------------------------------------------------- */

static status print_json(json_t *all)
{
    int failed = !all || json_dumpf(all, stdout, JSON_INDENT(2)) != 0;
    json_decref(all);
    if (failed) {
        return base_fail(STATUS_OUTPUT, "the JSON cannot be written to standard output");
    }
    printf("\n");
    return STATUS_OK;
}

/* Collective. */
static status print_contents(MPI_Comm comm, const app_info_request *request)
{
    info in = {0};
    status s = open_source(comm, request->file, &in.source);
    if (s == STATUS_OK) {
        s = info_find(comm, request->ranges, &in);
    }
    if (s == STATUS_OK) {
        status printed = STATUS_OK;
        if (parallel_rank(comm) == 0 && request->json) {
            printed = print_json(info_describe(&in));
        } else if (parallel_rank(comm) == 0) {
            info_print_text(&in, request->ranges);
        }
        s = parallel_agree(comm, printed);
    }
    info_release(&in);
    return s;
}

/* A file of another layout; the listing and the guess are on rank 0 alone. */
typedef struct other {
    io_listing *listing;
    io_guess *guess;
    bool is_read; /* as guessed: then `in` has the contents */
    info in;
} other;

static status list_other(const char *file, other *o)
{
    status s = io_source_list(file, &o->listing);
    if (s == STATUS_OK && o->listing) {
        s = io_listing_fold(o->listing);
    }
    if (s == STATUS_OK && o->listing) {
        s = io_guess_create(o->listing, &o->guess);
    }
    return s;
}

/* A config that names the file alone. A path in a config is relative to its folder, so
 * the config goes by a name without one. Local. */
static status make_config(const char *file, io_config **out)
{
    const char *slash = strrchr(file, '/');
    json_t *json = json_pack("{s:{s:s}, s:{s:s}}", "data", "file", file, "output",
                             "frames", "none.png");
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    status s =
        text ? io_config_parse(slash ? slash + 1 : file, text, strlen(text), 0, NULL, out)
             : base_fail(STATUS_INPUT, "the path '%s' is no UTF-8", file);
    free(text);
    json_decref(json);
    return s;
}

/* Opens the file as the section that is printed for it says. Collective. */
static status open_guessed(MPI_Comm comm, const char *file, io_source **out)
{
    io_config *config = NULL;
    char *keys = NULL;
    status s = parallel_agree(comm, make_config(file, &config));
    if (s == STATUS_OK) {
        s = frame_config_guess(comm, config, &keys);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(comm, frame_config_name(keys, &config));
    }
    if (s == STATUS_OK) {
        io_data_config data = config->data;
        data.all_steps = true;
        s = io_source_open(comm, &data, out);
    }
    io_config_destroy(&config);
    return s;
}

/* Reads a file of which rank 0 has a guess. Collective. */
static status read_other(MPI_Comm comm, const app_info_request *request, other *o)
{
    int has_guess = o->guess && o->guess->chosen >= 0 && !o->listing->obstacle;
    parallel_bcast(&has_guess, 1, MPI_INT, 0, comm);
    if (has_guess == 0) {
        return STATUS_OK;
    }
    status s = open_guessed(comm, request->file, &o->in.source);
    if (s == STATUS_OK) {
        s = info_find(comm, request->ranges, &o->in);
    }
    o->is_read = s == STATUS_OK;
    return s;
}

static status print_guess(const app_info_request *request, const other *o)
{
    if (request->json) {
        json_t *all = others_describe(o->listing, o->guess);
        if (all && o->is_read) {
            json_object_set_new(all, "contents", info_describe(&o->in));
        }
        return print_json(all);
    }
    others_print_text(o->listing, o->guess);
    if (o->is_read) {
        printf("\nRead as this says, it holds:\n\n");
        info_print_text(&o->in, request->ranges);
    }
    others_print_section(o->listing, o->guess);
    return STATUS_OK;
}

/* Prints the file if its layout is not karman's own. Sets *is_other accordingly.
 * Collective. */
static status print_other(MPI_Comm comm, const app_info_request *request, bool *is_other)
{
    other o = {0};
    const bool is_first = parallel_rank(comm) == 0;
    status s = parallel_agree(comm, is_first ? list_other(request->file, &o) : STATUS_OK);
    int is = o.listing != NULL;
    parallel_bcast(&is, 1, MPI_INT, 0, comm);
    if (s == STATUS_OK && is != 0) {
        const status read = read_other(comm, request, &o);
        s = parallel_agree(comm, is_first ? print_guess(request, &o) : STATUS_OK);
        s = s == STATUS_OK ? read : s; /* the list is printed all the same */
    }
    info_release(&o.in);
    io_guess_destroy(&o.guess);
    io_listing_destroy(&o.listing);
    *is_other = is != 0;
    return s;
}

status app_info_print(MPI_Comm comm, const app_info_request *request)
{
    bool is_other = false;
    status s = STATUS_OK;
    if (!is_config(request->file)) {
        s = print_other(comm, request, &is_other);
    }
    return s == STATUS_OK && !is_other ? print_contents(comm, request) : s;
}
