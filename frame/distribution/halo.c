#include "halo.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>
#include <string.h>

/* ---- The ranges of all ranks ------------------------------------------------------- */

/* A range of pixels [begin, end), and the rank that has them. */
typedef struct owned {
    int64_t begin, end, rank;
} owned;

/* The picture among the ranks. */
typedef struct owners {
    MPI_Comm comm;
    int rank, ranks;
    int width;
    int64_t pixels; /* of the picture */
    int count;
    owned *items; /* [count], ascending */
} owners;

enum { WORDS = sizeof(owned) / sizeof(int64_t) };

static int compare_owned(const void *left, const void *right)
{
    const owned *a = left;
    const owned *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Words of all ranks in counts [ranks], and their places; returns their sum. */
static int gather_counts(const owners *all, int mine, int *counts, int *places)
{
    MPI_Request request;
    MPI_Iallgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, all->comm, &request);
    parallel_wait(&request);
    int sum = 0;
    for (int rank = 0; rank < all->ranks; rank++) {
        places[rank] = sum;
        sum += counts[rank];
    }
    return sum;
}

/* Gathers the ranges of all ranks. counts, places: [ranks]. Collective. */
static status gather_owners(owners *all, int count, const io_png_range *ranges,
                            int *counts, int *places)
{
    const int words =
        gather_counts(all, parallel_count((int64_t)count * WORDS), counts, places);
    const size_t bytes = ((size_t)words + 1) * sizeof(int64_t);
    all->count = words / WORDS;
    all->items = malloc(bytes);
    owned *mine = malloc(((size_t)count + 1) * sizeof *mine);
    status s = all->items && mine ? STATUS_OK : base_fail_memory(bytes, "a picture");
    s = parallel_agree(all->comm, s);
    if (s == STATUS_OK) {
        for (int n = 0; n < count; n++) {
            mine[n] = (owned){ranges[n].pix0, ranges[n].pix0 + ranges[n].npix, all->rank};
        }
        MPI_Request request;
        MPI_Iallgatherv(mine, count * WORDS, MPI_INT64_T, all->items, counts, places,
                        MPI_INT64_T, all->comm, &request);
        parallel_wait(&request);
        qsort(all->items, (size_t)all->count, sizeof *all->items, compare_owned);
    }
    free(mine);
    return s;
}

/* ---- Overlaps ---------------------------------------------------------------------- */

/* Pixels of a receiver's halo [begin, end) that a sender has. */
typedef void visit_overlap(void *context, int receiver, int sender, int64_t begin,
                           int64_t end);

/* Receives overlaps: those with one sender, `only`, or with all, -1. */
typedef struct visitor {
    int only;
    visit_overlap *visit;
    void *context;
} visitor;

/* The first range that ends behind a pixel. */
static int find_first(const owners *all, int64_t pixel)
{
    int low = 0;
    int high = all->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (all->items[middle].end <= pixel) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Visits what others have of pixels [begin, end), which lie beside a receiver's range. */
static void visit_beside(const owners *all, int receiver, int64_t begin, int64_t end,
                         const visitor *v)
{
    begin = begin > 0 ? begin : 0;
    end = end < all->pixels ? end : all->pixels;
    for (int n = find_first(all, begin); n < all->count && all->items[n].begin < end;
         n++) {
        const owned *o = &all->items[n];
        if (o->rank != receiver && (v->only < 0 || o->rank == v->only)) {
            v->visit(v->context, receiver, (int)o->rank,
                     begin > o->begin ? begin : o->begin, end < o->end ? end : o->end);
        }
    }
}

/* Visits the halo of a range, part by part: the row above, the pixels before and behind
 * it, the row below. The same order on both sides. */
static void visit_halo(const owners *all, const owned *of, const visitor *v)
{
    const int64_t width = all->width, begin = of->begin, end = of->end;
    const int64_t parts[][2] = {{begin - width - 1, end - width + 1},
                                {begin - 1, begin},
                                {end, end + 1},
                                {begin + width - 1, end + width + 1}};
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        visit_beside(all, (int)of->rank, parts[n][0], parts[n][1], v);
    }
}

/* Visits what this rank receives, then what it sends. */
static void visit_all(const owners *all, visit_overlap *visit, void *context)
{
    const visitor receives = {-1, visit, context}, sends = {all->rank, visit, context};
    int64_t first = all->pixels;
    int64_t end = 0;
    for (int n = 0; n < all->count; n++) {
        const owned *o = &all->items[n];
        if (o->rank == all->rank) {
            visit_halo(all, o, &receives);
            first = o->begin < first ? o->begin : first;
            end = o->end > end ? o->end : end;
        }
    }
    const int64_t reach = all->width + 1;
    for (int n = find_first(all, first - reach);
         n < all->count && all->items[n].begin < end + reach; n++) {
        if (all->items[n].rank != all->rank) {
            visit_halo(all, &all->items[n], &sends);
        }
    }
}

/* ---- The exchange ------------------------------------------------------------------ */

