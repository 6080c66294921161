/*
 * A trial assumes a byte order and a kind of records, and reads the sizes of blocks. Then
 * the length of the file decides between forms:
 *
 *     grid       [blocks] sizes   { x y z [iblank] }                    of each block
 *     q          [blocks] sizes   { Mach alpha Re time  q1 … q5 }
 *     OVERFLOW   [blocks] sizes nq nqc   { 13 + max(2, nqc) reals, an integer  q1 … }
 *     function   [blocks] sizes with variables   { f1 f2 … }
 *
 * Integers have 4 bytes. In Fortran's files each line above is a record, the sizes are
 * one of their own, and so is the number of blocks. Sources: Walatka, Buning, Pierce and
 * Elson, "PLOT3D User's Manual", NASA TM 101067, 1990, appendices; for OVERFLOW, the
 * user's manual of OVERFLOW 2, "solution file".
 */
#include "header.h"

#include "bytes.h"
#include "io/gzip/unpacked.h"
#include "trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Trials ------------------------------------------------------------------------ */

/* Whether the config allows byte order and records. Word 0 of each is `auto`. */
static bool is_allowed(const io_plot3d_config *config, plot3d_records records,
                       bool is_big)
{
    if (!config) {
        return true;
    }
    const int order = is_big ? IO_PLOT3D_BIG : IO_PLOT3D_LITTLE;
    const int kind = records == PLOT3D_FORTRAN ? IO_PLOT3D_FORTRAN
                     : records == PLOT3D_PLAIN ? IO_PLOT3D_PLAIN
                                               : IO_PLOT3D_TEXT;
    return (config->records == 0 || (int)config->records == kind) &&
           (config->byte_order == 0 || (int)config->byte_order == order ||
            records == PLOT3D_TEXT);
}

/* Tries all forms with these records; *found tells whether one fits. */
static status try_records(plot3d_trial *trial, plot3d_records records, int mark,
                          bool *found)
{
    status s = STATUS_OK;
    const int orders = records == PLOT3D_TEXT ? 1 : 2;
    for (int order = 0; order < orders && !*found && s == STATUS_OK; order++) {
        if (!is_allowed(trial->request->config, records, order == 1)) {
            continue;
        }
        s = plot3d_payload_open(records, trial->descriptor, trial->size, trial->text,
                                &trial->payload);
        trial->payload.is_big = order == 1;
        trial->payload.mark = mark;
        if (s == STATUS_OK) {
            s = plot3d_trial_run(trial, found);
        }
        if (!*found || s != STATUS_OK) {
            plot3d_payload_close(&trial->payload);
        }
    }
    return s;
}

/* Tries all records. */
static status try_kinds(plot3d_trial *trial, bool *found)
{
    *found = false;
    if (trial->text) {
        return try_records(trial, PLOT3D_TEXT, 0, found);
    }
    status s = try_records(trial, PLOT3D_FORTRAN, 4, found);
    if (s == STATUS_OK && !*found) {
        s = try_records(trial, PLOT3D_FORTRAN, 8, found);
    }
    return s == STATUS_OK && !*found ? try_records(trial, PLOT3D_PLAIN, 0, found) : s;
}

/* Whether the file would be of another kind: exactly, or so that the bytes behind its
 * values are explained better. *kind becomes that kind. */
static bool is_of_other_kind(const plot3d_trial *tried, plot3d_kind *kind)
{
    static const plot3d_kind kinds[] = {PLOT3D_GRID, PLOT3D_Q, PLOT3D_FUNCTION};
    bool is = false;
    for (int n = 0; n < 3 * (tried->header.extra > 0 ? 2 : 1) && !is; n++) {
        plot3d_request request = *tried->request;
        request.kind = *kind = kinds[n % 3];
        request.grid = NULL;
        plot3d_trial trial = {.request = &request,
                              .descriptor = tried->descriptor,
                              .size = tried->size,
                              .text = tried->text,
                              .is_lenient = n >= 3};
        bool found = false;
        if (*kind != tried->request->kind && try_kinds(&trial, &found) == STATUS_OK &&
            found) {
            is = !trial.is_lenient ||
                 (trial.payload.records == tried->payload.records &&
                  plot3d_trial_is_better(&trial.header, &tried->header));
            plot3d_payload_close(&trial.payload);
            plot3d_header_clear(&trial.header);
        }
    }
    return is;
}

/* A file that fits nothing exactly may have more bytes behind its values. */
static status try_all(plot3d_trial *trial, bool *found)
{
    plot3d_kind other;
    status s = try_kinds(trial, found);
    if (s != STATUS_OK || *found) {
        return s;
    }
    trial->is_lenient = true;
    s = try_kinds(trial, found);
    if (s == STATUS_OK && *found && is_of_other_kind(trial, &other)) {
        plot3d_payload_close(&trial->payload);
        plot3d_header_clear(&trial->header);
        *found = false;
    }
    return s;
}

/* ---- Failures ---------------------------------------------------------------------- */

static status fail_other(const plot3d_request *request, plot3d_kind kind)
{
    static const char *const places[] = {"data.file", "data.plot3d.q",
                                         "data.plot3d.function"};
    return base_fail(STATUS_INPUT,
                     "file '%s' is a PLOT3D %s, but %s takes a %s: give it to %s",
                     request->path, plot3d_kind_name(kind), places[request->kind],
                     plot3d_kind_name(request->kind), places[kind]);
}

static bool is_form_given(const io_plot3d_config *config)
{
    return config && (config->byte_order || config->records || config->precision ||
                      config->iblank || config->blocks);
}

