/* A program that plays a data set as if it computed it: each rank keeps parts of the
 * blocks in memory, in several types, strides and with ghosts, and describes them to a
 * session of libkarman. */
#ifndef TESTS_INSITU_PLAYER_H
#define TESTS_INSITU_PLAYER_H

#include "library/karman.h"

typedef struct player player;

/* Opens a file of karman's layout and deals parts of its blocks out, `seed` decides how.
 * Collective, as all here; failures end the program. */
player *player_open(const char *path, unsigned seed);
void player_close(player **p);

int player_steps(const player *p);

/* The file's number and time of a step. */
int64_t player_cycle(const player *p, int step);
double player_time(const player *p, int step);

/* Describes the parts' geometry. */
void player_describe(player *p, karman_session *session);

/* Takes a step's fields into memory, elsewhere than those of the step before, which are
 * overwritten with NaN, and says so to the session, which may be NULL. */
void player_play(player *p, karman_session *session, int step);

#endif
