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
 * finished pixels are shorter than others, this does not pay (docs/laboratory-notes.md).
 *
 * S. Vadhiyar, G. Fagg and J. Dongarra, "Automatically tuned collective communications",
 * SC 2000, reorder a broadcast around processes that are late.
 */
#ifndef COMPOSITE_LATE_H
#define COMPOSITE_LATE_H

#include "schedule.h"

/* The algorithm. Users cannot choose it by name; the executor takes it instead of
 * direct-send where composite_late_applies. */
extern const composite_algorithm composite_around_late;

/* Whether direct-send had better go around problem->late: among all positions, if some
 * position is late, and finished pixels go to the root with COMPOSITE_PIXEL_BYTES.
 * Local. */
bool composite_late_applies(const composite_problem *problem);

#endif