static status fail_trials(const plot3d_trial *trial)
{
    const plot3d_request *request = trial->request;
    const char *name = plot3d_kind_name(request->kind);
    plot3d_kind other;
    if (trial->mismatch[0] != '\0' && trial->is_sure) {
        return base_fail(STATUS_INPUT, "file '%s' %s", request->path, trial->mismatch);
    }
    if (is_of_other_kind(trial, &other)) {
        return fail_other(request, other);
    }
    if (trial->mismatch[0] != '\0') {
        return base_fail(STATUS_INPUT, "file '%s' %s", request->path, trial->mismatch);
    }
    return base_fail(
        STATUS_INPUT,
        "file '%s' is no PLOT3D %s%s: it does not begin with the sizes of "
        "blocks that fit into it",
        request->path, name,
        is_form_given(request->config) ? " of the form that data.plot3d names" : "");
}

/* ---- Reading ----------------------------------------------------------------------- */

/* Checks that the blocks are those of the grid. */
static status check_blocks(const plot3d_request *request, const plot3d_header *header)
{
    const plot3d_header *grid = request->grid;
    if (grid && header->nblocks != grid->nblocks) {
        return base_fail(STATUS_INPUT, "file '%s' has %d blocks, but its grid has %d",
                         request->path, header->nblocks, grid->nblocks);
    }
    for (int b = 0; grid && b < grid->nblocks; b++) {
        const int64_t *n = header->blocks[b].n, *m = grid->blocks[b].n;
        if (n[0] != m[0] || n[1] != m[1] || n[2] != m[2]) {
            return base_fail(
                STATUS_INPUT,
                "block %d of file '%s' has %lld x %lld x %lld vertices, but that of its "
                "grid has %lld x %lld x %lld",
                b + 1, request->path, (long long)n[0], (long long)n[1], (long long)n[2],
                (long long)m[0], (long long)m[1], (long long)m[2]);
        }
    }
    return STATUS_OK;
}

status plot3d_header_read(const plot3d_request *request, int descriptor, int64_t size,
                          plot3d_text *text, plot3d_header *out)
{
    plot3d_trial trial = {
        .request = request, .descriptor = descriptor, .size = size, .text = text};
    bool found = false;
    status s = try_all(&trial, &found);
    if (s == STATUS_OK && !found) {
        s = fail_trials(&trial);
    }
    if (s == STATUS_OK) {
        s = check_blocks(request, &trial.header);
    }
    if (s != STATUS_OK) {
        plot3d_payload_close(&trial.payload);
        plot3d_header_clear(&trial.header);
        return s;
    }
    trial.header.nextents = trial.payload.nextents;
    trial.header.extents = trial.payload.extents;
    *out = trial.header;
    return STATUS_OK;
}

/* Keeps the numbers before each chunk of a text. */
static status take_chunks(const plot3d_text *text, plot3d_header *out)
{
    const size_t bytes = ((size_t)text->nchunks + 1) * sizeof *out->extents;
    out->extents = malloc(bytes);
    if (!out->extents) {
        return base_fail_memory(bytes, "the numbers of a text");
    }
    out->nextents = text->nchunks;
    for (int64_t n = 0; n < text->nchunks; n++) {
        out->extents[n] =
            (plot3d_extent){text->before[n], n, text->before[n + 1] - text->before[n], 0};
    }
    return STATUS_OK;
}

static status look(const plot3d_request *request, int descriptor, plot3d_header *out)
{
    struct stat about;
    plot3d_text text = {0};
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        return base_fail(STATUS_INPUT, "'%s' is no regular file", request->path);
    }
    const bool is_text = plot3d_text_is(descriptor);
    status s = is_text ? plot3d_text_open(request->path, descriptor, about.st_size, &text)
                       : STATUS_OK;
    if (s == STATUS_OK && is_text && request->is_counted) {
        s = plot3d_text_count_all(&text);
    }
    if (s == STATUS_OK) {
        s = plot3d_header_read(request, descriptor, about.st_size, is_text ? &text : NULL,
                               out);
    }
    if (s == STATUS_OK && text.before) {
        s = take_chunks(&text, out);
    }
    plot3d_text_close(&text);
    return s;
}

static int look_failure; /* errno of the last look; 0: it was no fault of the system */

/* O_NONBLOCK: otherwise opening a pipe would wait for ever. */
status plot3d_header_look(const plot3d_request *request, plot3d_header *out)
{
    plot3d_bytes_take_failure();
    const int descriptor = io_unpacked_descriptor(request->path);
    look_failure = descriptor < 0 ? errno : 0;
    if (descriptor < 0) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", request->path,
                         strerror(errno));
    }
    plot3d_header made = {0};
    status s = look(request, descriptor, &made);
    close(descriptor);
    look_failure = plot3d_bytes_take_failure();
    if (look_failure != 0) {
        base_fail_set_message("");
        s = base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", request->path,
                      strerror(look_failure));
    }
    if (s != STATUS_OK) {
        plot3d_header_clear(&made);
        return s;
    }
    *out = made;
    return STATUS_OK;
}

status plot3d_header_pass(status looked)
{
    static const int harmless[] = {0,     ENOENT, ENOTDIR, EACCES,
                                   EPERM, ELOOP,  ENXIO,   EBADMSG};
    for (size_t n = 0; n < sizeof harmless / sizeof harmless[0]; n++) {
        if (looked == STATUS_OK || look_failure == harmless[n]) {
            base_fail_set_message("");
            return STATUS_OK;
        }
    }
    return looked;
}
