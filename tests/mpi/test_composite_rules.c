/* Rules for requests without an algorithm: the serial picture, whatever they say. */
#include "test_composite.h"

#include "base/parallel/parallel.h"

#include <stdio.h>

enum { RULES = 6 };

/* Any rule: parameters may not suit the ranks, or be for other pictures. */
static composite_rule random_rule(uint64_t *random, int64_t pixels)
{
    composite_rule rule = {.target = (composite_target)random_below(random, 3),
                           .pixels = 1 + pixels * (1 + random_below(random, 4)) / 2,
                           .activity = random_between(random, 0.02, 1),
                           .reason = COMPOSITE_TUNED};
    composite_choice *choice = &rule.choice;
    choice->algorithm = composite_algorithm_at(random_below(random, 10)); /* or NULL */
    if (random_below(random, 2) == 0) {
        choice->params.nfactors = random_below(random, 3);
        for (int f = 0; f < choice->params.nfactors; f++) {
            choice->params.factors[f] = 2 + random_below(random, 4);
        }
    }
    choice->params.group = random_below(random, 2) * (1 + random_below(random, 9));
    choice->params.fan_in = random_below(random, 2) * (2 + random_below(random, 4));
    choice->by_nodes = random_below(random, 2) == 1;
    choice->segment =
        random_below(random, 2) * (COMPOSITE_LEAST_SEGMENT << random_below(random, 5));
    choice->encoding = (composite_encoding)random_below(random, COMPOSITE_ENCODINGS);
    return rule;
}

/* A stage composites frames that show more and less in turns, so that rules change. */
static bool run_rules(test_stage *stage, uint32_t seed)
{
    enum { FRAMES = 4 };
    uint64_t random = random_start(9000, seed);
    composite_rule all[RULES];
    composite_rules rules = {RULES, all};
    const int width = 1 + random_below(&random, 60);
    const int height = 1 + random_below(&random, 60);
    bool right = true;
    for (int n = 0; n < RULES; n++) {
        all[n] = random_rule(&random, (int64_t)width * height);
    }
    for (uint32_t i = 0; i < FRAMES && right; i++) {
        const test_frame frame = {.width = width,
                                  .height = height,
                                  .percent = i % 2 ? 100 : 10,
                                  .seed = 9000 + 10 * seed + i,
                                  .order = seed % 3};
        test_picture picture = test_picture_create(&frame);
        const test_case c = {.picture = &picture,
                             .rules = &rules,
                             .by_nodes = true,
                             .target = (composite_target)random_below(&random, 3),
                             .bytes_per_pixel = 1 + random_below(&random, 4),
                             .memory = (test_memory)random_below(&random, 3)};
        right = test_is_exact(stage, &c);
        test_picture_destroy(&picture);
    }
    return right;
}

static bool any_rules_give_the_serial_picture(void)
{
    bool right = true;
    int sizes[4];
    const int count = test_node_sizes(parallel_size(MPI_COMM_WORLD), sizes);
    for (uint32_t seed = 0; seed < 24 && right; seed++) {
        test_stage stage;
        test_stage_open(&stage, sizes[(int)seed % count]);
        right = run_rules(&stage, seed);
        test_stage_close(&stage);
    }
    return right;
}

/* The choice and the reason of a case. */
static bool is_chosen(test_stage *stage, const test_case *c, const char *name,
                      composite_reason reason)
{
    composite_result result;
    image *img = test_draw(stage, c);
    const composite_request request = test_request(c);
    const status s =
        composite_execute(stage->executor, &request, img, STATUS_OK, &result);
    return test_all_agree(stage, c,
                          s == STATUS_OK && result.reason == reason &&
                              result.choice.algorithm == composite_algorithm_find(name),
                          "another choice than expected");
}

/* A rule for dense pictures, one for sparse ones; one that does not suit; none. */
static bool frames_follow_the_rule_for_their_activity(void)
{
    const int ranks = parallel_size(MPI_COMM_WORLD);
    composite_rule all[] = {{COMPOSITE_PIECES,
                             400,
                             1.0,
                             {.algorithm = composite_algorithm_find("tree")},
                             COMPOSITE_TUNED},
                            {COMPOSITE_FLOATS,
                             400,
                             1.0,
                             {.algorithm = composite_algorithm_find("radix-k"),
                              .params = {.nfactors = 1, .factors = {ranks + 1}}},
                             COMPOSITE_TUNED}};
    const composite_rules rules = {2, all};
    const test_frame frame = {.width = 20, .height = 20, .percent = 100, .seed = 9};
    test_picture picture = test_picture_create(&frame);
    test_stage stage;
    test_stage_open(&stage, 0);
    test_case c = {.picture = &picture,
                   .rules = &rules,
                   .by_nodes = true,
                   .target = COMPOSITE_PIECES,
                   .bytes_per_pixel = 3};
    bool right = is_chosen(&stage, &c, "tree", COMPOSITE_TUNED);
    c.target = COMPOSITE_FLOATS; /* factors that do not suit */
    right = right && is_chosen(&stage, &c, "direct-send", COMPOSITE_USUAL);
    c.target = COMPOSITE_BYTES; /* no rule */
    right = right && is_chosen(&stage, &c, "direct-send", COMPOSITE_USUAL);
    c.algorithm = composite_algorithm_find("serial");
    c.by_nodes = false;
    right = right && is_chosen(&stage, &c, "serial", COMPOSITE_GIVEN);
    c.algorithm = NULL;
    c.by_nodes = true;
    c.target = COMPOSITE_PIECES;
    all[0].activity = 0.2; /* the picture has five times as much */
    right = right && is_chosen(&stage, &c, "direct-send", COMPOSITE_USUAL);
    all[0].activity = 1.0;
    all[0].pixels = 801;
    right = right && is_chosen(&stage, &c, "direct-send", COMPOSITE_USUAL);
    test_stage_close(&stage);
    test_picture_destroy(&picture);
    return right;
}

