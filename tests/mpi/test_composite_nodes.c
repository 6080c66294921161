/* Ranks of a node merge first: the serial picture, on nodes of all sizes. */
#include "test_composite.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "composite/run/executor.h"

enum { MOST_NODE = 8, CHOICE = -1 };

/* One of the algorithms, or the executor's choice. */
static const composite_algorithm *algorithm_at(int n)
{
    return n == CHOICE ? NULL : composite_algorithm_at(n);
}

/* Each algorithm once, with another target and memory each. */
static bool run_all(test_stage *stage, const test_picture *picture, uint64_t *random)
{
    bool right = true;
    for (int n = CHOICE; (n == CHOICE || algorithm_at(n)) && right; n++) {
        const test_case c = {.picture = picture,
                             .algorithm = algorithm_at(n),
                             .by_nodes = true,
                             .target = (composite_target)random_below(random, 3),
                             .bytes_per_pixel = 1 + random_below(random, 4),
                             .memory = (test_memory)random_below(random, 3)};
        right = test_is_exact(stage, &c);
    }
    return right;
}

/* Ranks of a node are neighbours in half of the frames, and anywhere in the others. */
static bool run_frames(int node_size)
{
    enum { FRAMES = 8 };
    uint64_t random = random_start(6000, (uint64_t)node_size);
    test_stage stage;
    bool right = true;
    test_stage_open(&stage, node_size);
    for (uint32_t i = 0; i < FRAMES && right; i++) {
        const test_frame frame = {.width = 1 + random_below(&random, 40),
                                  .height = 1 + random_below(&random, 40),
                                  .with_depth = i % 4 >= 2,
                                  .percent = i < FRAMES / 2 ? 100 : 20,
                                  .op = i % 4 == 3 ? COMPOSITE_NEAREST : COMPOSITE_OVER,
                                  .seed = 6000 + i,
                                  .order = i % 2};
        test_picture picture = test_picture_create(&frame);
        test_stage_set(&stage, i % 3 == 0 ? 100 : 32768, 1 + (int)i % 2);
        right = run_all(&stage, &picture, &random);
        test_picture_destroy(&picture);
    }
    test_stage_close(&stage);
    return right;
}

/* The last node of a size that does not divide the ranks is smaller. */
static bool nodes_of_any_size_merge_first(void)
{
    const int ranks = parallel_size(MPI_COMM_WORLD);
    bool right = true;
    for (int size = 0; size <= ranks && size <= MOST_NODE && right; size++) {
        right = run_frames(size);
    }
    return right;
}

static bool ranks_that_are_dealt_to_nodes_merge_first(void)
{
    const int ranks = parallel_size(MPI_COMM_WORLD);
    bool right = true;
    for (int size = 2; size < ranks && size <= MOST_NODE && right; size++) {
        right = run_frames(-size);
    }
    return right;
}

/* Two nodes exchange halves: each sends half of its image, and one half goes to rank 0.
 */
static bool nodes_send_each_pixel_once(void)
{
    const int ranks = parallel_size(MPI_COMM_WORLD);
    const test_frame frame = {.width = 64, .height = 64, .percent = 100, .seed = 6100};
    const int64_t pixels = (int64_t)frame.width * frame.height;
    if (ranks < 2) {
        return true;
    }
    test_stage stage;
    test_stage_open(&stage, (ranks + 1) / 2);
    test_picture picture = test_picture_create(&frame);
    const test_case c = {.picture = &picture,
                         .by_nodes = true,
                         .target = COMPOSITE_PIECES,
                         .bytes_per_pixel = 3,
                         .memory = TEST_OWN};
    const composite_request request = test_request(&c);
    composite_result result;
    image *img = test_draw(&stage, &c);
    const status s = composite_execute(stage.executor, &request, img, STATUS_OK, &result);
    int64_t sent;
    parallel_allreduce(&result.counters.bytes_sent, &sent, 1, MPI_INT64_T, MPI_SUM,
                       MPI_COMM_WORLD);
    const bool right = test_all_agree(&stage, &c, s == STATUS_OK && sent == 16 * pixels,
                                      "two nodes do not send one image together");
    test_picture_destroy(&picture);
    test_stage_close(&stage);
    return right;
}

int test_by_nodes(void)
{
    const test_entry entries[] = {
        {"nodes of any size merge first", nodes_of_any_size_merge_first},
        {"ranks that are dealt to nodes merge first",
         ranks_that_are_dealt_to_nodes_merge_first},
        {"nodes send each pixel once", nodes_send_each_pixel_once},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
