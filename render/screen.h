/* Screen-space partition for sort-first rendering: a k-d tree over the pixels of a
 * picture gives each part one rectangle. For load balancing the picture is halved
 * repeatedly, where both sides cost the same (after Samanta, Zheng, Funkhouser, Li and
 * Singh 1999, Load balancing for multi-projector rendering systems, Graphics
 * Hardware). */
#ifndef RENDER_SCREEN_H
#define RENDER_SCREEN_H

#include "base/image.h"
#include "base/status.h"

#include <stdint.h>

enum {
    RENDER_SCREEN_TILE = 16, /* pixels along a side of the tiles whose costs are known */
    RENDER_SCREEN_STEP = 4   /* pixels: rectangles begin at multiples of it */
};

/* The costs of the tiles of a picture, in any unit. */
typedef struct render_costs {
    int width, height; /* of the picture */
    int columns, rows; /* tiles that cover it */
    double *tile;      /* [rows][columns], 0 or more */
} render_costs;

/* Makes costs of zero. Local. Errors: STATUS_MEMORY. */
status render_costs_create(int width, int height, render_costs *out);
void render_costs_clear(render_costs *costs);

/* Adds `cost` for each pixel of a rectangle of the picture. Local. */
void render_costs_add(render_costs *costs, pixel_rect rect, double cost);

/* The sum over a rectangle. The cost of a tile counts as spread evenly over its pixels.
 * Local. */
double render_costs_sum(const render_costs *costs, pixel_rect rect);

/* The rectangles of all parts. */
typedef struct render_screen render_screen;

/* Cuts the picture into `nparts` rectangles of about equal cost. They begin at multiples
 * of 4 pixels, and together they cover the picture. If there are more parts than squares
 * of 4 x 4 pixels, the last parts get nothing; otherwise every part gets something. If
 * all costs are zero, parts have about equal area. The same costs give the same
 * rectangles. Local. Errors: STATUS_MEMORY. */
status render_screen_create(const render_costs *costs, int nparts, render_screen **out);
void render_screen_destroy(render_screen **screen);

/* The largest number of parts for which every part gets something of the picture. */
int64_t render_screen_capacity(int width, int height);

/* The pixels of a part, 0 to count - 1; an empty rectangle is {0, 0, 0, 0}. */
pixel_rect render_screen_rect(const render_screen *screen, int part);

/* The cost of the most expensive part. Local. */
double render_screen_most(const render_screen *screen, const render_costs *costs);

#endif
