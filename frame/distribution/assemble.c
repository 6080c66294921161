/*
 * Assembles a picture from rectangles. Nothing is blended: pixels only change places.
 * Floats go to rank 0. Bytes go to bands, each of which is some whole strips of the PNG
 * (io/picture/png_strip.h). So all ranks compress, and a message holds one piece of a
 * rectangle instead of one of its rows. If all ranks lie on one node, they send no
 * messages: each writes into the same shared bytes.
 */
#include "assemble.h"

#include "base/parallel/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 0x5343 };

/* A message under way. */
typedef struct transfer {
    MPI_Request request;
    int peer;
    bool is_received;
} transfer;

/* Waits for all of them in their order. Messages of a rank to itself appear in no
 * timeline. */
static void finish_transfers(const distribution_assembly *assembly, transfer *transfers,
                             int count)
{
    for (int n = 0; n < count; n++) {
        const transfer *of = &transfers[n];
        base_events *events =
            of->peer != assembly->scene->rank ? assembly->picture->events : NULL;
        const double begin = base_events_now(events);
        parallel_wait(&transfers[n].request);
        const double end = base_events_now(events);
        base_events_add(events, (base_event){.kind = BASE_EVENT_WAIT,
                                             .peer = of->peer,
                                             .begin = begin,
                                             .end = end});
        if (of->is_received) {
            base_events_add(events, (base_event){.kind = BASE_EVENT_RECEIVE,
                                                 .peer = of->peer,
                                                 .begin = end,
                                                 .end = end});
        }
    }
}

/* Adds this rank's work since `begin` to the timeline. */
static void note(const distribution_assembly *assembly, base_event_kind kind, int peer,
                 double begin, int64_t bytes)
{
    base_events *events = assembly->picture->events;
    base_events_add(events, (base_event){.kind = kind,
                                         .peer = peer,
                                         .begin = begin,
                                         .end = base_events_now(events),
                                         .bytes = bytes});
}

/* ---- Floats ------------------------------------------------------------------------ */

