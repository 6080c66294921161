/* The executor against the serial blend, bit for bit. */
#include "test_composite.h"

#include "base/parallel/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 4 };

/* One stage for each size of artificial nodes. */
typedef struct stages {
    test_stage items[MOST_STAGES];
    int count;
} stages;

static void open_stages(stages *all)
{
    int sizes[MOST_STAGES];
    all->count = test_node_sizes(parallel_size(MPI_COMM_WORLD), sizes);
    for (int i = 0; i < all->count; i++) {
        test_stage_open(&all->items[i], sizes[i]);
    }
}

static void close_stages(stages *all)
{
    for (int i = 0; i < all->count; i++) {
        test_stage_close(&all->items[i]);
    }
}

/* A random selection of the combinations, to save time: so many of 100, chosen by a
 * seed. */
typedef struct choice {
    uint64_t random;
    int percent;
} choice;

/* Sanitizers make everything ten times slower. */
#if defined(__SANITIZE_ADDRESS__)
enum { EVERY = 5 };
#else
enum { EVERY = 1 };
#endif

static choice start_choice(const test_frame *frame)
{
    const int ranks = parallel_size(MPI_COMM_WORLD);
    const int64_t pixels = (int64_t)frame->width * frame->height;
    const int most = pixels < 10000 ? 100 : 60;
    const int percent = ranks <= 2 ? most : ranks <= 5 ? most / 3 : most / 6;
    return (choice){
        random_start(frame->seed, (uint64_t)(frame->width + 7 * (int)frame->op)),
        percent / EVERY};
}

static bool is_chosen(choice *c)
{
    return random_below(&c->random, 100) < c->percent;
}

/* A case on all stages, in their own images, and in an ordinary image on any of them. */
static bool is_exact_everywhere(stages *all, choice *chosen, test_case c)
{
    bool right = true;
    for (int i = 0; i <= all->count && right; i++) {
        const int any = random_below(&chosen->random, all->count);
        c.memory = i < all->count ? TEST_OWN : TEST_ORDINARY;
        if (is_chosen(chosen)) {
            right = test_is_exact(&all->items[i < all->count ? i : any], &c);
        }
    }
    return right;
}

/* All targets, and bytes of several sizes. */
static bool every_target_is_exact(stages *all, choice *chosen, test_case c)
{
    static const struct {
        composite_target target;
        int bytes;
    } targets[] = {{COMPOSITE_PIECES, 3},
                   {COMPOSITE_FLOATS, 3},
                   {COMPOSITE_BYTES, 3},
                   {COMPOSITE_BYTES, 4},
                   {COMPOSITE_BYTES, 1}};
    bool right = true;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0] && right; i++) {
        c.target = targets[i].target;
        c.bytes_per_pixel = targets[i].bytes;
        right = is_exact_everywhere(all, chosen, c);
    }
    return right;
}

/* ---- All algorithms ---------------------------------------------------------------- */

static bool every_algorithm_is_exact(stages *all, const test_frame *frame)
{
    choice chosen = start_choice(frame);
    test_picture picture = test_picture_create(frame);
    test_case c = {.picture = &picture};
    bool right = true;
    for (int n = 0; (c.algorithm = composite_algorithm_at(n)) && right; n++) {
        right = every_target_is_exact(all, &chosen, c);
    }
    test_picture_destroy(&picture);
    return right;
}

/* All sizes, by `over` without and with depth, and by the nearest depth. */
static bool images_of_this_density(int percent, uint32_t seed)
{
    static const int sizes[][2] = {{1, 1},   {1, 7},   {7, 1},
                                   {13, 11}, {640, 3}, {257, 129}};
    bool right = true;
    stages all;
    open_stages(&all);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && right; i++) {
        for (int kind = 0; kind < 3 && right; kind++) {
            const test_frame frame = {.width = sizes[i][0],
                                      .height = sizes[i][1],
                                      .with_depth = kind > 0,
                                      .percent = percent,
                                      .op = kind < 2 ? COMPOSITE_OVER : COMPOSITE_NEAREST,
                                      .seed = seed + (uint32_t)(3 * i) + (uint32_t)kind,
                                      .order = seed + (uint32_t)kind};
            right = every_algorithm_is_exact(&all, &frame);
        }
    }
    close_stages(&all);
    return right;
}

static bool dense_images_blend_to_the_bits_of_the_serial_picture(void)
{
    return images_of_this_density(100, 100);
}

