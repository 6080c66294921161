#include "arrays.h"

#include "base/parallel/share.h"
#include "io/file.h"
#include "io/gzip/unpacked.h"
#include "io/source.h"
#include "rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Arrays that stay decoded: coordinates, iblank and the inputs of most recipes. */
enum { DECODED = 8 };

typedef struct decoded {
    int32_t file; /* where, and which array, if there are values */
    int64_t code[4];
    io_array_part part; /* that is decoded; `inside` is unused */
    char *values;
    int64_t bytes;
    int64_t used;
} decoded;

typedef struct arrays_state {
    const io_array_format *format;
    io_array_table table;
    int open; /* the file that is open; -1: none */
    int descriptor;
    decoded decoded[DECODED];
    int64_t uses;
    void *kept; /* by the format */
} arrays_state;

/* ---- Opening ----------------------------------------------------------------------- */

/* Gives all ranks the paths of rank 0, one behind the other. Collective. */
static status share_paths(MPI_Comm comm, int nfiles, io_array_table *table)
{
    const bool is_first = parallel_rank(comm) == 0;
    int64_t size = 0;
    for (int n = 0; n < nfiles && is_first; n++) {
        size += (int64_t)strlen(table->files[n]) + 1;
    }
    char *text = is_first ? calloc((size_t)size + 1, 1) : NULL, *at = text;
    status s = text || !is_first ? STATUS_OK
                                 : base_fail_memory((size_t)size, "the paths of files");
    for (int n = 0; n < nfiles && text; n++) {
        at = stpcpy(at, table->files[n]) + 1;
    }
    s = parallel_share_text(comm, s, &text, &size, "the paths of files");
    at = text;
    for (int n = 0; n < nfiles && !is_first && s == STATUS_OK; n++) {
        int32_t index;
        s = io_array_table_add_file(table, at, &index);
        at += strlen(at) + 1;
    }
    free(text);
    return parallel_agree(comm, s);
}

/* Gives all ranks the table of rank 0. Collective. */
static status share_table(MPI_Comm comm, int nsteps, io_array_table *table)
{
    int64_t counts[5] = {table->nfiles, table->nplaces, table->nextents,
                         table->steps ? nsteps : -1, table->is_even};
    parallel_bcast(counts, 5, MPI_INT64_T, 0, comm);
    table->nplaces = counts[1];
    table->nextents = counts[2];
    table->is_even = counts[4] != 0;
    const parallel_list lists[] = {PARALLEL_LIST(table->places, counts[1]),
                                   PARALLEL_LIST(table->extents, counts[2]),
                                   PARALLEL_LIST(table->steps, counts[3])};
    const status s = parallel_share(comm, STATUS_OK, sizeof lists / sizeof lists[0],
                                    lists, "the arrays of a data set");
    return s == STATUS_OK ? share_paths(comm, (int)counts[0], table) : s;
}

status io_arrays_open(io_source *source, const io_data_config *config,
                      const io_array_format *format)
{
    arrays_state *state = calloc(1, sizeof *state);
    status s = state ? STATUS_OK : base_fail_memory(sizeof *state, "the data source");
    s = parallel_agree(source->comm, s);
    source->state = state;
    source->reads_alone = true;
    if (s != STATUS_OK) {
        return s;
    }
    state->format = format;
    state->open = state->descriptor = -1;
    if (parallel_rank(source->comm) == 0) {
        s = format->describe(source->path, config, &source->catalog, &state->table);
        if (s == STATUS_OK) {
            io_array_table_fold(&state->table, &source->catalog);
        }
    }
    s = parallel_agree(source->comm, s);
    s = s == STATUS_OK ? io_catalog_broadcast(source->comm, &source->catalog) : s;
    return s == STATUS_OK
               ? share_table(source->comm, source->catalog.nsteps, &state->table)
               : s;
}

void io_arrays_close(io_source *source)
{
    arrays_state *state = source->state;
    if (!state) {
        return;
    }
    for (int n = 0; n < DECODED; n++) {
        free(state->decoded[n].values);
    }
    for (int n = 0; n < state->table.nfiles; n++) {
        free(state->table.files[n]);
    }
    if (state->kept) {
        state->format->forget(&state->kept);
    }
    if (state->descriptor >= 0) {
        close(state->descriptor);
    }
    free(state->table.files);
    free(state->table.places);
    free(state->table.steps);
    free(state->table.extents);
    free(state);
    source->state = NULL;
}

bool io_arrays_reads(const io_source *source, const char *path)
{
    const arrays_state *state = source->state;
    bool does = false;
    for (int n = 1; n < state->table.nfiles && !does; n++) {
        does = io_file_is_same(state->table.files[n], path);
    }
    return does;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* Opens a file, unless it is open. O_NONBLOCK: a pipe would wait for ever. */
static status open_file(arrays_state *state, int file)
{
    struct stat about;
    if (state->open == file) {
        return STATUS_OK;
    }
    if (state->descriptor >= 0) {
        close(state->descriptor);
    }
    const char *path = state->table.files[file];
    state->open = -1;
    state->descriptor = io_unpacked_descriptor(path);
    if (state->descriptor < 0 || fstat(state->descriptor, &about) != 0) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return base_fail(STATUS_INPUT, "'%s' is no regular file", path);
    }
    state->open = file;
    return STATUS_OK;
}

