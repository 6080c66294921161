/*
 * Pictures out of rectangles: nothing is blended, pixels only change places. Floats go to
 * rank 0. Bytes go to bands, which are whole strips of the PNG (io/picture/png_strip.h):
 * so each message is one piece of a rectangle rather than one of its rows, and all ranks
 * compress. Where all ranks lie on one node there are no messages: they write into one
 * picture.
 */
#include "app/frame/job_state.h"
#include "base/parallel/parallel.h"
#include "render/view/finish.h"
#include "share.h"

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

/* Waits for all, in their order. What a rank sends to itself is in no timeline. */
static void finish_transfers(const app_job *job, transfer *transfers, int count)
{
    for (int n = 0; n < count; n++) {
        const transfer *of = &transfers[n];
        base_events *events = of->peer != job->rank ? app_job_events(job) : NULL;
        const double begin = base_events_now(events);
        parallel_wait(&transfers[n].request);
        const double end = base_events_now(events);
        base_events_add(events,
                        (base_event){BASE_EVENT_WAIT, of->peer, 0, begin, end, 0});
        if (of->is_received) {
            base_events_add(events,
                            (base_event){BASE_EVENT_RECEIVE, of->peer, 0, end, end, 0});
        }
    }
}

/* For timelines: what this rank has done since `begin`. */
static void note(const app_job *job, base_event_kind kind, int peer, double begin,
                 int64_t bytes)
{
    base_events *events = app_job_events(job);
    base_events_add(events,
                    (base_event){kind, peer, 0, begin, base_events_now(events), bytes});
}

/* ---- Floats ------------------------------------------------------------------------ */

/* A rectangle of an image whose pixels have `values` floats, where it lies. */
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

/* Begins to send a rectangle to rank 0, or at rank 0 to receive that of `peer`. */
static void start(const app_job *job, float *pixels, pixel_rect rect, int values,
                  int peer, transfer *out)
{
    const double begin = base_events_now(app_job_events(job));
    MPI_Datatype type = make_type(job->img, rect, values);
    *out = (transfer){.peer = peer, .is_received = job->rank == 0};
    if (job->rank == 0) {
        MPI_Irecv(pixels, 1, type, peer, TAG, job->comm, &out->request);
    } else {
        MPI_Isend(pixels, 1, type, peer, TAG, job->comm, &out->request);
        note(job, BASE_EVENT_SEND, peer, begin,
             (int64_t)sizeof(float) * values * (rect.x1 - rect.x0) * (rect.y1 - rect.y0));
    }
    MPI_Type_free(&type);
}

/* Colours and depths. Returns how many messages that makes. */
static int start_rect(const app_job *job, pixel_rect rect, int peer, transfer *transfers)
{
    if (pixel_rect_is_empty(rect)) {
        return 0;
    }
    start(job, job->img->rgba, rect, 4, peer, &transfers[0]);
    if (job->img->depth) {
        start(job, job->img->depth, rect, 1, peer, &transfers[1]);
    }
    return job->img->depth ? 2 : 1;
}

/* Brings all rectangles to rank 0. transfers: [2 * ranks]. Collective. */
static void gather(const app_job *job, transfer *transfers, composite_counters *counters)
{
    int count = 0;
    if (job->rank == 0) {
        for (int peer = 1; peer < job->ranks; peer++) {
            count += start_rect(job, render_screen_rect(job->screen, peer), peer,
                                transfers + count);
        }
        job->img->active = (pixel_rect){0, 0, job->img->width, job->img->height};
    } else {
        const pixel_rect rect = job->camera.window;
        const int64_t values = job->img->depth ? 5 : 4;
        count = start_rect(job, rect, 0, transfers);
        counters->messages_sent += count;
        counters->bytes_sent +=
            (int64_t)sizeof(float) * values * (rect.x1 - rect.x0) * (rect.y1 - rect.y0);
    }
    finish_transfers(job, transfers, count);
}

/* ---- Bands ------------------------------------------------------------------------- */

/* Rows [y0, y1) of the picture. */
typedef struct band {
    int y0, y1;
} band;

/* The rows that a rank compresses: whole strips, equally many for all ranks. */
static band find_band(const app_job *job, int rank)
{
    const int width = job->img->width, height = job->img->height;
    const int64_t strips = io_png_strip_count(width, height);
    int64_t row[2];
    for (int n = 0; n < 2; n++) {
        row[n] = strips * (rank + n) / job->ranks * io_png_strip_rows(width);
        row[n] = row[n] < height ? row[n] : height;
    }
    return (band){(int)row[0], (int)row[1]};
}

/* The rows that a rectangle and a band share. */
static band meet(pixel_rect rect, band rows)
{
    return (band){rect.y0 > rows.y0 ? rect.y0 : rows.y0,
                  rect.y1 < rows.y1 ? rect.y1 : rows.y1};
}