static bool sparse_images_blend_to_the_bits_of_the_serial_picture(void)
{
    return images_of_this_density(40, 200) && images_of_this_density(3, 300);
}

static bool transparent_images_stay_transparent(void)
{
    return images_of_this_density(0, 400);
}

/* ---- Parameters -------------------------------------------------------------------- */

static bool params_are_exact(stages *all, choice *chosen, const test_picture *picture,
                             const char *algorithm, const composite_params *params)
{
    const test_case c = {.picture = picture,
                         .algorithm = composite_algorithm_find(algorithm),
                         .params = *params};
    return every_target_is_exact(all, chosen, c);
}

/* All factor vectors whose product is the remaining number of ranks. */
static bool factors_are_exact(stages *all, choice *chosen, const test_picture *picture,
                              int left, composite_params params)
{
    if (left == 1) {
        return params_are_exact(all, chosen, picture, "radix-k", &params);
    }
    bool right = true;
    params.nfactors++;
    for (int factor = 2; factor <= left && right; factor++) {
        params.factors[params.nfactors - 1] = factor;
        right = left % factor != 0 ||
                factors_are_exact(all, chosen, picture, left / factor, params);
    }
    return right;
}

static bool chains_are_exact(stages *all, choice *chosen, const test_picture *picture)
{
    bool right = true;
    for (int group = 1; group <= all->items[0].size && right; group++) {
        const composite_params params = {.group = group};
        right = params_are_exact(all, chosen, picture, "chain", &params);
    }
    return right;
}

static bool trees_are_exact(stages *all, choice *chosen, const test_picture *picture)
{
    static const int fan_ins[] = {2, 3, 8};
    bool right = true;
    for (int i = 0; i < 3 && right; i++) {
        const composite_params params = {.fan_in = fan_ins[i]};
        right = params_are_exact(all, chosen, picture, "tree", &params);
        for (int group = 1; group <= all->items[0].size && right; group++) {
            const composite_params tod = {.fan_in = fan_ins[i], .group = group};
            right = params_are_exact(all, chosen, picture, "tod-tree", &tod);
        }
    }
    return right;
}

static bool any_parameters_give_the_serial_picture(void)
{
    bool right = true;
    stages all;
    open_stages(&all);
    for (uint32_t seed = 500; seed < 503 && right; seed++) {
        const test_frame frame = {.width = 41,
                                  .height = 29,
                                  .with_depth = seed > 500,
                                  .percent = seed == 501 ? 100 : 60,
                                  .op = seed == 502 ? COMPOSITE_NEAREST : COMPOSITE_OVER,
                                  .seed = seed,
                                  .order = seed};
        choice chosen = start_choice(&frame);
        test_picture picture = test_picture_create(&frame);
        right = factors_are_exact(&all, &chosen, &picture, all.items[0].size,
                                  (composite_params){0}) &&
                trees_are_exact(&all, &chosen, &picture) &&
                chains_are_exact(&all, &chosen, &picture);
        test_picture_destroy(&picture);
    }
    close_stages(&all);
    return right;
}

int test_pictures(void)
{
    const test_entry entries[] = {
        {"dense images blend to the bits of the serial picture",
         dense_images_blend_to_the_bits_of_the_serial_picture},
        {"sparse images blend to the bits of the serial picture",
         sparse_images_blend_to_the_bits_of_the_serial_picture},
        {"transparent images stay transparent", transparent_images_stay_transparent},
        {"any parameters give the serial picture",
         any_parameters_give_the_serial_picture},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}

/* ------------------------------------------------------------------------------------ */

static int run_part(const char *name)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } parts[] = {{"pictures", test_pictures}, {"walks", test_walks},
                 {"faults", test_faults},     {"requests", test_requests},
                 {"numbers", test_numbers},   {"direct", test_direct},
                 {"events", test_events},     {"nodes", test_by_nodes},
                 {"late", test_late},         {"rules", test_rules}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcmp(name, parts[i].name) == 0) {
            return parts[i].run();
        }
    }
    fprintf(stderr, "there are no tests named %s\n", name);
    return 1;
}

/* Runs the parts that the command line names. */
int main(int argc, char **argv)
{
    int failed = argc < 2;
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        failed += run_part(argv[i]);
    }
    MPI_Finalize();
    return failed ? 1 : 0;
}
