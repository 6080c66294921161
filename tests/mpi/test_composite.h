/* Shared by the tests of the executor. */
#ifndef TEST_COMPOSITE_H
#define TEST_COMPOSITE_H

#include "base/image.h"
#include "composite/run/execute.h"
#include "support/random.h"

#include <mpi.h>

enum { TEST_MOST_RANKS = 64 };

/* ---- Images (test_composite_images.c) ---------------------------------------------- */

/* The parameters of one frame; every rank can make the image of any other from it. */
typedef struct test_frame {
    int width, height;
    bool with_depth;
    int percent; /* of the pixels of an image that are active; 100: all of the picture */
    composite_operator op;
    uint32_t seed;  /* of the pixels */
    uint32_t order; /* seed of the visibility order; 0: that of the ranks */
    bool rounds;    /* colours and alpha are such that blending rounds */
} test_frame;

/* A frame that is drawn once and composited many times. */
typedef struct test_picture {
    test_frame frame;
    int order[TEST_MOST_RANKS]; /* order[position] is a rank */
    image *drawn;               /* of this rank */
    image *expected; /* the images of all ranks blended one after the other, front to
                        back, without any code of composite/ */
} test_picture;

/* Draws and blends a frame: alpha in {0, 1/2, 1}, colours in quarters of it, so that
 * blending never rounds. Depth is a small whole number, so that ties occur.
 * Collective. */
test_picture test_picture_create(const test_frame *frame);
void test_picture_destroy(test_picture *picture);

/* Whether both have the same bits at the pixels [pix0, pix0 + npix); prints the first
 * that differs. */
bool test_same_pixels(const image *expected, const image *actual, int64_t pix0,
                      int64_t npix);

/* Whether the active rectangle holds every pixel that is not transparent. */
bool test_active_holds_all(const image *img);

/* ---- Pictures of bytes ------------------------------------------------------------- */

/* Bytes of a picture that depend on every bit of colours that are multiples of 1/2048. No
 * byte of a transparent pixel is zero. */
composite_format test_format(int bytes_per_pixel);

/* ---- Stages: executors and their images (test_composite_stage.c) ------------------- */

typedef enum test_memory {
    TEST_OWN,      /* the executor's own image */
    TEST_ORDINARY, /* one of image_create */
    TEST_MIXED     /* one kind on some ranks, the other on the rest */
} test_memory;

/* One executor with its images. */
typedef struct test_stage {
    composite_executor *executor;
    int rank, size;
    int node_size; /* ranks of an artificial node; 0: all ranks of this machine; below 0:
                      so many, dealt to nodes in turn */
    int segment, threads;
    image *own, *ordinary;
} test_stage;

/* How ranks draw between composite_begin and composite_finish. */
typedef struct test_delays {
    uint32_t seed; /* of the bounds, and of ranks that draw some milliseconds longer */
    int always;    /* a rank that always does so; -1: none */
    bool adapts;   /* composite_request.adapts */
    void (*draw)(int rank, void *context); /* called while drawing; NULL: nothing */
    void *context;
} test_delays;

/* The input and the parameters of a compositing run. */
typedef struct test_case {
    const test_picture *picture;
    const composite_algorithm *algorithm; /* NULL: the executor chooses */
    const composite_rules *rules;         /* by these; NULL: none */
    composite_params params;
    bool by_nodes;
    composite_encoding encoding;
    composite_target target;
    int bytes_per_pixel;
    test_memory memory;
    const test_delays *delays; /* NULL: images are drawn before the frame begins */
} test_case;

/* Collective, both. */
void test_stage_open(test_stage *stage, int node_size);
void test_stage_close(test_stage *stage);

/* Runs on each size of artificial nodes; returns whether all runs succeeded. */
bool test_stage_on_all_nodes(bool (*run)(test_stage *stage));

/* Local, but the same on all ranks. */
void test_stage_set(test_stage *stage, int segment, int threads);

/* Sizes of artificial nodes that differ on this number of ranks: fills sizes [4], returns
 * their number. */
int test_node_sizes(int ranks, int *sizes);

/* This rank's image for a case, with any contents. Collective. */
image *test_provide(test_stage *stage, const test_case *c);

/* Clears this rank's image for a case and draws the picture into it. Collective. */
image *test_draw(test_stage *stage, const test_case *c);

composite_request test_request(const test_case *c);

/* Whether pixels [pix0, pix0 + npix) of a picture of bytes equal the serial ones; prints
 * the first that differs. */
bool test_same_bytes(const test_case *c, const unsigned char *bytes, int64_t pix0,
                     int64_t npix);

/* Called on rank 0 before it composites: overwrites the last picture in the shared
 * bytes. */
void test_spoil_shared_bytes(const test_stage *stage);

/* Composites a case; returns whether the result is the serial picture at the target, and
 * whether the image can be cleared. Collective, with the same result on all ranks. */
bool test_is_exact(test_stage *stage, const test_case *c);

/* Whether all ranks say yes; prints `what`, the case and the rank that says no.
 * Collective. */
bool test_all_agree(const test_stage *stage, const test_case *c, bool mine,
                    const char *what);

/* ---- Schedules that no algorithm has (test_composite_odd.c) -------------------------
 */

/* The n-th, or NULL after the last. They keep to the contract of schedule.h. */
const composite_algorithm *test_odd_at(int n);

/* One of the algorithms, with parameters that are right for so many ranks. */
const composite_algorithm *test_random_algorithm(uint64_t *random, int size,
                                                 composite_params *params);

/* ---- Tests: collective; the number of failed ones ---------------------------------- */

typedef struct test_entry {
    const char *name;
    bool (*run)(void);
} test_entry;

int test_run(const test_entry *entries, int count);

int test_pictures(void); /* test_composite.c */
int test_walks(void);    /* test_composite_walk.c */
int test_faults(void);   /* test_composite_faults.c */
int test_requests(void); /* test_composite_requests.c */
int test_numbers(void);  /* test_composite_numbers.c */
int test_direct(void);   /* test_composite_direct.c */
int test_events(void);   /* test_composite_events.c */
int test_by_nodes(void); /* test_composite_nodes.c */
int test_late(void);     /* test_composite_late.c */
int test_rules(void);    /* test_composite_rules.c */

/* Composites a case whose ranks draw with delays, as test_case.delays. *img: this rank's
 * image, *drawn: its active rectangle. Collective. */
status test_execute_late(test_stage *stage, const test_case *c, image **img,
                         pixel_rect *drawn, composite_result *result);

#endif