/* The data type of a rectangle of an image whose pixels have `values` floats. */
static MPI_Datatype make_type(const image *img, pixel_rect rect, int values)
{
    const int sizes[] = {img->height, img->width * values};
    const int part[] = {rect.y1 - rect.y0, (rect.x1 - rect.x0) * values};
    const int begin[] = {rect.y0, rect.x0 * values};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, part, begin, MPI_ORDER_C, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Rank 0 begins to receive the rectangle of `peer`; any other rank begins to send its own
 * to rank 0. */
static void start(const distribution_assembly *assembly, float *pixels, pixel_rect rect,
                  int values, int peer, transfer *out)
{
    const double begin = base_events_now(assembly->picture->events);
    MPI_Datatype type = make_type(assembly->picture->img, rect, values);
    *out = (transfer){.peer = peer, .is_received = assembly->scene->rank == 0};
    if (assembly->scene->rank == 0) {
        MPI_Irecv(pixels, 1, type, peer, TAG, assembly->scene->comm, &out->request);
    } else {
        MPI_Isend(pixels, 1, type, peer, TAG, assembly->scene->comm, &out->request);
        note(assembly, BASE_EVENT_SEND, peer, begin,
             (int64_t)sizeof(float) * values * (rect.x1 - rect.x0) * (rect.y1 - rect.y0));
    }
    MPI_Type_free(&type);
}

/* Starts the messages of a rectangle: colours, and depths if there are any. Returns their
 * number. */
static int start_rect(const distribution_assembly *assembly, pixel_rect rect, int peer,
                      transfer *transfers)
{
    if (pixel_rect_is_empty(rect)) {
        return 0;
    }
    start(assembly, assembly->picture->img->rgba, rect, 4, peer, &transfers[0]);
    if (assembly->picture->img->depth) {
        start(assembly, assembly->picture->img->depth, rect, 1, peer, &transfers[1]);
    }
    return assembly->picture->img->depth ? 2 : 1;
}

/* Brings all rectangles to rank 0. transfers: [2 * ranks]. Collective. */
static void assemble_floats(const distribution_assembly *assembly, transfer *transfers,
                            composite_counters *counters)
{
    int count = 0;
    if (assembly->scene->rank == 0) {
        for (int peer = 1; peer < assembly->scene->ranks; peer++) {
            count += start_rect(assembly, render_screen_rect(assembly->screen, peer),
                                peer, transfers + count);
        }
        assembly->picture->img->active = (pixel_rect){0, 0, assembly->picture->img->width,
                                                      assembly->picture->img->height};
    } else {
        const pixel_rect rect = assembly->scene->camera.window;
        const int64_t values = assembly->picture->img->depth ? 5 : 4;
        count = start_rect(assembly, rect, 0, transfers);
        counters->messages_sent += count;
        counters->bytes_sent +=
            (int64_t)sizeof(float) * values * (rect.x1 - rect.x0) * (rect.y1 - rect.y0);
    }
    finish_transfers(assembly, transfers, count);
}

/* ---- Bands ------------------------------------------------------------------------- */

/* Rows [y0, y1) of the picture. */
typedef struct band {
    int y0, y1;
} band;

/* The rows that a rank compresses: whole strips, equally many for all ranks. */
static band find_band(const distribution_assembly *assembly, int rank)
{
    const int width = assembly->picture->img->width,
              height = assembly->picture->img->height;
    const io_png_range range =
        io_png_strip_band(width, height, rank, assembly->scene->ranks);
    return (band){(int)(range.pix0 / width), (int)((range.pix0 + range.npix) / width)};
}

/* The rows common to a rectangle and a band. */
static band meet(pixel_rect rect, band rows)
{
    return (band){rect.y0 > rows.y0 ? rect.y0 : rows.y0,
                  rect.y1 < rows.y1 ? rect.y1 : rows.y1};
}

/* The pixels common to two rectangles. */
static pixel_rect cut(pixel_rect a, pixel_rect b)
{
    const pixel_rect both = {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                             a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
    return pixel_rect_is_empty(both) ? (pixel_rect){0, 0, 0, 0} : both;
}

/* The part of this rank's rectangle that may differ from the background. Annotations may
 * lie anywhere in the picture. */
static pixel_rect shown_rect(const distribution_assembly *assembly)
{
    return assembly->picture->annotations
               ? assembly->scene->camera.window
               : cut(assembly->picture->img->active, assembly->scene->camera.window);
}

/* Columns of a row. */
typedef struct columns {
    int x0, x1;
} columns;

/* The columns of [x0, x1) in row y that lie in `shown`. */
static columns shown_columns(pixel_rect shown, int y, int x0, int x1)
{
    const pixel_rect row = cut(shown, (pixel_rect){x0, y, x1, y + 1});
    return pixel_rect_is_empty(row) ? (columns){x1, x1} : (columns){row.x0, row.x1};
}

/* Writes `count` pixels of the background. */
static void fill(const frame_picture *picture, int64_t count, uint8_t *bytes)
{
    const composite_format format = {frame_picture_pixel_bytes(picture),
                                     frame_picture_convert, picture};
    composite_format_fill(&format, count, bytes);
}

/* Converts a part of this rank's rectangle to bytes, row by row. `stride`: pixels from
 * one row to the next. */
static void convert(const distribution_assembly *assembly, pixel_rect rect,
                    uint8_t *bytes, int64_t stride)
{
    const frame_picture *picture = assembly->picture;
    const pixel_rect shown = shown_rect(assembly);
    const int64_t size = frame_picture_pixel_bytes(picture);
#pragma omp parallel for num_threads(                                                    \
    assembly->scene->threads) if (assembly->scene->threads > 1)
    for (int y = rect.y0; y < rect.y1; y++) {
        const columns drawn = shown_columns(shown, y, rect.x0, rect.x1);
        const int64_t pixel = (int64_t)y * assembly->picture->img->width + drawn.x0;
        uint8_t *row = bytes + size * stride * (y - rect.y0);
        fill(picture, drawn.x0 - rect.x0, row);
        if (drawn.x0 < drawn.x1) {
            frame_picture_pixels(picture, pixel, drawn.x1 - drawn.x0,
                                 row + size * (drawn.x0 - rect.x0));
        }
        fill(picture, rect.x1 - drawn.x1, row + size * (drawn.x1 - rect.x0));
    }
}

/* Begins to receive the part of this rank's band that `peer` has drawn. Returns the
 * number of messages. */
static int receive_rows(const distribution_assembly *assembly, int peer, transfer *out)
{
    const pixel_rect rect = render_screen_rect(assembly->screen, peer);
    const band own = find_band(assembly, assembly->scene->rank), rows = meet(rect, own);
    if (pixel_rect_is_empty(rect) || rows.y0 >= rows.y1) {
        return 0;
    }
    const int size = frame_picture_pixel_bytes(assembly->picture);
    const int sizes[] = {own.y1 - own.y0, size * assembly->picture->img->width};
    const int part[] = {rows.y1 - rows.y0, size * (rect.x1 - rect.x0)};
    const int begin[] = {rows.y0 - own.y0, size * rect.x0};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, part, begin, MPI_ORDER_C, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    *out = (transfer){.peer = peer, .is_received = true};
    MPI_Irecv(assembly->band, 1, type, peer, TAG, assembly->scene->comm, &out->request);
    MPI_Type_free(&type);
    return 1;
}

/* Begins to send the part of the band of `peer` that this rank has drawn. Returns the
 * number of messages. */
static int send_rows(const distribution_assembly *assembly, int peer,
                     const uint8_t *pixels, composite_counters *counters, transfer *out)
{
    const double begin = base_events_now(assembly->picture->events);
    const pixel_rect rect = assembly->scene->camera.window;
    const band rows = meet(rect, find_band(assembly, peer));
    if (pixel_rect_is_empty(rect) || rows.y0 >= rows.y1) {
        return 0;
    }
    const int row_bytes =
        frame_picture_pixel_bytes(assembly->picture) * (rect.x1 - rect.x0);
    const int count = rows.y1 - rows.y0;
    MPI_Datatype type;
    MPI_Type_contiguous(row_bytes, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    *out = (transfer){.peer = peer};
    MPI_Isend(pixels + (int64_t)row_bytes * (rows.y0 - rect.y0), count, type, peer, TAG,
              assembly->scene->comm, &out->request);
    MPI_Type_free(&type);
    if (peer != assembly->scene->rank) {
        counters->messages_sent++;
        counters->bytes_sent += (int64_t)row_bytes * count;
        note(assembly, BASE_EVENT_SEND, peer, begin, (int64_t)row_bytes * count);
    }
    return 1;
}

/* Brings all rectangles to the bands. transfers: [2 * ranks]. Collective. */
static void exchange(const distribution_assembly *assembly, const uint8_t *pixels,
                     transfer *transfers, composite_counters *counters)
{
    int count = 0;
    for (int peer = 0; peer < assembly->scene->ranks; peer++) {
        count += receive_rows(assembly, peer, transfers + count);
    }
    for (int n = 0; n < assembly->scene->ranks;
         n++) { /* each rank begins with another peer */
        count += send_rows(assembly, (assembly->scene->rank + n) % assembly->scene->ranks,
                           pixels, counters, transfers + count);
    }
    finish_transfers(assembly, transfers, count);
}

/* Allocates the band, and bytes for this rank's rectangle. */
static status allocate(distribution_assembly *assembly, uint8_t **pixels)
{
    const pixel_rect rect = assembly->scene->camera.window;
    const band own = find_band(assembly, assembly->scene->rank);
    const size_t size = (size_t)frame_picture_pixel_bytes(assembly->picture);
    const size_t held =
        size * (size_t)assembly->picture->img->width * (size_t)(own.y1 - own.y0) + 1;
    const size_t sent =
        size * (size_t)(rect.x1 - rect.x0) * (size_t)(rect.y1 - rect.y0) + 1;
    if (!assembly->band) {
        assembly->band = malloc(held);
    }
    *pixels = malloc(sent);
    return assembly->band && *pixels ? STATUS_OK
                                     : base_fail_memory(held + sent, "a picture");
}

io_png_range distribution_assembly_range(const distribution_assembly *assembly)
{
    const band own = find_band(assembly, assembly->scene->rank);
    const int64_t width = assembly->picture->img->width;
    return (io_png_range){own.y0 * width, (own.y1 - own.y0) * width};
}

void distribution_assembly_pixels(const void *context, int64_t pix0, int64_t npix,
                                  uint8_t *bytes)
{
    const distribution_assembly *assembly = context;
    const int64_t size = frame_picture_pixel_bytes(assembly->picture);
    const uint8_t *common = frame_picture_shared_bytes(assembly->picture);
    const int64_t first = common ? 0 : distribution_assembly_range(assembly).pix0;
    atomic_thread_fence(
        memory_order_acquire); /* sees the bytes that other ranks have written */
    memcpy(bytes, (common ? common : assembly->band) + size * (pix0 - first),
           (size_t)(size * npix));
}

/* ---- The picture ------------------------------------------------------------------- */

static bool is_same_rect(pixel_rect a, pixel_rect b)
{
    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

/* The part of this rank's rectangle that it must write into the shared picture. As long
 * as the rectangle stays the same, no other rank writes there. Then pixels that were
 * background and still are need not be written. */
static pixel_rect find_changed(distribution_assembly *assembly)
{
    const pixel_rect window = assembly->scene->camera.window,
                     shown = shown_rect(assembly);
    pixel_rect changed = window;
    if (is_same_rect(window, assembly->window_before)) {
        changed = shown;
        pixel_rect_grow(&changed, assembly->shown_before);
    }
    assembly->window_before = window;
    assembly->shown_before = shown;
    return changed;
}

/* Writes this rank's rectangle into the shared picture. Ranks agree that the picture is
 * complete before they compress it, and that all have compressed it before anyone writes
 * again. Both agreements happen in io_png_strips_begin. Local. */
static void write_in_place(distribution_assembly *assembly, composite_counters *counters)
{
    const pixel_rect rect = find_changed(assembly);
    const int64_t first = (int64_t)rect.y0 * assembly->picture->img->width + rect.x0;
    if (!pixel_rect_is_empty(rect)) {
        const double begin = base_events_now(assembly->picture->events);
        const int64_t size = frame_picture_pixel_bytes(assembly->picture);
        convert(assembly, rect,
                frame_picture_shared_bytes(assembly->picture) + size * first,
                assembly->picture->img->width);
        note(assembly, BASE_EVENT_BLEND, -1, begin, 0);
        counters->bytes_shared += size * (rect.x1 - rect.x0) * (rect.y1 - rect.y0);
    }
    atomic_thread_fence(memory_order_release);
}

/* Sends rectangles in messages. Collective. */
static status send_around(distribution_assembly *assembly, status rendered,
                          composite_counters *counters)
{
    const bool as_floats = frame_picture_is_gathered(assembly->picture);
    const size_t bytes = 2 * (size_t)assembly->scene->ranks * sizeof(transfer);
    transfer *transfers = malloc(bytes);
    uint8_t *pixels = NULL;
    status s = rendered;
    if (s == STATUS_OK && !transfers) {
        s = base_fail_memory(bytes, "the parts of a picture");
    }
    if (s == STATUS_OK && !as_floats) {
        s = allocate(assembly, &pixels);
    }
    s = parallel_agree(assembly->scene->comm, s);
    if (s == STATUS_OK && as_floats) {
        assemble_floats(assembly, transfers, counters);
    } else if (s == STATUS_OK) {
        const pixel_rect rect = assembly->scene->camera.window;
        const double begin = base_events_now(assembly->picture->events);
        convert(assembly, rect, pixels, rect.x1 - rect.x0);
        note(assembly, BASE_EVENT_BLEND, -1, begin, 0);
        exchange(assembly, pixels, transfers, counters);
    }
    free(pixels);
    free(transfers);
    return s;
}

status distribution_assemble(distribution_assembly *assembly, status rendered,
                             composite_counters *counters)
{
    const bool is_in_place = frame_picture_shared_bytes(assembly->picture) != NULL;
    if (!is_in_place) {
        return send_around(assembly, rendered, counters);
    }
    if (rendered == STATUS_OK) {
        write_in_place(assembly, counters);
    }
    return rendered;
}

void distribution_assembly_clear(distribution_assembly *assembly)
{
    free(assembly->band);
    assembly->band = NULL;
}
