/* karman compare: the config's own view, from which projections are made. */
#ifndef MESSAGES_COMPARE_VIEW_H
#define MESSAGES_COMPARE_VIEW_H

#include <stdbool.h>

typedef struct compare_view {
    int width, height; /* of the picture */
    bool orthographic;
    double fov;  /* perspective: full vertical angle, degrees */
    double tall; /* orthographic: height of the picture in the grid's units */
} compare_view;

/* Tangent of half the angle `fov`, in degrees: half the height of a picture at distance
 * 1. */
double compare_view_tangent(double fov);

/* Prints the config's override for a view that shows `factor` times the height, such as
 * "camera.fov=12.5". `text` has 64 bytes. */
void compare_view_setting(const compare_view *view, double factor, char text[64]);

#endif
