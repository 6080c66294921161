#include "part.h"
#include "io/gzip/unpacked.h"

#include "base/parallel/parallel.h"
#include "bytes.h"
#include "io/stretches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Opening ----------------------------------------------------------------------- */

/* Gives all ranks the path of rank 0. Collective. */
static status share_path(MPI_Comm comm, const char *path, plot3d_part *out)
{
    const bool is_first = parallel_rank(comm) == 0;
    int size = is_first ? parallel_count((int64_t)strlen(path) + 1) : 0;
    parallel_bcast(&size, 1, MPI_INT, 0, comm);
    out->path = malloc((size_t)size);
    status s = out->path ? STATUS_OK : base_fail_memory((size_t)size, "a path");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK && is_first) {
        memcpy(out->path, path, (size_t)size);
    }
    if (s == STATUS_OK) {
        parallel_bcast(out->path, size, MPI_CHAR, 0, comm);
    }
    return s;
}

/* Opens the file. O_NONBLOCK: otherwise a pipe would wait for
 * ever. */
static status open_file(plot3d_part *part, int64_t *size)
{
    struct stat about;
    part->descriptor = io_unpacked_descriptor(part->path);
    if (part->descriptor < 0 || fstat(part->descriptor, &about) != 0) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", part->path,
                         strerror(errno));
    }
    *size = about.st_size;
    return S_ISREG(about.st_mode)
               ? STATUS_OK
               : base_fail(STATUS_INPUT, "'%s' is no regular file", part->path);
}

/* Counts the numbers of the text, each rank in its share of the chunks. Collective. */
static status count_numbers(MPI_Comm comm, plot3d_text *text)
{
    const int64_t most = INT64_C(1) << 50;
    const int64_t chunks = text->nchunks, rank = parallel_rank(comm);
    const int64_t ranks = parallel_size(comm);
    const size_t bytes = ((size_t)chunks + 1) * sizeof *text->before;
    text->before = calloc(bytes, 1);
    status s =
        text->before ? STATUS_OK : base_fail_memory(bytes, "the numbers of a text");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    for (int64_t n = chunks * rank / ranks; n < chunks * (rank + 1) / ranks; n++) {
        s = s == STATUS_OK ? plot3d_text_count(text, n, &text->before[n + 1]) : s;
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        parallel_allreduce(MPI_IN_PLACE, text->before, parallel_count(chunks + 1),
                           MPI_INT64_T, MPI_SUM, comm);
    }
    for (int64_t n = 0; n < chunks && s == STATUS_OK; n++) {
        const int64_t sum = text->before[n] + text->before[n + 1];
        text->before[n + 1] = sum < most ? sum : most;
    }
    return s;
}

/* Prepares a text on all ranks. Collective. */
static status open_text(MPI_Comm comm, int64_t size, plot3d_part *part)
{
    status s = parallel_agree(
        comm, plot3d_text_open(part->path, part->descriptor, size, &part->text));
    return s == STATUS_OK ? count_numbers(comm, &part->text) : s;
}

static status allocate(plot3d_header *header)
{
    const size_t blocks = (size_t)header->nblocks, extents = (size_t)header->nextents;
    header->blocks = calloc(blocks + 1, sizeof *header->blocks);
    header->extents = calloc(extents + 1, sizeof *header->extents);
    return header->blocks && header->extents
               ? STATUS_OK
               : base_fail_memory(blocks * sizeof *header->blocks,
                                  "the blocks of a file");
}

static void broadcast_bytes(MPI_Comm comm, void *data, size_t size)
{
    enum { MOST_BYTES = 1 << 26 };
    for (size_t at = 0; at < size; at += MOST_BYTES) {
        const size_t part = size - at < MOST_BYTES ? size - at : MOST_BYTES;
        parallel_bcast((char *)data + at, parallel_count((int64_t)part), MPI_BYTE, 0,
                       comm);
    }
}

/* Gives all ranks the header of rank 0. Collective. */
static status share_header(MPI_Comm comm, plot3d_header *header)
{
    const plot3d_header mine = *header;
    broadcast_bytes(comm, header, sizeof *header);
    status s = STATUS_OK;
    if (parallel_rank(comm) == 0) {
        *header = mine;
    } else {
        s = allocate(header);
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        broadcast_bytes(comm, header->blocks,
                        (size_t)header->nblocks * sizeof *header->blocks);
        broadcast_bytes(comm, header->extents,
                        (size_t)header->nextents * sizeof *header->extents);
    }
    return s;
}

/* All of opening behind the path. */
static status open_shared(MPI_Comm comm, const plot3d_request *request, plot3d_part *part)
{
    const bool is_first = parallel_rank(comm) == 0;
    plot3d_request mine = *request;
    int64_t facts[2] = {0, 0}; /* bytes of the file, whether it is a text */
    status s = parallel_agree(comm, open_file(part, &facts[0]));
    if (s != STATUS_OK) {
        return s;
    }
    facts[1] = is_first && plot3d_text_is(part->descriptor);
    parallel_bcast(facts, 2, MPI_INT64_T, 0, comm);
    const bool is_text = facts[1] != 0;
    s = is_text ? open_text(comm, facts[0], part) : STATUS_OK;
    if (s == STATUS_OK && is_first) {
        mine.path = part->path;
        s = plot3d_header_read(&mine, part->descriptor, facts[0],
                               is_text ? &part->text : NULL, &part->header);
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = share_header(comm, &part->header);
    }
    return s;
}

status plot3d_part_open(MPI_Comm comm, const plot3d_request *request, plot3d_part *out)
{
    *out = (plot3d_part){.is_open = true, .descriptor = -1};
    status s = share_path(comm, request->path, out);
    if (s == STATUS_OK) {
        s = open_shared(comm, request, out);
    }
    if (s != STATUS_OK) {
        plot3d_part_close(out);
    }
    return s;
}