static bool is_same_part(const io_array_part *a, const io_array_part *b)
{
    return a->rank == b->rank &&
           memcmp(a->lo, b->lo, (size_t)a->rank * sizeof *a->lo) == 0 &&
           memcmp(a->n, b->n, (size_t)a->rank * sizeof *a->n) == 0;
}

/* Decodes an array, or a part of it. *out: [*bytes], malloc'ed. */
static status decode(arrays_state *state, const io_array_place *place,
                     const io_array_part *part, void **out, int64_t *bytes)
{
    const char *path = state->table.files[place->file];
    if (part->rank == 0) {
        return state->format->decode(path, place, out, bytes);
    }
    *bytes = part->bytes;
    *out = malloc((size_t)part->bytes + 1);
    status s = *out ? state->format->decode_part(&state->kept, path, place, part, *out)
                    : base_fail_memory((size_t)part->bytes, "a part of an array");
    if (s != STATUS_OK) {
        free(*out);
    }
    return s;
}

/* Finds the decoded values of an array, or of a part; decodes them in place of the oldest
 * ones. */
static status find_decoded(arrays_state *state, const io_array_place *place,
                           const io_array_part *part, const decoded **out)
{
    decoded *oldest = &state->decoded[0];
    for (int n = 0; n < DECODED; n++) {
        decoded *one = &state->decoded[n];
        if (one->values && one->file == place->file &&
            memcmp(one->code, place->code, sizeof place->code) == 0 &&
            is_same_part(&one->part, part)) {
            one->used = ++state->uses;
            *out = one;
            return STATUS_OK;
        }
        oldest = one->used < oldest->used ? one : oldest;
    }
    free(oldest->values);
    *oldest = (decoded){.values = NULL};
    void *values = NULL;
    const status s = decode(state, place, part, &values, &oldest->bytes);
    if (s == STATUS_OK) {
        oldest->file = place->file;
        memcpy(oldest->code, place->code, sizeof oldest->code);
        oldest->part = *part;
        oldest->values = values;
        oldest->used = ++state->uses;
    }
    *out = oldest;
    return s;
}

/* Gives a box of an array that is decoded. */
static status give_decoded(arrays_state *state, const io_array_place *place,
                           const io_box *box, const io_array_wish *want, void *out)
{
    const decoded *all = NULL;
    io_array_part part = {.rank = 0};
    status s = STATUS_OK;
    if (state->format->find_part) {
        s = state->format->find_part(&state->kept, state->table.files[place->file], place,
                                     box, &part);
    }
    s = s == STATUS_OK ? find_decoded(state, place, &part, &all) : s;
    const io_array_place *inside = part.rank > 0 ? &part.inside : place;
    int64_t first = inside->offset, end = first + (int64_t)io_number_size(place->type);
    for (int axis = 0; axis < 3; axis++) {
        first += box->lo[axis] * inside->stride[axis];
        end += (box->lo[axis] + box->n[axis] - 1) * inside->stride[axis];
    }
    if (s == STATUS_OK && (first < 0 || end > all->bytes)) {
        return base_fail(STATUS_INPUT,
                         "an array of '%s' has fewer values than its "
                         "block: write the file again",
                         state->table.files[place->file]);
    }
    return s == STATUS_OK ? io_array_rows_give(inside, box, all->values, want, out) : s;
}

static status read_place(arrays_state *state, const io_array_place *place,
                         const io_box *box, const io_array_wish *want, void *out)
{
    if (!out && (place->file < 0 || place->is_coded)) {
        return STATUS_OK;
    }
    if (place->file < 0) {
        return io_array_rows_give(place, box, NULL, want, out);
    }
    if (place->is_coded) {
        return give_decoded(state, place, box, want, out);
    }
    const status s = open_file(state, place->file);
    const io_array_file file = {state->table.files[place->file], state->descriptor,
                                state->table.extents};
    return s == STATUS_OK ? io_array_rows_read(&file, place, box, want, out) : s;
}

status io_arrays_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out)
{
    arrays_state *state = source->state;
    const io_catalog *catalog = &source->catalog;
    if (box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0) {
        return STATUS_OK;
    }
    if (array >= 0 && !io_source_has_field(source, step, array)) {
        return base_fail(STATUS_INPUT, "step %" PRId64 " of '%s' has no field '%s'",
                         catalog->steps[step].number, source->path,
                         catalog->fields[array].name);
    }
    const io_array_place place = io_array_table_find(
        &state->table, catalog, step, io_catalog_member(catalog, block), array);
    const io_array_wish want = {.unpack = array >= 0 ? &catalog->unpackings[array] : NULL,
                                .origin = array < IO_ARRAY_IBLANK ? source->origin : NULL,
                                .is_int = array == IO_ARRAY_IBLANK,
                                .is_float = array >= 0 && !source->wants_doubles,
                                .hidden = place.hidden};
    return read_place(state, &place, box, &want, out);
}
