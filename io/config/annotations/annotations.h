/* Texts and bars over a picture: the key `annotations` of a config. */
#ifndef IO_CONFIG_ANNOTATIONS_ANNOTATIONS_H
#define IO_CONFIG_ANNOTATIONS_ANNOTATIONS_H

#include "base/vec.h"

#include <stdbool.h>

/* A whole number that stands for something: its name and, maybe, its colour. */
typedef struct io_category_config {
    double value;
    char *name;
    bool has_color;
    double color[3]; /* r, g, b in 0..1 */
} io_category_config;

typedef enum io_bar_place {
    IO_BAR_RIGHT,
    IO_BAR_LEFT,
    IO_BAR_TOP,
    IO_BAR_BOTTOM
} io_bar_place;

/* Whether a bar has a panel of the background's colour behind it. */
typedef enum io_bar_panel {
    IO_PANEL_AUTO, /* where the scene's bounds lie behind it */
    IO_PANEL_ON,
    IO_PANEL_OFF
} io_bar_panel;

/* A scalar bar. */
typedef struct io_bar_config {
    io_bar_place place;
    char *title; /* NULL: the name of the field */
    char *unit;  /* stands behind the title in brackets; NULL: none */
    int ticks;   /* number of labels; 0: automatic */
    int layer;   /* the layer whose colours it shows; -1: the first layer with a colour
                    map */
    char format_letter; /* of numbers, as in printf: e, f or g; 0: automatic */
    int format_digits;
    io_bar_panel panel;
    char *missing; /* the label of a swatch for missing values; NULL: there is none */
} io_bar_config;

enum {
    IO_MAX_BARS = 8,
    IO_MAX_MARKS = 256,
    IO_MAX_TEXTS = 32,
    IO_MAX_PLOTS = 4,
    IO_MAX_CATEGORIES = 60
};

/* A text at a place in space, or an arrow between two places, which may have a text at
 * its tail. */
typedef struct io_mark_config {
    char *text;        /* UTF-8; NULL: an arrow without a text */
    vec3 at, from, to; /* in the file's coordinates */
    bool is_arrow;     /* from and to are given */
    bool has_color;    /* false: the colour of all annotations */
    double color[3];
    double size; /* of the text, relative to the normal one */
} io_mark_config;

/* The corners of a picture, and the middles of its upper and lower edge. */
typedef enum io_corner {
    IO_TOP_LEFT,
    IO_TOP,
    IO_TOP_RIGHT,
    IO_BOTTOM_LEFT,
    IO_BOTTOM,
    IO_BOTTOM_RIGHT
} io_corner;

/* A text at a corner of the picture. */
typedef struct io_text_config {
    char *text; /* UTF-8, lines separated by '\n' */
    io_corner place;
    double size; /* relative to the normal one */
} io_text_config;

/* An image at a corner of the picture. */
typedef struct io_logo_config {
    char *file; /* PNG; NULL: none */
    io_corner place;
    double height; /* in parts of the picture's height */
} io_logo_config;

/* A plot of fields along a line, at a corner of the picture. */
typedef struct io_plot_config {
    char *fields;  /* fields and expressions, with commas between them */
    vec3 from, to; /* in the file's coordinates */
    int count;     /* of points */
    io_corner place;
    double width, height; /* in parts of the picture's */
    char *title;          /* UTF-8, or NULL */
} io_plot_config;

/* The key `annotations`: text and symbols over the picture. */
typedef struct io_annotations_config {
    bool scalar_bar;
    io_bar_config bar; /* if scalar_bar is set */
    int nbars;
    io_bar_config *bars; /* [nbars]: further ones */
    int nmarks;
    io_mark_config *marks; /* [nmarks] */
    int ntexts;
    io_text_config *texts; /* [ntexts] */
    int nplots;
    io_plot_config *plots; /* [nplots] */
    io_logo_config logo;
    bool axes;        /* an arrow for each axis */
    char *time_text;  /* key time, for io_config_expand_time; NULL: none */
    char *title;      /* UTF-8, or NULL */
    double font_size; /* relative to the normal one */
    bool has_color;   /* false: a colour that contrasts with the background */
    double color[3];
} io_annotations_config;

#endif
