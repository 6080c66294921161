/*
 * The benchmark's side of IceT (K. Moreland, W. Kendall, T. Peterka, J. Huang: An image
 * compositing solution at scale, SC 2011): float RGBA without depth, blended in order,
 * one tile that rank 0 displays.
 */
#include "bench_composite.h"

#include "base/parallel/parallel.h"
#include "icet_mpich.h"

#include <stdlib.h>

/* A strategy for the picture and, where that composites tiles one by one, for each. */
typedef struct icet_strategy {
    const char *name;
    IceTEnum tiles, single;
} icet_strategy;

/* Those that respect the order. */
static const icet_strategy strategies[] = {
    {"radix-k", ICET_STRATEGY_SEQUENTIAL, ICET_SINGLE_IMAGE_STRATEGY_RADIXK},
    {"radix-kr", ICET_STRATEGY_SEQUENTIAL, ICET_SINGLE_IMAGE_STRATEGY_RADIXKR},
    {"bswap", ICET_STRATEGY_SEQUENTIAL, ICET_SINGLE_IMAGE_STRATEGY_BSWAP},
    {"bswap-folding", ICET_STRATEGY_SEQUENTIAL, ICET_SINGLE_IMAGE_STRATEGY_BSWAP_FOLDING},
    {"tree", ICET_STRATEGY_SEQUENTIAL, ICET_SINGLE_IMAGE_STRATEGY_TREE},
    {"automatic", ICET_STRATEGY_SEQUENTIAL, ICET_SINGLE_IMAGE_STRATEGY_AUTOMATIC},
    {"direct", ICET_STRATEGY_DIRECT, ICET_SINGLE_IMAGE_STRATEGY_AUTOMATIC},
};

const char *bench_icet_strategy(int n)
{
    const int count = (int)(sizeof strategies / sizeof strategies[0]);
    return n >= 0 && n < count ? strategies[n].name : NULL;
}

/* A context and the image for one frame. */
typedef struct icet_side {
    const bench_frame *frame;
    IceTCommunicator communicator;
    IceTContext context;
    image *img;
    IceTImage result;
} icet_side;

static void close_side(void *state)
{
    icet_side *side = state;
    icetDestroyContext(side->context);
    icet_mpich_destroy(side->communicator);
    image_destroy(&side->img);
    free(side);
}

static void set_up_context(const bench_frame *frame)
{
    icetDiagnostics(ICET_DIAG_WARNINGS | ICET_DIAG_ALL_NODES);
    icetResetTiles();
    icetAddTile(0, 0, frame->shape.side, frame->shape.side, 0);
    icetSetColorFormat(ICET_IMAGE_COLOR_RGBA_FLOAT);
    icetSetDepthFormat(ICET_IMAGE_DEPTH_NONE);
    icetCompositeMode(ICET_COMPOSITE_MODE_BLEND);
    /* A strategy that can order must be there before an order is given. */
    icetStrategy(ICET_STRATEGY_SEQUENTIAL);
    icetEnable(ICET_ORDERED_COMPOSITE);
    icetCompositeOrder(frame->order);
}

static status open_side(const bench_frame *frame, const bench_settings *settings,
                        void **state, image **img)
{
    (void)settings;
    icet_side *side = calloc(1, sizeof *side);
    if (!side) {
        return base_fail_memory(sizeof *side, "the benchmark");
    }
    side->frame = frame;
    status s = image_create(frame->shape.side, frame->shape.side, false, &side->img);
    s = parallel_agree(frame->comm, s);
    if (s != STATUS_OK) {
        image_destroy(&side->img);
        free(side);
        return s;
    }
    side->communicator = icet_mpich_create(frame->comm);
    side->context = icetCreateContext(side->communicator);
    set_up_context(frame);
    *state = side;
    *img = side->img;
    return STATUS_OK;
}

static status composite(void *state, const bench_candidate *candidate,
                        composite_counters *counters)
{
    static const IceTDouble identity[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                            0, 0, 1, 0, 0, 0, 0, 1};
    static const IceTFloat background[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    icet_side *side = state;
    pixel_rect active = side->img->active;
    IceTInt viewport[4] = {active.x0, active.y0, active.x1 - active.x0,
                           active.y1 - active.y0};
    const icet_strategy *strategy = &strategies[candidate->strategy];
    icetStrategy(strategy->tiles);
    icetSingleImageStrategy(strategy->single);
    if (candidate->target == COMPOSITE_PIECES) {
        icetDisable(ICET_COLLECT_IMAGES);
    } else {
        icetEnable(ICET_COLLECT_IMAGES);
    }
    int64_t messages = icet_mpich_messages();
    bench_frame_be_late(side->frame, NULL, NULL);
    side->result = icetCompositeImage(side->img->rgba, NULL, viewport, identity, identity,
                                      background);
    IceTInt bytes = 0;
    icetGetIntegerv(ICET_BYTES_SENT, &bytes);
    *counters = (composite_counters){.messages_sent = icet_mpich_messages() - messages,
                                     .bytes_sent = bytes};
    IceTEnum error = icetGetError();
    return error == ICET_NO_ERROR ? STATUS_OK
                                  : base_fail(STATUS_INTERNAL, "IceT fails in %s: %#x",
                                              strategy->name, error);
}

/* What this rank has of the picture: pixels [*pix0, *pix0 + *npix). */
static void find_piece(const icet_side *side, bool is_collected, int64_t *pix0,
                       int64_t *npix)
{
    *pix0 = *npix = 0;
    if (is_collected) {
        *npix = side->frame->rank == 0 ? image_pixel_count(side->img) : 0;
        return;
    }
    IceTInt tile, offset, count;
    icetGetIntegerv(ICET_VALID_PIXELS_TILE, &tile);
    icetGetIntegerv(ICET_VALID_PIXELS_OFFSET, &offset);
    icetGetIntegerv(ICET_VALID_PIXELS_NUM, &count);
    if (tile == 0 && count > 0) {
        *pix0 = offset;
        *npix = count;
    }
}

static bool check(void *state, const bench_candidate *candidate, int64_t *pixels)
{
    icet_side *side = state;
    int64_t pix0;
    find_piece(side, candidate->target != COMPOSITE_PIECES, &pix0, pixels);
    return *pixels == 0 ||
           bench_frame_check_floats(side->frame, candidate->name, pix0, *pixels,
                                    icetImageGetColorcf(side->result) + 4 * pix0);
}

const bench_library bench_icet = {.name = "IceT",
                                  .open = open_side,
                                  .composite = composite,
                                  .check = check,
                                  .close = close_side};
