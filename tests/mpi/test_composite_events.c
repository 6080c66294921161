/* Events that ranks note during compositing, for timelines. Noting them changes no
 * picture. */
#include "test_composite.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "composite/run/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of messages and bytes that this rank has noted, for each peer. */
typedef struct account {
    int64_t count[TEST_MOST_RANKS], bytes[TEST_MOST_RANKS];
} account;

static account count_messages(const base_events *events, base_event_kind kind)
{
    account all = {.count = {0}};
    for (int n = 0; n < base_events_count(events); n++) {
        const base_event *event = &events->items[n];
        if (event->kind == kind && event->peer >= 0) {
            all.count[event->peer]++;
            all.bytes[event->peer] += event->bytes;
        }
    }
    return all;
}

/* The numbers that other ranks have noted as sent to this rank. Collective. */
static account exchange(const account *sent)
{
    account told;
    MPI_Alltoall(sent->count, 1, MPI_INT64_T, told.count, 1, MPI_INT64_T, MPI_COMM_WORLD);
    MPI_Alltoall(sent->bytes, 1, MPI_INT64_T, told.bytes, 1, MPI_INT64_T, MPI_COMM_WORLD);
    return told;
}

/* Every event lies between the two times, and its peer, if any, is another rank. */
static bool are_sound(const test_stage *stage, const base_events *events, double begin,
                      double end)
{
    bool right = true;
    for (int n = 0; n < base_events_count(events); n++) {
        const base_event *event = &events->items[n];
        right = right && begin <= event->begin && event->begin <= event->end &&
                event->end <= end && event->peer != stage->rank &&
                event->peer < stage->size && event->thread >= 0 &&
                event->thread < stage->threads;
    }
    return right;
}

static int64_t sum(const int64_t *values, int count)
{
    int64_t all = 0;
    for (int n = 0; n < count; n++) {
        all += values[n];
    }
    return all;
}

static bool check_case(test_stage *stage, const test_case *c, base_events *events)
{
    composite_request request = test_request(c);
    composite_result result;
    image *img = test_draw(stage, c);
    events->count = 0;
    request.events = events;
    const double begin = base_clock();
    const status s =
        composite_execute(stage->executor, &request, img, STATUS_OK, &result);
    bool right = s == STATUS_OK && are_sound(stage, events, begin, base_clock());
    const account sent = count_messages(events, BASE_EVENT_SEND);
    const account received = count_messages(events, BASE_EVENT_RECEIVE);
    const account read = count_messages(events, BASE_EVENT_READ);
    const account told = exchange(&sent);
    const size_t size = (size_t)stage->size * sizeof *told.count;
    right = right && memcmp(told.count, received.count, size) == 0 &&
            memcmp(told.bytes, received.bytes, size) == 0 &&
            sum(sent.count, stage->size) == result.counters.messages_sent &&
            sum(sent.bytes, stage->size) == result.counters.bytes_sent;
    /* A rank on a node of its own reads nothing from others; else messages are few. */
    if (stage->node_size == 1) {
        right = right && sum(read.count, stage->size) == 0;
    } else if (composite_is_one_node(stage->executor)) {
        right = right && sum(sent.count, stage->size) == 0;
    }
    return test_all_agree(stage, c, right, "what ranks note") && test_is_exact(stage, c);
}

static bool ranks_note_on_nodes(test_stage *stage)
{
    static const composite_target targets[] = {COMPOSITE_PIECES, COMPOSITE_FLOATS,
                                               COMPOSITE_BYTES};
    base_events *events = malloc(sizeof *events);
    bool right = events != NULL;
    for (int n = 0; composite_algorithm_at(n) && right; n++) {
        const test_frame frame = {.width = 40,
                                  .height = 30,
                                  .with_depth = n % 2 == 1,
                                  .percent = 60,
                                  .seed = 2300 + (uint32_t)n,
                                  .order = 2300 + (uint32_t)n};
        test_picture picture = test_picture_create(&frame);
        for (int t = 0; t < 3 && right; t++) {
            const test_case c = {.picture = &picture,
                                 .algorithm = composite_algorithm_at(n),
                                 .target = targets[t],
                                 .bytes_per_pixel = 3,
                                 .memory = TEST_OWN};
            test_stage_set(stage, t == 1 ? 100 : COMPOSITE_SEGMENT, 1 + n % 3);
            right = check_case(stage, &c, events);
        }
        test_picture_destroy(&picture);
    }
    free(events);
    return right;
}

static bool each_message_is_noted_by_both_ranks(void)
{
    return test_stage_on_all_nodes(ranks_note_on_nodes);
}

/* More events than the buffer holds: the last ones are lost, and nothing else. */
static bool events_that_are_too_many_are_lost(void)
{
    base_events *events = calloc(1, sizeof *events);
    bool right = events != NULL;
#pragma omp parallel for num_threads(3)
    for (int n = 0; n < 2 * BASE_MOST_EVENTS; n++) {
        base_events_add(events, (base_event){.kind = BASE_EVENT_SHARE, .peer = 7});
    }
    right = right && base_events_count(events) == BASE_MOST_EVENTS;
    for (int n = 0; n < BASE_MOST_EVENTS && right; n++) {
        right = events->items[n].peer == 7;
    }
    base_events_add(NULL, (base_event){.peer = 1});
    right = right && base_events_now(NULL) == 0.0 && base_events_now(events) > 0.0;
    free(events);
    return right;
}

int test_events(void)
{
    const test_entry entries[] = {
        {"each message is noted by both ranks", each_message_is_noted_by_both_ranks},
        {"events that are too many are lost", events_that_are_too_many_are_lost},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
