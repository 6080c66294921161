#include "trial.h"

#include "bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How the sizes are written. */
typedef struct variant {
    bool is_multi;
    bool is_overflow;
    bool is_flat; /* two-dimensional */
} variant;

/* Bytes that may always follow behind the values: a block of a tape or a disk. */
enum { TAIL = 1 << 16 };

/* ---- Notes on failures ------------------------------------------------------------- */

#define NOTE(trial, ...) snprintf((trial)->mismatch, sizeof(trial)->mismatch, __VA_ARGS__)

static const char *unit_of(const plot3d_trial *trial)
{
    return trial->text ? "numbers" : "bytes";
}

/* ---- Sizes ------------------------------------------------------------------------- */

/* Whole numbers for each block. */
static int ints_of(const plot3d_trial *trial, variant v)
{
    return (v.is_flat ? 2 : 3) + (trial->request->kind == PLOT3D_FUNCTION ? 1 : 0);
}

/* The most vertices that a file may have. Text may repeat a number by "9*0". */
static int64_t most_vertices(const plot3d_trial *trial)
{
    return trial->text ? 16 * trial->size : trial->size;
}

/* Reads the number of blocks. Each takes some bytes of the file. */
static bool read_count(plot3d_trial *trial, variant v, int64_t *count)
{
    *count = 1;
    return !v.is_multi ||
           (plot3d_payload_ints(&trial->payload, 0, 1, count) && *count >= 1 &&
            *count <= trial->size / (2 * ints_of(trial, v)));
}

/* Whether the first records of a Fortran file have the lengths of such sizes. */
static bool records_agree(const plot3d_trial *trial, variant v, int64_t blocks)
{
    const plot3d_payload *payload = &trial->payload;
    if (payload->records != PLOT3D_FORTRAN) {
        return true;
    }
    const int64_t length = 4 * (blocks * ints_of(trial, v) + (v.is_overflow ? 2 : 0));
    return (!v.is_multi || plot3d_payload_length(payload, 0) == 4) &&
           plot3d_payload_length(payload, v.is_multi ? 1 : 0) == length;
}

/* Reads the sizes of a block; false if they cannot be any. *vertices counts them. */
static bool read_block(const plot3d_trial *trial, variant v, int64_t at,
                       plot3d_block *block, int64_t *vertices)
{
    enum { MOST_INTS = 4 };
    int64_t ints[MOST_INTS], all = 1;
    const int count = ints_of(trial, v), axes = v.is_flat ? 2 : 3;
    if (!plot3d_payload_ints(&trial->payload, at, count, ints)) {
        return false;
    }
    *block = (plot3d_block){.n = {1, 1, 1}};
    for (int axis = 0; axis < axes; axis++) {
        block->n[axis] = ints[axis];
        if (ints[axis] < 1 || ints[axis] > most_vertices(trial) / all) {
            return false;
        }
        all *= ints[axis];
    }
    *vertices += all;
    block->values = count > axes ? ints[axes] : 0;
    return *vertices <= most_vertices(trial) &&
           (count == axes || (block->values >= 1 && block->values <= PLOT3D_MOST_VALUES));
}

/* Reads the numbers of OVERFLOW's variables and species. */
static bool read_overflow(plot3d_trial *trial)
{
    int64_t ints[2];
    if (!plot3d_payload_ints(&trial->payload, trial->begin, 2, ints) || ints[0] < 1 ||
        ints[0] > PLOT3D_MOST_VALUES || ints[1] < 0 || ints[1] > PLOT3D_MOST_VALUES) {
        return false;
    }
    trial->header.values = ints[0];
    trial->header.nspecies = ints[1];
    trial->begin += 2 * plot3d_payload_int_size(&trial->payload);
    return true;
}