void plot3d_part_close(plot3d_part *part)
{
    if (!part->is_open) {
        return;
    }
    plot3d_text_close(&part->text);
    if (part->descriptor >= 0) {
        close(part->descriptor);
    }
    plot3d_header_clear(&part->header);
    free(part->path);
    *part = (plot3d_part){.is_open = false};
}

/* ---- Places of a box --------------------------------------------------------------- */

/* Adds a stretch of the payload, which may lie in several extents. */
static status add_stretch(const plot3d_payload *payload, int64_t at, int64_t bytes,
                          io_stretches *pieces)
{
    status s = STATUS_OK;
    while (bytes > 0 && s == STATUS_OK) {
        const plot3d_extent *extent = plot3d_payload_find(payload, at);
        if (!extent) {
            return base_fail(STATUS_INTERNAL, "a PLOT3D array has no place in its file");
        }
        const int64_t inside = at - extent->payload;
        const int64_t left = extent->length - inside;
        const int64_t length = bytes < left ? bytes : left;
        s = io_stretches_add(pieces, extent->offset + inside, length);
        at += length;
        bytes -= length;
    }
    return s;
}

/* Place in the payload of the row (j, k) of an array; size: of a value. */
static int64_t place_of_row(const plot3d_block *block, int64_t start, const io_box *box,
                            const int64_t row[2], int64_t size)
{
    const int64_t j = box->lo[1] + row[0], k = box->lo[2] + row[1];
    return start + ((k * block->n[1] + j) * block->n[0] + box->lo[0]) * size;
}

static status list_pieces(const plot3d_part *part, int block, int64_t start,
                          const io_box *box, io_stretches *pieces)
{
    const plot3d_block *b = &part->header.blocks[block];
    const int64_t iblank =
        b->start + b->values * part->header.real_size * b->n[0] * b->n[1] * b->n[2];
    const int64_t size = start == iblank ? 4 : part->header.real_size;
    const plot3d_payload payload = {.nextents = part->header.nextents,
                                    .extents = part->header.extents};
    status s = STATUS_OK;
    for (int64_t k = 0; k < box->n[2] && s == STATUS_OK; k++) {
        for (int64_t j = 0; j < box->n[1] && s == STATUS_OK; j++) {
            const int64_t at =
                place_of_row(b, start, box, (const int64_t[2]){j, k}, size);
            s = add_stretch(&payload, at, box->n[0] * size, pieces);
        }
    }
    return s;
}

/* ---- Reading values ---------------------------------------------------------------- */

bool plot3d_part_is_single(const plot3d_part *part)
{
    return part->header.real_size == 4;
}

static size_t box_count(const io_box *box)
{
    if (box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0) {
        return 0;
    }
    return (size_t)box->n[0] * (size_t)box->n[1] * (size_t)box->n[2];
}

static status read_binary(const plot3d_part *part, int block, int64_t start,
                          const io_box *box, void *out)
{
    const size_t count = box_count(box);
    io_stretches pieces = {0};
    status s = count > 0 ? list_pieces(part, block, start, box, &pieces) : STATUS_OK;
    if (s == STATUS_OK && count > 0) {
        const io_stretch_file file = {part->path, part->descriptor,
                                      (int)(pieces.bytes / (int64_t)count),
                                      plot3d_bytes_are_foreign(part->header.is_big)};
        s = io_stretches_read(&pieces, &file, out);
    }
    io_stretches_free(&pieces);
    return s;
}

/* Reads a row of a text as doubles, or as int32. */
static status read_text_row(plot3d_part *part, int64_t at, const io_box *box, bool is_int,
                            void *out)
{
    enum { AT_ONCE = 1024 };
    double values[AT_ONCE];
    status s = STATUS_OK;
    for (int64_t done = 0; done < box->n[0] && s == STATUS_OK; done += AT_ONCE) {
        const int64_t left = box->n[0] - done, count = left < AT_ONCE ? left : AT_ONCE;
        s = plot3d_text_read(&part->text, at + done, count, values);
        for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
            if (is_int) {
                const bool is_small = values[n] > -2e9 && values[n] < 2e9;
                ((int32_t *)out)[done + n] = is_small ? (int32_t)values[n] : 1;
            } else {
                ((double *)out)[done + n] = values[n];
            }
        }
    }
    return s;
}

static status read_text(plot3d_part *part, int block, int64_t start, const io_box *box,
                        bool is_int, void *out)
{
    const plot3d_block *b = &part->header.blocks[block];
    const size_t size = is_int ? sizeof(int32_t) : sizeof(double);
    char *to = out;
    status s = STATUS_OK;
    for (int64_t k = 0; k < box->n[2] && box->n[0] > 0 && s == STATUS_OK; k++) {
        for (int64_t j = 0; j < box->n[1] && s == STATUS_OK; j++) {
            const int64_t at = place_of_row(b, start, box, (const int64_t[2]){j, k}, 1);
            s = read_text_row(part, at, box, is_int, to);
            to += (size_t)box->n[0] * size;
        }
    }
    return s;
}

status plot3d_part_read(plot3d_part *part, int block, int64_t value, const io_box *box,
                        void *out)
{
    const plot3d_block *b = &part->header.blocks[block];
    const int64_t length = b->n[0] * b->n[1] * b->n[2] * part->header.real_size;
    const bool is_int = value < 0;
    const int64_t start = b->start + (is_int ? b->values : value) * length;
    return part->header.records == PLOT3D_TEXT
               ? read_text(part, block, start, box, is_int, out)
               : read_binary(part, block, start, box, out);
}