/* Whether a frame has this encoding. */
static bool is_encoded(test_stage *stage, const test_case *c, composite_encoding expected)
{
    composite_result result;
    image *img = test_draw(stage, c);
    const composite_request request = test_request(c);
    const status s =
        composite_execute(stage->executor, &request, img, STATUS_OK, &result);
    return test_all_agree(stage, c, s == STATUS_OK && result.choice.encoding == expected,
                          "another encoding than expected");
}

/* A rule without an algorithm may have an encoding. The request goes before it. Frames of
 * less activity than the rule's are not sent raw. */
static bool frames_take_the_encoding_of_their_rule(void)
{
    composite_rule rule = {.target = COMPOSITE_PIECES,
                           .pixels = 400,
                           .activity = 1.0,
                           .choice = {.encoding = COMPOSITE_ENCODING_RAW},
                           .reason = COMPOSITE_TUNED};
    const composite_rules rules = {1, &rule};
    const test_frame frame = {.width = 20, .height = 20, .percent = 100, .seed = 9};
    test_picture picture = test_picture_create(&frame);
    test_stage stage;
    test_stage_open(&stage, 0);
    test_case c = {.picture = &picture, .rules = &rules, .by_nodes = true};
    bool right = is_encoded(&stage, &c, COMPOSITE_ENCODING_RAW) &&
                 is_chosen(&stage, &c, "direct-send", COMPOSITE_TUNED);
    rule.activity = 2.0; /* twice that of the picture */
    right = right && is_encoded(&stage, &c, COMPOSITE_ENCODING_AUTO) &&
            is_chosen(&stage, &c, "direct-send", COMPOSITE_TUNED);
    rule.activity = 0.5;
    right = right && is_encoded(&stage, &c, COMPOSITE_ENCODING_RAW);
    rule.choice.encoding = COMPOSITE_ENCODING_AUTO;
    right = right && is_encoded(&stage, &c, COMPOSITE_ENCODING_AUTO);
    c.encoding = COMPOSITE_ENCODING_RAW;
    right = right && is_encoded(&stage, &c, COMPOSITE_ENCODING_RAW);
    c.encoding = COMPOSITE_ENCODING_AUTO;
    c.rules = NULL;
    right = right && is_encoded(&stage, &c, COMPOSITE_ENCODING_AUTO);
    test_stage_close(&stage);
    test_picture_destroy(&picture);
    return right;
}

/* Without a rule, sparse floats of four nodes with two ranks each go by a tree. */
static bool sparse_floats_of_four_nodes_go_by_a_tree(void)
{
    bool right = true;
    for (int percent = 50; percent <= 100; percent += 50) {
        const test_frame frame = {
            .width = 20, .height = 20, .percent = percent, .seed = 9};
        const bool is_tree = parallel_size(MPI_COMM_WORLD) == 8 && percent < 100;
        test_picture picture = test_picture_create(&frame);
        test_stage stage;
        test_stage_open(&stage, 2);
        const test_case c = {
            .picture = &picture, .by_nodes = true, .target = COMPOSITE_FLOATS};
        right = right &&
                is_chosen(&stage, &c, is_tree ? "tree" : "direct-send", COMPOSITE_USUAL);
        right = right && test_is_exact(&stage, &c);
        test_stage_close(&stage);
        test_picture_destroy(&picture);
    }
    return right;
}

int test_rules(void)
{
    const test_entry entries[] = {
        {"any rules give the serial picture", any_rules_give_the_serial_picture},
        {"frames follow the rule for their activity",
         frames_follow_the_rule_for_their_activity},
        {"frames take the encoding of their rule",
         frames_take_the_encoding_of_their_rule},
        {"sparse floats of four nodes go by a tree",
         sparse_floats_of_four_nodes_go_by_a_tree},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
