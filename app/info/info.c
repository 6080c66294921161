#include "info.h"

#include "app/frame/config_load.h"
#include "base/parallel/parallel.h"
#include "contents.h"
#include "io/listing/listing.h"
#include "io/source.h"
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
        status s = app_config_load(comm, path, 0, NULL, &config);
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

/* Prints a listing on the rank that has it. Local. */
static status print_listing(const io_listing *listing, bool json)
{
    io_guess *guess = NULL;
    status s = io_guess_create(listing, &guess);
    if (s == STATUS_OK && json) {
        s = print_json(others_describe(listing, guess));
    } else if (s == STATUS_OK) {
        others_print_text(listing, guess);
    }
    io_guess_destroy(&guess);
    return s;
}

/* Prints the file if its layout is not karman's own. Sets *is_other accordingly.
 * Collective. */
static status print_other(MPI_Comm comm, const app_info_request *request, bool *is_other)
{
    io_listing *listing = NULL;
    status s = STATUS_OK;
    int is = 0;
    if (parallel_rank(comm) == 0) {
        s = io_source_list(request->file, &listing);
        is = listing != NULL;
        if (is) {
            s = io_listing_fold(listing);
        }
        if (is && s == STATUS_OK) {
            s = print_listing(listing, request->json);
        }
        io_listing_destroy(&listing);
    }
    s = parallel_agree(comm, s);
    parallel_bcast(&is, 1, MPI_INT, 0, comm);
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
