/*
 * The source of a series: several files that hold the steps together.
 *
 * Rank 0 opens each file alone, compares blocks and fields and counts the steps. All
 * ranks then open the first file, for the grid, and one more: that of the step being
 * read. If the grid moves, each file has its own.
 */
#include "series.h"
#include "base/array.h"
#include "base/parallel/share.h"
#include "file_config.h"
#include "files.h"
#include "grids.h"
#include "io/file.h"
#include "io/source.h"
#include "io/source_kind.h"
#include "io/sources/formats.h"
#include "io/sources/listing/listing.h"
#include "io/view.h"
#include "io/window.h"
#include "p3d.h"
#include "state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Files ------------------------------------------------------------------------- */

bool series_is_wanted(const io_data_config *config)
{
    return config->file &&
           (config->nfiles > 1 || series_is_folder(config->file) ||
            series_is_pattern(config->file) || series_p3d_is(config->file));
}

/* Opens a file of the series. Collective over comm. */
static status open_file(MPI_Comm comm, series_state *state, int file, io_source **out)
{
    const series_file *of = &state->files.files[file];
    io_plot3d_config *given = state->config.plot3d, listed = {0};
    state->config.file = of->path;
    if (of->q || of->function) {
        listed = given ? *given : listed;
        listed.q = of->q;
        listed.function = of->function;
        state->config.plot3d = &listed;
    }
    status s = series_open(comm, true, &state->config, out);
    state->config.file = NULL;
    state->config.plot3d = given;
    return s;
}

/* ---- Looking at all files ---------------------------------------------------------- */

/* Adds the fields of a file that no other file had. */
static status take_fields(io_catalog *all, const io_source *file)
{
    const io_catalog *its = &file->catalog;
    status s = STATUS_OK;
    for (int n = 0; n < its->nfields && s == STATUS_OK; n++) {
        const int known = io_catalog_find_field(all, its->fields[n].name);
        if (known < 0) {
            s = io_catalog_add_field(all, &its->fields[n]);
        } else if (all->fields[known].location != its->fields[n].location) {
            s = base_fail(STATUS_INPUT,
                          "field '%s' of file '%s' is %s, but not so in other files of "
                          "the series",
                          its->fields[n].name, file->path,
                          its->fields[n].location == GRID_CELL ? "in cells"
                                                               : "at vertices");
        }
    }
    return s;
}

/* Adds a step of a file. */
static status take_step(series_state *state, const io_catalog *all, const io_source *file,
                        int number, int inside)
{
    uint8_t *has = calloc((size_t)all->nfields + 1, 1);
    if (!has || base_array_room(state->steps, state->nsteps, 1, NULL) != STATUS_OK) {
        free(has);
        return base_fail_memory((size_t)state->nsteps * sizeof *state->steps,
                                "the steps");
    }
    const io_catalog *its = &file->catalog;
    for (int field = 0; field < its->nfields; field++) {
        has[io_catalog_find_field(all, its->fields[field].name)] =
            *io_catalog_presence(its, inside, field);
    }
    const io_step *step = &its->steps[inside];
    const series_file *of = &state->files.files[number];
    const status s =
        series_grids_find(file, inside, all, &state->steps[state->nsteps].geometry);
    int32_t *geometry = state->steps[state->nsteps].geometry;
    state->steps[state->nsteps++] =
        (series_step){.number = step->number,
                      .inside_number = step->number,
                      .time = of->has_time ? of->time : step->time,
                      .file = number,
                      .inside = inside,
                      .grid = its->grids ? its->grids[inside] : 0,
                      .nfields = all->nfields,
                      .has = has,
                      .nblocks = all->nblocks,
                      .geometry = geometry};
    return s;
}

static status look_at_file(io_source *source, int number)
{
    series_state *state = source->state;
    io_catalog *all = &source->catalog;
    io_source *file = NULL;
    status s = open_file(MPI_COMM_SELF, state, number, &file);
    if (s == STATUS_OK) {
        s = series_grids_take(source, number, file);
    }
    if (s == STATUS_OK) {
        s = take_fields(all, file);
    }
    for (int n = 0; s == STATUS_OK && n < file->catalog.nsteps; n++) {
        s = take_step(state, all, file, number, n);
    }
    io_source_close(&file);
    return s;
}