/* What two rectangles share. */
static pixel_rect cut(pixel_rect a, pixel_rect b)
{
    const pixel_rect both = {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                             a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
    return pixel_rect_is_empty(both) ? (pixel_rect){0, 0, 0, 0} : both;
}

/* What of this rank's rectangle may show something; what is written over the picture may
 * be anywhere. */
static pixel_rect shown_rect(const app_job *job)
{
    return job->annotations ? job->camera.window
                            : cut(job->img->active, job->camera.window);
}

/* Columns of a row. */
typedef struct columns {
    int x0, x1;
} columns;

/* Those of [x0, x1) in row y that lie in `shown`. */
static columns shown_columns(pixel_rect shown, int y, int x0, int x1)
{
    const pixel_rect row = cut(shown, (pixel_rect){x0, y, x1, y + 1});
    return pixel_rect_is_empty(row) ? (columns){x1, x1} : (columns){row.x0, row.x1};
}

/* Bytes of pixels where nothing is but the background. */
static void fill(const float background[3], int64_t count, uint8_t *rgb)
{
    const float clear[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (count > 0) {
        render_finish_rgb8(1, clear, background, rgb);
    }
    for (int64_t done = 1; done < count; done *= 2) {
        const int64_t more = done < count - done ? done : count - done;
        memcpy(rgb + 3 * done, rgb, 3 * (size_t)more);
    }
}

/* A part of this rank's rectangle as bytes, row after row, `stride` pixels from one to
 * the next. */
static void convert(const app_job *job, pixel_rect rect, io_png_pixels *pixels,
                    uint8_t *rgb, int64_t stride)
{
    const pixel_rect shown = shown_rect(job);
    const float *background = job->config->background;
#pragma omp parallel for num_threads(job->threads) if (job->threads > 1)
    for (int y = rect.y0; y < rect.y1; y++) {
        const columns drawn = shown_columns(shown, y, rect.x0, rect.x1);
        const int64_t pixel = (int64_t)y * job->img->width + drawn.x0;
        uint8_t *row = rgb + 3 * stride * (y - rect.y0);
        fill(background, drawn.x0 - rect.x0, row);
        if (drawn.x0 < drawn.x1) {
            pixels(job, pixel, drawn.x1 - drawn.x0, row + 3 * (drawn.x0 - rect.x0));
        }
        fill(background, rect.x1 - drawn.x1, row + 3 * (drawn.x1 - rect.x0));
    }
}

/* The bytes of all ranks' picture, where they have it in common; else NULL. */
static uint8_t *common_picture(const app_job *job)
{
    return composite_executor_room(job->executor);
}

/* Begins to receive what `peer` has of this rank's band. Returns how many messages that
 * makes. */
static int receive_rows(const app_job *job, int peer, transfer *out)
{
    const pixel_rect rect = render_screen_rect(job->screen, peer);
    const band own = find_band(job, job->rank), rows = meet(rect, own);
    if (pixel_rect_is_empty(rect) || rows.y0 >= rows.y1) {
        return 0;
    }
    const int sizes[] = {own.y1 - own.y0, 3 * job->img->width};
    const int part[] = {rows.y1 - rows.y0, 3 * (rect.x1 - rect.x0)};
    const int begin[] = {rows.y0 - own.y0, 3 * rect.x0};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, part, begin, MPI_ORDER_C, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    *out = (transfer){.peer = peer, .is_received = true};
    MPI_Irecv(job->band, 1, type, peer, TAG, job->comm, &out->request);
    MPI_Type_free(&type);
    return 1;
}

/* Begins to send what this rank has of the band of `peer`. */
static int send_rows(const app_job *job, int peer, const uint8_t *rgb,
                     composite_counters *counters, transfer *out)
{
    const double begin = base_events_now(app_job_events(job));
    const pixel_rect rect = job->camera.window;
    const band rows = meet(rect, find_band(job, peer));
    if (pixel_rect_is_empty(rect) || rows.y0 >= rows.y1) {
        return 0;
    }
    const int row_bytes = 3 * (rect.x1 - rect.x0), count = rows.y1 - rows.y0;
    MPI_Datatype type;
    MPI_Type_contiguous(row_bytes, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    *out = (transfer){.peer = peer};
    MPI_Isend(rgb + (int64_t)row_bytes * (rows.y0 - rect.y0), count, type, peer, TAG,
              job->comm, &out->request);
    MPI_Type_free(&type);
    if (peer != job->rank) {
        counters->messages_sent++;
        counters->bytes_sent += (int64_t)row_bytes * count;
        note(job, BASE_EVENT_SEND, peer, begin, (int64_t)row_bytes * count);
    }
    return 1;
}

/* Brings all rectangles to the bands. transfers: [2 * ranks]. Collective. */
static void exchange(const app_job *job, const uint8_t *rgb, transfer *transfers,
                     composite_counters *counters)
{
    int count = 0;
    for (int peer = 0; peer < job->ranks; peer++) {
        count += receive_rows(job, peer, transfers + count);
    }
    for (int n = 0; n < job->ranks; n++) { /* each begins with another one */
        count += send_rows(job, (job->rank + n) % job->ranks, rgb, counters,
                           transfers + count);
    }
    finish_transfers(job, transfers, count);
}

/* Whether there is room for the band and for the rectangle as bytes. */
static status make_room(app_job *job, uint8_t **rgb)
{
    const pixel_rect rect = job->camera.window;
    const band own = find_band(job, job->rank);
    const size_t held = 3 * (size_t)job->img->width * (size_t)(own.y1 - own.y0) + 1;
    const size_t sent = 3 * (size_t)(rect.x1 - rect.x0) * (size_t)(rect.y1 - rect.y0) + 1;
    if (!job->band) {
        job->band = malloc(held);
    }
    *rgb = malloc(sent);
    return job->band && *rgb ? STATUS_OK : base_fail_memory(held + sent, "a picture");
}

io_png_range app_share_range(const app_job *job)
{
    const band own = find_band(job, job->rank);
    const int64_t width = job->img->width;
    return (io_png_range){own.y0 * width, (own.y1 - own.y0) * width};
}

void app_share_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *rgb)
{
    const app_job *job = context;
    const uint8_t *common = common_picture(job);
    const int64_t first = common ? 0 : app_share_range(job).pix0;
    atomic_thread_fence(memory_order_acquire); /* of what other ranks have written */
    memcpy(rgb, (common ? common : job->band) + 3 * (pix0 - first), 3 * (size_t)npix);
}

/* ---- The picture ------------------------------------------------------------------- */

static bool is_same_rect(pixel_rect a, pixel_rect b)
{
    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

/* What of this rank's rectangle has to be written into the picture of all: as long as
 * the rectangle stays, nobody else writes there, and what was background and is so still
 * need not be touched. */
static pixel_rect find_changed(app_job *job)
{
    const pixel_rect window = job->camera.window, shown = shown_rect(job);
    pixel_rect changed = window;
    if (is_same_rect(window, job->window_before)) {
        changed = shown;
        pixel_rect_grow(&changed, job->shown_before);
    }
    job->window_before = window;
    job->shown_before = shown;
    return changed;
}

/* Each rank writes its rectangle where it belongs. Nobody compresses the picture before
 * all have agreed that it is whole; and nobody writes into it again before all have
 * compressed it. Both is agreed on where it is compressed (io_png_strips_make). Local. */
static void write_in_place(app_job *job, io_png_pixels *pixels,
                           composite_counters *counters)
{
    const pixel_rect rect = find_changed(job);
    const int64_t first = (int64_t)rect.y0 * job->img->width + rect.x0;
    if (!pixel_rect_is_empty(rect)) {
        const double begin = base_events_now(app_job_events(job));
        convert(job, rect, pixels, common_picture(job) + 3 * first, job->img->width);
        note(job, BASE_EVENT_BLEND, -1, begin, 0);
        counters->bytes_shared += (int64_t)3 * (rect.x1 - rect.x0) * (rect.y1 - rect.y0);
    }
    atomic_thread_fence(memory_order_release);
}

/* Rectangles travel in messages. Collective. */
static status send_around(app_job *job, status rendered, io_png_pixels *pixels,
                          composite_counters *counters)
{
    const bool as_floats = job->config->output.floats != NULL;
    const size_t bytes = 2 * (size_t)job->ranks * sizeof(transfer);
    transfer *transfers = malloc(bytes);
    uint8_t *rgb = NULL;
    status s = rendered;
    if (s == STATUS_OK && !transfers) {
        s = base_fail_memory(bytes, "the parts of a picture");
    }
    if (s == STATUS_OK && !as_floats) {
        s = make_room(job, &rgb);
    }
    s = parallel_agree(job->comm, s);
    if (s == STATUS_OK && as_floats) {
        gather(job, transfers, counters);
    } else if (s == STATUS_OK) {
        const pixel_rect rect = job->camera.window;
        const double begin = base_events_now(app_job_events(job));
        convert(job, rect, pixels, rgb, rect.x1 - rect.x0);
        note(job, BASE_EVENT_BLEND, -1, begin, 0);
        exchange(job, rgb, transfers, counters);
    }
    free(rgb);
    free(transfers);
    return s;
}

status app_share_put_together(app_job *job, status rendered, io_png_pixels *pixels,
                              composite_counters *counters)
{
    const bool is_in_place = common_picture(job) && !job->config->output.floats;
    if (!is_in_place) {
        return send_around(job, rendered, pixels, counters);
    }
    if (rendered == STATUS_OK) {
        write_in_place(job, pixels, counters);
    }
    return rendered;
}