static bool read_blocks(plot3d_trial *trial, variant v)
{
    plot3d_header *header = &trial->header;
    const int64_t size = plot3d_payload_int_size(&trial->payload);
    int64_t vertices = 0, at = v.is_multi ? size : 0;
    for (int b = 0; b < header->nblocks; b++) {
        if (!read_block(trial, v, at, &header->blocks[b], &vertices)) {
            return false;
        }
        at += ints_of(trial, v) * size;
    }
    trial->begin = at;
    return !v.is_overflow || read_overflow(trial);
}

/* Reads all sizes; *found: they may be sizes. */
static status read_sizes(plot3d_trial *trial, variant v, bool *found)
{
    int64_t blocks;
    *found = read_count(trial, v, &blocks) && blocks <= INT32_MAX &&
             records_agree(trial, v, blocks);
    if (!*found) {
        return STATUS_OK;
    }
    trial->header = (plot3d_header){.kind = trial->request->kind,
                                    .records = trial->payload.records,
                                    .is_big = trial->payload.is_big,
                                    .is_multi = v.is_multi,
                                    .is_overflow = v.is_overflow,
                                    .nblocks = (int)blocks};
    const size_t bytes = (size_t)blocks * sizeof *trial->header.blocks;
    trial->header.blocks = malloc(bytes);
    if (!trial->header.blocks) {
        return base_fail_memory(bytes, "the sizes of blocks");
    }
    *found = read_blocks(trial, v);
    return STATUS_OK;
}

/* ---- Lengths ----------------------------------------------------------------------- */

/* Vertices of a block, within bounds that were checked. */
static int64_t count_vertices(const plot3d_block *block)
{
    return block->n[0] * block->n[1] * block->n[2];
}

/* The lengths of OVERFLOW's reference values: with the last three of them, with an
 * integer of the size of a real, and without the last three. */
enum { OVERFLOW_FORMS = 3 };

static int64_t reference_length(const plot3d_trial *trial, int form)
{
    const int64_t real = trial->header.real_size;
    const int64_t gas = trial->header.nspecies > 2 ? trial->header.nspecies : 2;
    if (trial->header.kind != PLOT3D_Q) {
        return 0;
    }
    return !trial->header.is_overflow ? PLOT3D_REFERENCES * real
           : form == 0                ? (13 + gas) * real + 4
           : form == 1                ? (14 + gas) * real
                                      : (10 + gas) * real + 4;
}

/* Numbers at a vertex of a block, without iblank. */
static int64_t values_of(const plot3d_trial *trial, const plot3d_block *block,
                         bool is_flat)
{
    switch (trial->header.kind) {
    case PLOT3D_GRID:
        return is_flat ? 2 : 3;
    case PLOT3D_Q:
        return trial->header.is_overflow ? trial->header.values : is_flat ? 4 : 5;
    default:
        return block->values;
    }
}

/* Sets the places of all arrays; returns the end of the last. */
static int64_t place_blocks(plot3d_trial *trial, bool is_flat, int form)
{
    plot3d_header *header = &trial->header;
    const int64_t marks =
        header->has_iblank ? plot3d_payload_int_size(&trial->payload) : 0;
    int64_t at = trial->begin;
    for (int b = 0; b < header->nblocks; b++) {
        plot3d_block *block = &header->blocks[b];
        block->values = values_of(trial, block, is_flat);
        block->start = at + reference_length(trial, form);
        at = block->start +
             count_vertices(block) * (block->values * header->real_size + marks);
    }
    return at;
}

/* Whether the config allows a form. */
static bool is_allowed(const plot3d_trial *trial)
{
    const io_plot3d_config *config = trial->request->config;
    const plot3d_header *header = &trial->header;
    const bool is_grid = header->kind == PLOT3D_GRID;
    if (!config) {
        return true;
    }
    return (config->precision == 0 || trial->text ||
            header->real_size == (config->precision == IO_PLOT3D_FLOAT32 ? 4 : 8)) &&
           (config->iblank == 0 || !is_grid ||
            header->has_iblank == (config->iblank == IO_PLOT3D_YES)) &&
           (config->blocks == 0 ||
            header->is_multi == (config->blocks == IO_PLOT3D_SEVERAL));
}