/* ---- The catalogue ----------------------------------------------------------------- */

/* Enters steps and the fields that they have. */
static status enter_steps(io_source *source)
{
    const series_state *state = source->state;
    io_catalog *all = &source->catalog;
    io_named_step *named = calloc((size_t)state->nsteps + 1, sizeof *named);
    if (!named) {
        return base_fail_memory((size_t)state->nsteps * sizeof *named, "the steps");
    }
    for (int n = 0; n < state->nsteps; n++) {
        named[n].step = (io_step){state->steps[n].number, state->steps[n].time};
        snprintf(named[n].name, sizeof named[n].name, "%" PRId64, state->steps[n].number);
    }
    status s = io_catalog_set_steps(all, source->path, state->nsteps, named);
    free(named);
    if (s == STATUS_OK) {
        s = io_catalog_clear_presence(all);
    }
    for (int n = 0; n < state->nsteps && s == STATUS_OK; n++) {
        for (int field = 0; field < state->steps[n].nfields; field++) {
            *io_catalog_presence(all, n, field) = state->steps[n].has[field];
        }
    }
    return s;
}

/* How values of the first file become numbers stands for all, in messages. */
static status enter_unpackings(io_source *source)
{
    series_state *state = source->state;
    io_source *file = NULL;
    status s = open_file(MPI_COMM_SELF, state, 0, &file);
    for (int n = 0; s == STATUS_OK && n < file->catalog.nfields; n++) {
        const int field =
            io_catalog_find_field(&source->catalog, file->catalog.fields[n].name);
        if (field >= 0) {
            source->catalog.unpackings[field] = file->catalog.unpackings[n];
        }
    }
    io_source_close(&file);
    return s;
}

static status note_files(io_source *source)
{
    const series_state *state = source->state;
    const series_files *files = &state->files;
    const char *first = files->files[0].path;
    const char *last = files->files[files->count - 1].path;
    const char *name = files->pattern ? files->pattern : first;
    const bool has_ends = !files->pattern && files->count > 1;
    status s = io_catalog_note(&source->catalog, "files", "%d, %s%s%s", files->count,
                               name, has_ends ? " to " : "", has_ends ? last : "");
    if (s == STATUS_OK && source->catalog.grids) {
        return io_catalog_note(&source->catalog, "grid", "moves: each file has its own%s",
                               state->has_other_blocks
                                   ? ", and not all have the same blocks and sizes"
                                   : "");
    }
    if (s == STATUS_OK && files->count > 1 && !state->config.grid_file) {
        s = io_catalog_note(&source->catalog, "grid", "that of %s", first);
    }
    return s;
}

static status look_at_files(io_source *source)
{
    const series_state *state = source->state;
    status s = STATUS_OK;
    for (int n = 0; n < state->files.count && s == STATUS_OK; n++) {
        s = look_at_file(source, n);
    }
    return s;
}

static void clear_steps(series_state *state)
{
    for (int n = 0; n < state->nsteps; n++) {
        free(state->steps[n].has);
        free(state->steps[n].geometry);
    }
    free(state->steps);
    state->steps = NULL;
    state->nsteps = 0;
}

/*
 * Looks at the files of the steps that the config lists, if their numbers are those in
 * the names: among thousands of files this saves time. False if they are not, or if a
 * file has several steps.
 */
static bool look_at_listed(io_source *source, const io_data_config *config, status *s)
{
    series_state *state = source->state;
    if (!state->files.has_numbers || config->nsteps == 0) {
        return false;
    }
    series_files_keep(&state->files, config->nsteps, config->steps);
    *s = state->files.count == config->nsteps ? look_at_files(source) : STATUS_OK;
    if (state->files.count == config->nsteps &&
        series_steps_are_single(state->nsteps, state->steps)) {
        return true;
    }
    clear_steps(state);
    io_catalog_clear(&source->catalog);
    series_files_clear(&state->files);
    base_fail_set_message("");
    *s = series_files_find(config, &state->files);
    return false;
}

