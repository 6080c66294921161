/*
 * Direct-send around late positions, for pictures that go to the root as unfinished
 * pixels.
 *
 * In plain direct-send each position owns a piece of the picture, and finished pieces go
 * to the root. Pieces that a late image touches wait for it, and then their rows cross
 * the root's link. Here the positions that are in time merge their images while they
 * wait, and the root owns the whole picture:
 *
 *     positions    0   1   2   3   4   5   6       3 is late
 *     round 0      A   A   A       B   B   B       direct-send within A and within B
 *     round 1      the root gets the merged images of A and B, and that of 3
 *
 * After the late image has come, its own pixels are the only ones under way. If the root
 * is late, the merged images of the others reach it while it draws (composite_poll). If
 * finished pixels are shorter than others, this does not pay (decision 034).
 *
 * With several ranks on a node, positions are teams (nodes.h), and a late rank is a team
 * by itself: the others of its node merge in their memory without it, and so do the
 * nodes.
 *
 * S. Vadhiyar, G. Fagg and J. Dongarra, "Automatically tuned collective communications",
 * SC 2000, reorder a broadcast around processes that are late.
 */
#ifndef COMPOSITE_LATE_POSITIONS_H
#define COMPOSITE_LATE_POSITIONS_H

#include "schedule.h"

/* The algorithm. Users cannot choose it by name; the executor takes it instead of
 * direct-send around ranks that draw long. With
 * problem->nodes, these were found around the same late positions. */
extern const composite_algorithm composite_around_late;

#endif