/* Places the arrays in the n-th form of a file; returns the end of the last. */
static int64_t place_form(plot3d_trial *trial, bool is_flat, int n)
{
    plot3d_header *header = &trial->header;
    const int sizes = trial->text ? 1 : 2;
    const int marks = header->kind == PLOT3D_GRID ? 2 : 1;
    header->real_size = trial->text ? 1 : n % sizes == 0 ? 4 : 8;
    header->has_iblank = n / sizes % marks == 1;
    return place_blocks(trial, is_flat, n / (sizes * marks));
}

/* Number of forms to place. */
static int count_forms(const plot3d_trial *trial)
{
    return (trial->text ? 1 : 2) * (trial->header.kind == PLOT3D_GRID ? 2 : 1) *
           (trial->header.is_overflow ? OVERFLOW_FORMS : 1);
}

/* Whether the payload has the length of a form that ends at `end`. The payload of a
 * lenient trial may be longer by a quarter, or by TAIL. */
static bool fits(const plot3d_trial *trial, int64_t end)
{
    const int64_t total = trial->payload.total;
    const int64_t most = end / 4 > TAIL ? end / 4 : TAIL;
    return total < 0 || end == total ||
           (trial->is_lenient && end < total && total - end <= most);
}

/* Bytes of the file behind the values, or numbers of a text. */
static int64_t count_extra(const plot3d_trial *trial, int64_t end)
{
    const plot3d_payload *payload = &trial->payload;
    const plot3d_extent *last =
        payload->records == PLOT3D_FORTRAN ? plot3d_payload_find(payload, end - 1) : NULL;
    return payload->total < 0 ? 0
           : last ? payload->size - last->offset - (end - last->payload) - payload->mark
                  : payload->total - end;
}

/* Whether the bytes behind the values are zeros, as far as a block of a disk. */
static bool is_padded(const plot3d_trial *trial, int64_t end)
{
    const plot3d_payload *payload = &trial->payload;
    char bytes[4096];
    bool is = payload->records == PLOT3D_PLAIN && end < payload->total;
    for (int64_t at = end; at < payload->total && at - end < TAIL && is;) {
        const ssize_t count =
            plot3d_bytes_read(payload->descriptor, bytes, sizeof bytes, at);
        is = count > 0;
        for (ssize_t n = 0; n < count && is; n++) {
            is = bytes[n] == 0;
        }
        at += count > 0 ? count : 0;
    }
    return is;
}

bool plot3d_trial_is_better(const plot3d_header *a, const plot3d_header *b)
{
    return a->is_padded != b->is_padded ? a->is_padded
           : a->is_padded               ? a->extra > b->extra
                                        : a->extra < b->extra;
}

/* Finds the best form. *least: of all forms tried, the least length that is larger than
 * 0. */
static bool find_form(plot3d_trial *trial, bool is_flat, int64_t *least)
{
    plot3d_header best = {.nblocks = 0};
    int found = -1;
    for (int n = 0; n < count_forms(trial); n++) {
        const int64_t end = place_form(trial, is_flat, n);
        if (!is_allowed(trial)) {
            continue;
        }
        *least = *least == 0 || end < *least ? end : *least;
        if (fits(trial, end)) {
            const plot3d_header here = {.extra = count_extra(trial, end),
                                        .is_padded = is_padded(trial, end)};
            const bool is_better = found < 0 || plot3d_trial_is_better(&here, &best);
            found = is_better ? n : found;
            best = is_better ? here : best;
        }
    }
    if (found >= 0) {
        place_form(trial, is_flat, found);
        trial->header.extra = best.extra;
        trial->header.is_padded = best.is_padded;
    }
    return found >= 0;
}

/* ---- Records ----------------------------------------------------------------------- */