/* Pixels that go to each rank, and come from it. */
typedef struct traffic {
    const owners *all;
    int *sent, *sent_at; /* [ranks]: floats, and the place of the first one */
    int *got, *got_at;   /* [ranks] */
    const image *img;    /* NULL: count alone */
    float *leaving;      /* [floats that are sent] */
    frame_halo *halo;
} traffic;

static void count_overlap(void *context, int receiver, int sender, int64_t begin,
                          int64_t end)
{
    traffic *t = context;
    const bool is_sent = sender == t->all->rank;
    int *count = is_sent ? &t->sent[receiver] : &t->got[sender];
    *count = parallel_count(*count + 4 * (end - begin));
}

/* Packs what leaves, and notes the places of what comes. sent, got: so far. */
static void pack_overlap(void *context, int receiver, int sender, int64_t begin,
                         int64_t end)
{
    traffic *t = context;
    const int count = (int)(4 * (end - begin));
    if (sender == t->all->rank) {
        memcpy(t->leaving + t->sent_at[receiver] + t->sent[receiver],
               t->img->rgba + 4 * begin, (size_t)count * sizeof *t->leaving);
        t->sent[receiver] += count;
    } else {
        int64_t *places = t->halo->pixels + (t->got_at[sender] + t->got[sender]) / 4;
        for (int64_t pixel = begin; pixel < end; pixel++) {
            *places++ = pixel;
        }
        t->got[sender] += count;
    }
}

/* Places of parts of these sizes, one after the other; returns their sum. */
static int64_t lay_out(int ranks, int *counts, int *places)
{
    int64_t sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
        places[rank] = parallel_count(sum);
        sum += counts[rank];
        counts[rank] = 0;
    }
    return sum;
}

static status exchange(traffic *t)
{
    const owners *all = t->all;
    frame_halo *halo = t->halo;
    visit_all(all, count_overlap, t);
    const size_t leaving = (size_t)lay_out(all->ranks, t->sent, t->sent_at) + 1;
    const size_t coming = (size_t)lay_out(all->ranks, t->got, t->got_at) + 4;
    t->leaving = malloc(leaving * sizeof *t->leaving);
    halo->npixels = (int64_t)coming / 4 - 1;
    halo->pixels = malloc(coming / 4 * sizeof *halo->pixels);
    halo->rgba = malloc(coming * sizeof *halo->rgba);
    status s = t->leaving && halo->pixels && halo->rgba
                   ? STATUS_OK
                   : base_fail_memory((leaving + coming) * sizeof(float), "a picture");
    s = parallel_agree(all->comm, s);
    if (s == STATUS_OK) {
        visit_all(all, pack_overlap, t);
        MPI_Request request;
        MPI_Ialltoallv(t->leaving, t->sent, t->sent_at, MPI_FLOAT, halo->rgba, t->got,
                       t->got_at, MPI_FLOAT, all->comm, &request);
        parallel_wait(&request);
    }
    free(t->leaving);
    return s;
}

status frame_halo_bring(MPI_Comm comm, const image *img, int count,
                        const io_png_range *ranges, status failed, frame_halo *halo)
{
    owners all = {.comm = comm,
                  .rank = parallel_rank(comm),
                  .ranks = parallel_size(comm),
                  .width = img->width,
                  .pixels = image_pixel_count(img)};
    *halo = (frame_halo){0};
    int *numbers = calloc(4 * (size_t)all.ranks, sizeof *numbers);
    status s = failed;
    if (s == STATUS_OK && !numbers) {
        s = base_fail_memory(4 * (size_t)all.ranks * sizeof *numbers, "a picture");
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        traffic t = {.all = &all,
                     .sent = numbers,
                     .sent_at = numbers + all.ranks,
                     .got = numbers + 2 * all.ranks,
                     .got_at = numbers + 3 * all.ranks,
                     .img = img,
                     .halo = halo};
        s = gather_owners(&all, count, ranges, t.sent, t.sent_at);
        memset(numbers, 0, 4 * (size_t)all.ranks * sizeof *numbers);
        s = s == STATUS_OK ? exchange(&t) : s;
    }
    free(all.items);
    free(numbers);
    if (s != STATUS_OK) {
        frame_halo_clear(halo);
    }
    return s;
}

static void swap_pixels(float *a, float *b)
{
    float held[4];
    memcpy(held, a, sizeof held);
    memcpy(a, b, sizeof held);
    memcpy(b, held, sizeof held);
}

void frame_halo_put(frame_halo *halo, image *img)
{
    for (int64_t n = 0; n < halo->npixels; n++) {
        swap_pixels(img->rgba + 4 * halo->pixels[n], halo->rgba + 4 * n);
    }
}

void frame_halo_take_back(frame_halo *halo, image *img)
{
    /* Backwards: a pixel beside two ranges is there twice. */
    for (int64_t n = halo->npixels - 1; n >= 0; n--) {
        swap_pixels(img->rgba + 4 * halo->pixels[n], halo->rgba + 4 * n);
    }
}

void frame_halo_clear(frame_halo *halo)
{
    free(halo->pixels);
    free(halo->rgba);
    *halo = (frame_halo){0};
}