/* Rank 0's part of opening: finds all errors in the files. */
static status read_catalog(io_source *source, const io_data_config *config)
{
    series_state *state = source->state;
    status s = series_files_find(config, &state->files);
    if (s == STATUS_OK && !look_at_listed(source, config, &s) && s == STATUS_OK) {
        s = look_at_files(source);
    }
    if (s == STATUS_OK) {
        s = series_steps_number(&state->files, state->nsteps, state->steps);
    }
    if (s == STATUS_OK) {
        s = enter_steps(source);
    }
    if (s == STATUS_OK) {
        s = enter_unpackings(source);
    }
    if (s == STATUS_OK) {
        s = series_grids_number(source, config->grid_motion);
    }
    return s == STATUS_OK ? note_files(source) : s;
}

/* ---- All ranks --------------------------------------------------------------------- */

/* The paths of a file: its own, those of values, which may be "". */
enum { PATHS = 3 };

static const char *path_of(const series_file *file, int number)
{
    const char *const paths[PATHS] = {file->path, file->q, file->function};
    return paths[number] ? paths[number] : "";
}

/* The paths of all files, each with its ending zero; malloc'ed. */
static char *join_paths(const series_files *files, int64_t *bytes)
{
    *bytes = 0;
    for (int n = 0; n < files->count * PATHS; n++) {
        *bytes += (int64_t)strlen(path_of(&files->files[n / PATHS], n % PATHS)) + 1;
    }
    char *text = malloc((size_t)*bytes + 1), *at = text;
    for (int n = 0; n < files->count * PATHS && text; n++) {
        at = stpcpy(at, path_of(&files->files[n / PATHS], n % PATHS)) + 1;
    }
    return text;
}

/* Adds a file with its paths; *at moves behind them. */
static status add_paths(series_files *files, const char **at)
{
    status s = series_files_add(files, *at, -1);
    series_file *file = s == STATUS_OK ? &files->files[files->count - 1] : NULL;
    *at += strlen(*at) + 1;
    for (int n = 1; n < PATHS && file; n++, *at += strlen(*at) + 1) {
        char **to = n == 1 ? &file->q : &file->function;
        *to = **at != '\0' ? strdup(*at) : NULL;
        s = *to || **at == '\0' ? s : base_fail_memory(strlen(*at), "a path");
    }
    return s;
}

/* Sends the paths of the files of rank 0 to all ranks. Collective. */
static status broadcast_files(MPI_Comm comm, series_files *files)
{
    const bool is_first = parallel_rank(comm) == 0;
    int64_t bytes = 0;
    char *text = is_first ? join_paths(files, &bytes) : NULL;
    status s = text || !is_first ? STATUS_OK
                                 : base_fail_memory((size_t)bytes, "the files of steps");
    s = parallel_share_text(comm, s, &text, &bytes, "the files of steps");
    for (const char *at = text; s == STATUS_OK && !is_first && at < text + bytes;) {
        s = add_paths(files, &at);
    }
    free(text);
    return parallel_agree(comm, s);
}

/* Sends file and place of each step to all ranks. Collective. */
static status broadcast_steps(MPI_Comm comm, series_state *state)
{
    const bool is_first = parallel_rank(comm) == 0;
    int count = state->nsteps;
    parallel_bcast(&count, 1, MPI_INT, 0, comm);
    int *places = malloc((size_t)(count + 1) * 2 * sizeof *places);
    if (!is_first) {
        state->steps = calloc((size_t)count + 1, sizeof *state->steps);
    }
    status s =
        parallel_agree(comm, places && (state->steps || count == 0)
                                 ? STATUS_OK
                                 : base_fail_memory(sizeof *state->steps, "the steps"));
    for (int n = 0; n < count && s == STATUS_OK && is_first; n++) {
        places[2 * n] = state->steps[n].file;
        places[2 * n + 1] = state->steps[n].inside;
    }
    if (s == STATUS_OK) {
        parallel_bcast(places, 2 * count, MPI_INT, 0, comm);
        state->nsteps = count;
    }
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        state->steps[n].file = places[2 * n];
        state->steps[n].inside = places[2 * n + 1];
    }
    free(places);
    return s;
}