/* Whether a stretch of the payload lies in one record. */
static bool is_in_one(const plot3d_payload *payload, int64_t from, int64_t length)
{
    const plot3d_extent *first = plot3d_payload_find(payload, from);
    const plot3d_extent *last = plot3d_payload_find(payload, from + length - 1);
    return first && last && first->record == last->record;
}

/* Whether each array lies in one record. */
static bool arrays_are_whole(const plot3d_trial *trial)
{
    const plot3d_header *header = &trial->header;
    bool are = true;
    for (int b = 0; b < header->nblocks && are; b++) {
        const plot3d_block *block = &header->blocks[b];
        const int64_t vertices = count_vertices(block);
        const int64_t length = vertices * header->real_size;
        for (int64_t v = 0; v < block->values && are; v++) {
            are = is_in_one(&trial->payload, block->start + v * length, length);
        }
        if (header->has_iblank && are) {
            are = is_in_one(&trial->payload, block->start + block->values * length,
                            4 * vertices);
        }
    }
    return are;
}

/* Finds all records of a Fortran file with plausible sizes. */
static status walk_on(plot3d_trial *trial)
{
    enum { MOST_OF_BLOCK = 8, SPARE = 64, LEAST_OF_PARTS = 1 << 16 };
    const int64_t most = SPARE + MOST_OF_BLOCK * (int64_t)trial->header.nblocks +
                         trial->size / LEAST_OF_PARTS;
    status s = plot3d_payload_walk(&trial->payload, INT64_MAX, most);
    if (trial->is_lenient) {
        return s; /* the values may be whole all the same */
    }
    if (trial->payload.is_broken) {
        NOTE(trial,
             "is truncated or damaged: its Fortran record %lld does not end where its "
             "marks say",
             (long long)plot3d_payload_records(&trial->payload) + 1);
        trial->is_sure = true;
    } else if (!trial->payload.is_whole) {
        NOTE(trial, "has more Fortran records than arrays: is it written plane by plane? "
                    "Write whole blocks");
        trial->is_sure = true;
    }
    return s;
}

/* ---- Variants ---------------------------------------------------------------------- */

/* Notes the lengths that disagree, unless a trial before noted something. */
static void note_lengths(plot3d_trial *trial, int64_t least)
{
    if (trial->mismatch[0] == '\0' && least > 0) {
        NOTE(trial,
             "is truncated or no PLOT3D %s: the sizes at its beginning need %lld %s or "
             "more, but it has %lld",
             plot3d_kind_name(trial->request->kind), (long long)least, unit_of(trial),
             (long long)trial->payload.total);
    }
}

/* Whether the blocks are those of the grid, if there is one. */
static bool has_blocks_of_grid(const plot3d_trial *trial)
{
    const plot3d_header *grid = trial->request->grid, *header = &trial->header;
    bool has = !grid || grid->nblocks == header->nblocks;
    for (int b = 0; grid && has && b < grid->nblocks; b++) {
        has =
            memcmp(grid->blocks[b].n, header->blocks[b].n, sizeof grid->blocks[b].n) == 0;
    }
    return has;
}

/* Whether the first and the last value of each array are those of a flow or a grid.
 * Otherwise the bytes of a file of other contents may pass for those of a longer one. */
static bool are_plausible(const plot3d_trial *trial)
{
    const plot3d_header *header = &trial->header;
    bool are = true;
    for (int b = 0; b < header->nblocks && are; b++) {
        const plot3d_block *block = &header->blocks[b];
        const int64_t count = count_vertices(block), size = header->real_size;
        for (int64_t n = 0; n < 2 * block->values && are; n++) {
            const int64_t at =
                block->start + (n / 2 * count + n % 2 * (count - 1)) * size;
            double value = 0.0;
            are = plot3d_payload_reals(&trial->payload, at, 1, (int)size, &value) &&
                  (value == 0.0 || !isfinite(value) ||
                   (fabs(value) > 1e-30 && fabs(value) < 1e30));
        }
    }
    return are;
}

