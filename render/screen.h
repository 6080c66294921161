/*
 * Screen-space partition: a k-d tree over the pixels of a picture gives each part one
 * rectangle (after Samanta, Zheng, Funkhouser, Li and Singh 1999, Load balancing for
 * multi-projector rendering systems, Graphics Hardware: the picture is halved again and
 * again where costs are equal).
 */
#ifndef RENDER_SCREEN_H
#define RENDER_SCREEN_H

#include "base/image.h"
#include "base/status.h"

#include <stdint.h>

enum {
    RENDER_SCREEN_TILE =
        16,                /* pixels along a side of the tiles that costs are known of */
    RENDER_SCREEN_STEP = 4 /* pixels: rectangles begin at multiples of it */
};

/* What the tiles of a picture cost, in any unit. */
typedef struct render_costs {
    int width, height; /* of the picture */
    int columns, rows; /* tiles that cover it */
    double *tile;      /* [rows][columns], 0 or more */
} render_costs;

/* All zero. Local. Errors: STATUS_MEMORY. */
status render_costs_create(int width, int height, render_costs *out);
void render_costs_clear(render_costs *costs);

/* Adds `cost` for each pixel of a rectangle of the picture. Local. */
void render_costs_add(render_costs *costs, pixel_rect rect, double cost);

/* The sum over a rectangle; the cost of a tile is taken as spread evenly over its pixels.
 * Local. */
double render_costs_sum(const render_costs *costs, pixel_rect rect);

/* The rectangles. */
typedef struct render_screen render_screen;

/*
 * Cuts the picture into `nparts` rectangles that cost about the same. They begin at
 * multiples of 4 pixels; together they are the picture. With more parts than there are
 * squares of 4 x 4 pixels the last parts get nothing, else every part gets something.
 * Where nothing costs anything, parts have about the same area. The same costs give the
 * same rectangles. Local. Errors: STATUS_MEMORY.
 */
status render_screen_create(const render_costs *costs, int nparts, render_screen **out);
void render_screen_destroy(render_screen **screen);

int render_screen_count(const render_screen *screen);

/* The most parts of which each gets something of a picture. */
int64_t render_screen_capacity(int width, int height);

/* The pixels of a part, 0 to count - 1; an empty rectangle is {0, 0, 0, 0}. */
pixel_rect render_screen_rect(const render_screen *screen, int part);

/* What the part that costs most costs. Local. */
double render_screen_most(const render_screen *screen, const render_costs *costs);

#endif