static status open_together(io_source *source, const io_data_config *config)
{
    series_state *state = source->state;
    status s = parallel_agree(source->comm, series_config_copy(config, &state->config));
    if (s == STATUS_OK && parallel_rank(source->comm) == 0) {
        s = read_catalog(source, config);
    }
    s = parallel_agree(source->comm, s);
    if (s == STATUS_OK) {
        s = io_catalog_broadcast(source->comm, &source->catalog);
    }
    if (s == STATUS_OK) {
        s = broadcast_files(source->comm, &state->files);
    }
    if (s == STATUS_OK) {
        s = broadcast_steps(source->comm, state);
    }
    return s;
}

static status open_series(io_source *source, const io_data_config *config)
{
    series_state *state = calloc(1, sizeof *state);
    source->state = state;
    status s = parallel_agree(
        source->comm, state ? STATUS_OK : base_fail_memory(sizeof *state, "a series"));
    if (s == STATUS_OK) {
        state->open = open_file;
    }
    return s == STATUS_OK ? open_together(source, config) : s;
}

static void series_close(io_source *source)
{
    series_state *state = source->state;
    if (!state) {
        return;
    }
    io_source_close(&state->grid);
    io_source_close(&state->flow);
    clear_steps(state);
    series_files_clear(&state->files);
    series_config_free(&state->config);
    free(state);
    source->state = NULL;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* The source of a file, which is opened if it is not open. All ranks fail alike.
 * Collective. */
static status choose_file(io_source *source, int file, io_source **out)
{
    series_state *state = source->state;
    io_source **slot = file == 0 ? &state->grid : &state->flow;
    status s = STATUS_OK;
    if (file > 0 && state->flow_file != file) {
        io_source_close(&state->flow);
    }
    if (!*slot) {
        s = open_file(source->comm, state, file, slot);
        state->flow_file = file > 0 ? file : state->flow_file;
    }
    *out = *slot;
    return s;
}

/* The block of a file; -1: it has none of this name and size. */
static int find_block(const io_source *file, const grid_block *block)
{
    const io_catalog *its = &file->catalog;
    for (int b = 0; b < its->nblocks; b++) {
        if (strcmp(its->blocks[b].name, block->name) == 0 &&
            memcmp(its->blocks[b].n, block->n, sizeof block->n) == 0) {
            return b;
        }
    }
    return -1;
}

/* The file that has an array of a step, and the index of the block there. Collective. */
static status locate(io_source *source, const io_view_array *from, io_source **file,
                     int *block)
{
    const series_state *state = source->state;
    const series_step *place = &state->steps[from->step];
    const io_catalog *all = &source->catalog;
    const bool is_first = from->array < 0 && !all->grids;
    status s = choose_file(source, is_first ? 0 : place->file, file);
    if (s == STATUS_OK && !is_first && all->grids) {
        s = io_source_choose_grid(*file, place->inside);
    }
    *block = s == STATUS_OK && all->sets.nblocks > 0
                 ? find_block(*file, &all->blocks[from->block])
                 : from->block;
    return s == STATUS_OK && (*block < 0 || *block >= (*file)->catalog.nblocks)
               ? base_fail(STATUS_INPUT, "file '%s' has no block '%s' any more",
                           (*file)->path, all->blocks[from->block].name)
               : s;
}

static status read_grid(const io_source *source, io_source *file,
                        const io_view_array *from, const io_box *box, void *out)
{
    if (from->array == IO_ARRAY_IBLANK && !file->catalog.blocks[from->block].has_iblank) {
        for (int64_t n = 0; n < box->n[0] * box->n[1] * box->n[2]; n++) {
            ((int32_t *)out)[n] = 1;
        }
        return STATUS_OK;
    }
    return source->origin
               ? io_source_read_places(file, from->block, from->array, *source->origin,
                                       box, out)
               : io_source_read(file, IO_GRID_STEP, from->block, from->array, box, out);
}

static status series_read(io_source *source, int step, int block, int array,
                          const io_box *box, void *out)
{
    const series_state *state = source->state;
    const series_step *place = &state->steps[step];
    io_source *file = NULL;
    int its = block;
    status s = locate(source, &(io_view_array){step, block, array}, &file, &its);
    if (s != STATUS_OK) {
        return s;
    }
    if (array < 0) {
        return read_grid(source, file, &(io_view_array){step, its, array}, box, out);
    }
    const char *name = source->catalog.fields[array].name;
    const int field = io_catalog_find_field(&file->catalog, name);
    if (field < 0 || place->inside >= file->catalog.nsteps ||
        file->catalog.nblocks != source->catalog.nblocks) {
        return base_fail(STATUS_INPUT, "step %" PRId64 " of file '%s' has no field '%s'",
                         source->catalog.steps[step].number, file->path, name);
    }
    return source->wants_doubles
               ? io_source_read_doubles(file, place->inside, its, field, box, out)
               : io_source_read(file, place->inside, its, field, box, out);
}

/* Files that are not open may have others beside them; those of a series are of one kind,
 * and so the grid's file tells. */
static bool series_reads(const io_source *source, const char *path)
{
    const series_state *state = source->state;
    bool has = (state->grid && io_source_reads(state->grid, path)) ||
               (state->flow && io_source_reads(state->flow, path));
    for (int n = 0; n < state->files.count && !has; n++) {
        has = io_file_is_same(state->files.files[n].path, path);
    }
    return has;
}

static const io_source_kind series_kind = {.open = open_series,
                                           .read = series_read,
                                           .reads = series_reads,
                                           .close = series_close,
                                           .has_doubles = true,
                                           .has_places = true,
                                           .window = IO_WINDOW_VERTICES};

/* ---- The interface ----------------------------------------------------------------- */

/* Rank 0 looks at the file, and all ranks take the same kind. Collective. */
static status choose_kind(MPI_Comm comm, const io_data_config *config,
                          const io_source_kind **out)
{
    enum { SERIES = -2 };
    int number = SERIES;
    status s = STATUS_OK;
    if (parallel_rank(comm) == 0 && !series_is_wanted(config)) {
        s = io_formats_choose(config, &number);
    }
    parallel_bcast(&number, 1, MPI_INT, 0, comm);
    *out = number == SERIES ? &series_kind : io_formats_at(number);
    return parallel_agree(comm, s);
}

status series_open(MPI_Comm comm, bool borrows_comm, const io_data_config *config,
                   io_source **out)
{
    const io_source_kind *kind = NULL;
    const status s = choose_kind(comm, config, &kind);
    return s == STATUS_OK ? io_source_open_as(kind, comm, borrows_comm, config, out) : s;
}

static status list_files(const io_data_config *config, io_listing **out)
{
    char *path = strdup(config->file);
    series_files files = {0};
    io_listing *listing = NULL;
    status s = path ? series_files_find(config, &files)
                    : base_fail_memory(strlen(config->file), "a path");
    if (s == STATUS_OK) {
        s = series_list(files.files[0].path, &listing);
    }
    series_files_clear(&files);
    if (s == STATUS_OK && listing) {
        free(listing->file);
        listing->file = path;
        path = NULL;
    }
    free(path);
    *out = listing;
    return s;
}

static status list_file(const io_data_config *config, io_listing **out)
{
    int number = -1;
    status s = io_formats_choose(config, &number);
    const io_source_kind *kind = io_formats_at(number);
    *out = NULL;
    return s == STATUS_OK && kind->list ? kind->list(config->file, out) : s;
}

status series_list(const char *path, io_listing **out)
{
    char *copy = strdup(path);
    const io_data_config config = {.file = copy};
    status s = !copy                       ? base_fail_memory(strlen(path), "a path")
               : series_is_wanted(&config) ? list_files(&config, out)
                                           : list_file(&config, out);
    free(copy);
    return s;
}