/* Looks for the form of a file whose sizes were read. */
static bool judge(plot3d_trial *trial, variant v)
{
    int64_t least = 0;
    if (trial->payload.total < 0 && !has_blocks_of_grid(trial)) {
        NOTE(trial, "has other blocks than its grid");
        return false; /* the length of a text that was not counted tells nothing */
    }
    if (!find_form(trial, v.is_flat, &least)) {
        if (!v.is_flat && !v.is_overflow) {
            note_lengths(trial, least);
        }
        return false;
    }
    trial->header.is_flat = v.is_flat;
    if (trial->header.extra > 0 && !are_plausible(trial)) {
        return false;
    }
    if (trial->payload.records == PLOT3D_FORTRAN && !arrays_are_whole(trial)) {
        NOTE(trial, "has arrays that are cut into several Fortran records: write whole "
                    "blocks, not planes");
        trial->is_sure = true;
        return false;
    }
    return true;
}

/* Counts the values, and reads the numbers before them; false if they are not there. */
static bool finish(plot3d_trial *trial)
{
    plot3d_header *header = &trial->header;
    header->values = header->blocks[0].values;
    for (int b = 1; b < header->nblocks; b++) {
        const int64_t values = header->blocks[b].values;
        header->values = values < header->values ? values : header->values;
    }
    if (header->kind != PLOT3D_Q ||
        plot3d_payload_reals(&trial->payload, trial->begin, PLOT3D_REFERENCES,
                             header->real_size, header->reference)) {
        return true;
    }
    NOTE(trial, "ends before its reference values: copy it again");
    return false;
}

static status try_variant(plot3d_trial *trial, variant v, bool *found)
{
    status s = read_sizes(trial, v, found);
    if (s == STATUS_OK && *found && trial->payload.records == PLOT3D_FORTRAN) {
        s = walk_on(trial);
        *found = trial->payload.is_whole || trial->is_lenient;
    }
    *found = s == STATUS_OK && *found && judge(trial, v) && finish(trial);
    if (!*found) {
        plot3d_header_clear(&trial->header);
    }
    return s;
}

/* Keeps the better one of two forms of a file. */
static void keep_better(plot3d_trial *trial, bool has_best, plot3d_header *best)
{
    if (!has_best || plot3d_trial_is_better(&trial->header, best)) {
        plot3d_header_clear(best);
        *best = trial->header;
        trial->header = (plot3d_header){.nblocks = 0};
    }
    plot3d_header_clear(&trial->header);
}

status plot3d_trial_run(plot3d_trial *trial, bool *found)
{
    enum { LONGEST_FIRST = 20 }; /* bytes of the first record: 5 integers */
    static const variant variants[] = {{false, false, false}, {true, false, false},
                                       {false, true, false},  {true, true, false},
                                       {false, false, true},  {true, false, true}};
    *found = false;
    if (trial->payload.records == PLOT3D_FORTRAN) {
        status s = plot3d_payload_walk(&trial->payload, 1, 1);
        if (s != STATUS_OK || plot3d_payload_length(&trial->payload, 0) > LONGEST_FIRST) {
            return s;
        }
        if (trial->payload.nextents == 0) {
            return STATUS_OK;
        }
        s = plot3d_payload_walk(&trial->payload, 2, 2);
        if (s != STATUS_OK) {
            return s;
        }
    }
    status s = STATUS_OK;
    plot3d_header best = {.nblocks = 0};
    for (size_t n = 0; n < sizeof variants / sizeof variants[0]; n++) {
        const variant v = variants[n];
        const bool is_q = trial->request->kind == PLOT3D_Q && !trial->text;
        const bool is_open = trial->is_lenient || (!*found && !trial->is_sure);
        bool fits_here = false;
        if (s == STATUS_OK && is_open && (is_q || !v.is_overflow)) {
            s = try_variant(trial, v, &fits_here);
        }
        if (fits_here) {
            keep_better(trial, *found, &best);
            *found = true;
        }
    }
    trial->header = best;
    return s;
}
