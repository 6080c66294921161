/* Sessions with particles, beside the particles that a file gives when its steps are
 * traced one after the other. All functions are collective; what is wrong counts as a
 * failure. */
#ifndef TESTS_INSITU_LIVE_PARTICLES_H
#define TESTS_INSITU_LIVE_PARTICLES_H

#include "frame/particles/state.h"
#include "library/insitu.h"
#include "library/state.h"
#include "player.h"

#define PATHS                                                                            \
    "{particles: {mode: path, every: 2, trail: 3, color_by: pressure, range: [-1, 1], "  \
    "seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 3]], count: 9}, {block: cylinder, "        \
    "points: "                                                                           \
    "[[4, 5, 2.5]]}]}}"
#define STREAKS                                                                          \
    "{particles: {mode: streak, seeds: [{plane: [[-1, -1, 1], [-1, 1, 1], [-1, -1, "     \
    "3]], count: [5, 4]}]}}"
/* The run of the tests. */
typedef struct particles_test {
    int failures, rank, ranks;
    const char *data, *folder;
} particles_test;

extern particles_test t;

void expect(bool works, const char *what);

/* A layer's particles, traced through the steps of the file. */
typedef struct filed {
    io_source *source;
    grid_layout *layout;
    frame_flow *flow;
    frame_swarm *swarm;
} filed;

/* Bricks in turn, like cards: other ones than a session's ranks have. */
void open_filed(const io_particles_config *config, grid_terms terms, filed *f);
void step_filed(filed *f, int step);
void close_filed(filed *f);

karman_session *open_session(const char *name, const char *layers, int every);
const io_config *config_of(const karman_session *session);
const io_particles_config *layer_of(const karman_session *session, int layer);
frame_swarm *swarm_of(const karman_session *session, int layer);

/* Plays a step of the data set, and calls karman_render. */
void play(player *p, karman_session *session, int step);

/* Whether two swarms have the same lines; `bits`: to the last bit. */
bool same_lines(frame_swarm *a, frame_swarm *b, bool bits);

/* Changes a key of the first picture, as an order does. */
status change_picture(karman_session *session, const char *key, const char *value);

/* particles_saved.c: checkpoints, and files that are broken or lie. */
void test_saved_particles(void);

#endif
