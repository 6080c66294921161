/* One layer, the functions of its kind, and the list of a scene's layers. */
#ifndef FRAME_LAYERS_LAYER_H
#define FRAME_LAYERS_LAYER_H

#include "frame/scene/brick_cost.h"
#include "frame/scene/work_samples.h"
#include "render/fragments/fragments.h"
#include "render/fragments/geometry.h"
#include "render/view/colors.h"

typedef struct frame_layer frame_layer;

/* How far fragments may lie beyond the bounds of the grid. */
typedef struct frame_margin {
    double length; /* in the grid's units; INFINITY: anywhere */
    int pixels;    /* and on top of that */
} frame_margin;

/* A kind of layer. Functions are collective unless they say otherwise. */
typedef struct layer_kind {
    /* Finds indices that blocks do not have; NULL: it has none. Local. */
    status (*check)(const frame_scene *scene, const frame_layer *layer);
    /* Makes layer->state. Errors: those of frame_layers_create. */
    status (*create)(frame_scene *scene, frame_layer *layer);
    /* Destroys layer->state, also half made or NULL. Local. */
    void (*destroy)(frame_layer *layer);
    /* Takes the range of its colours anew from the config; NULL: it has none. */
    status (*rescale)(frame_scene *scene, frame_layer *layer);
    /* Takes all looks anew from the config of the layer, whose data stay: colours, widths
     * of lines, light. May set layer->loaded to 0. NULL: it reads them when it draws. */
    status (*restyle)(frame_scene *scene, frame_layer *layer);
    /* Loads the data of a step. */
    status (*load)(frame_scene *scene, frame_layer *layer, int step);
    /* Prepares the layer for other bricks (frame_bricks_drawn). NULL: it draws the same
     * bricks on every rank, or reads them when it loads. */
    status (*move)(frame_scene *scene, frame_layer *layer);
    /* The work and memory of the layer for a brick; NULL: none. Local. */
    frame_brick_cost (*brick_cost)(const frame_layer *layer, const grid_layout *layout,
                                   int64_t number);
    /* Adds the layer's work samples after it was drawn; NULL: its fragments are the
     * samples. Local. */
    void (*weigh)(const frame_scene *scene, const frame_layer *layer,
                  frame_work_samples *samples);
    /*
     * The cost of a tile's fragments in the last picture, each about 1; NULL: 1. Local.
     */
    double (*cost)(const frame_layer *layer, int64_t tile);
    /* Sets layer->drawn. Local. */
    status (*draw)(const frame_scene *scene, const draw_request *request,
                   frame_layer *layer, render_counters *counters);
    /* The polygons or lines of the loaded step that this rank has, for files; those of
     * all ranks together are the layer, and each is there once. NULL: it has none. Local.
     * Errors: STATUS_MEMORY. */
    status (*geometry)(const frame_scene *scene, frame_layer *layer,
                       render_geometry *out);
    /* Whether it casts shadows: it is lit and has faces; NULL: no. The same on every
     * rank. Local. */
    bool (*casts)(const frame_layer *layer);
    /* Grows bounds around all of it that this rank has; needed with `casts`. The bounds
     * of all ranks together do not depend on their parts. Local. */
    void (*bounds)(const frame_scene *scene, const frame_layer *layer, box3 *bounds);
    /* How far its fragments may lie beyond the grid; NULL: anywhere. The bounds of images
     * follow from it, which save messages between nodes. Local. */
    frame_margin (*margin)(const frame_scene *scene, const frame_layer *layer);
    /* Whether it has a fill that may lie at the place of another layer; NULL: no.
     * Local. */
    bool (*covers)(const frame_layer *layer);
    /* Has its lines drawn apart from its fill, into layer->lines; false if it has not
     * both. NULL: it has not. Local. */
    bool (*part_lines)(frame_layer *layer);
    bool is_gate;     /* its fragments are spans, which cut the other layers */
    bool stays_whole; /* gates do not cut it */
    /* The likely reason if it shows nothing, for a warning; NULL: it lies out of view.
     * Local. */
    const char *(*why_nothing)(const frame_layer *layer);
} layer_kind;

struct frame_layer {
    const io_layer_config *config;
    char name[32];   /* "layers.2.contour" */
    char where[256]; /* "wake.yaml:12: layers.2.contour", for warnings */
    const layer_kind *kind;
    void *state; /* the kind's state */
    int loaded;  /* 1 + the step (index) whose data it has; 0: none */
    const char
        *field;       /* field or quantity of its colours, for a scalar bar; NULL: none */
    double range[2];  /* range of the colours */
    base_scale scale; /* of the colours, over the range */
    double (*points)[4]; /* [npoints]: the used part of the colour map, on the scale */
    int npoints;
    const render_fragments *drawn; /* fragments of the last picture */
    bool has_lines_apart;          /* its lines may lie over a fill that covers its own */
    const render_fragments *lines; /* if so: of the last picture */
    int64_t bare_tile;             /* one in which no other layer covered all of it */
    bool has_warned;
};

/* The layers of a scene other than the volume. */
typedef struct frame_layers {
    int count;
    frame_layer *items;                 /* [count], in the order of the config */
    int nlists;                         /* a list for each layer and for lines apart */
    const render_fragments **fragments; /* [nlists]: of the current picture */
    struct frame_costs *costs;          /* costs.h; NULL: not measured */
} frame_layers;

/* Its opacity, 0 to 1. Local. */
double frame_layer_opacity(const frame_layer *layer);

/* The cost of a layer's fragments of a tile in the last picture, in fragments of a large
 * face; 0 if there are none. Local. */
double frame_layer_cost(const frame_layer *layer, int64_t tile);

#define LAYER_DECLARE(name, word, member, keys, kind, ...) extern const layer_kind kind;
IO_LAYERS(LAYER_DECLARE)
#undef LAYER_DECLARE

/* ---- For several kinds ------------------------------------------------------------- */

/* Grows bounds around a brick. Local. */
void layer_grow_bounds(const grid_layout *layout, int64_t number, box3 *bounds);

/* layer_kind.margin of layers that lie in the grid: none. */
frame_margin layer_margin_none(const frame_scene *scene, const frame_layer *layer);

/* Adds the place of one of the layer's keys, such as "field", to the message of a
 * failure; `key` NULL: the place of the layer. Returns s. Local. */
status layer_blame(const frame_scene *scene, const frame_layer *layer, const char *key,
                   status s);

/* Makes the recipe of the field `name` of the layer's key `key`. `at_vertices`: the field
 * must be continuous. Local. Errors: STATUS_INPUT (grid_recipe_create), STATUS_MEMORY. */
status layer_find_field(const frame_scene *scene, const frame_layer *layer,
                        const char *key, const char *name, bool at_vertices,
                        grid_recipe **out);

/* Takes the range of a paint and its scale. Local. */
void layer_set_range(frame_layer *layer, const io_paint_config *paint);

/* Converts an index of a vertex along an axis, which may count from the end, to 0 to
 * n - 1. Local. Errors: STATUS_USAGE. */
status layer_resolve_index(const grid_block *block, int axis, double index, double *out);

/* The levels of a contour, from 0 on; they follow the layer's scale if they are spaced
 * evenly. Local. */
int layer_count_levels(const frame_layer *layer);
double layer_level(const frame_layer *layer, int n);

/* Makes the colour map of a paint over its range; a map that is there already is replaced
 * at its place. Also sets the layer's field, range and
 * points. Collective. Errors: STATUS_MEMORY. */
status layer_make_colors(frame_scene *scene, frame_layer *layer,
                         const io_paint_config *paint, const char *field,
                         render_colors **out);

/* The shading of a paint, with lights in the grid's coordinates. Local. */
render_shade layer_shade(const frame_scene *scene, const io_paint_config *paint);

/* Whether a layer needs a brick. */
typedef bool layer_wants(const frame_layer *layer, const grid_layout *layout,
                         int64_t number);

/* Removes bricks that the layer does not want from a list (frame/scene/bricks.h).
 * Local. */
void layer_pick_bricks(const frame_scene *scene, const frame_layer *layer,
                       layer_wants *wants, int64_t *count, int64_t *numbers);

/* Records of this rank that all ranks need. */
typedef struct layer_records {
    int64_t count;
    size_t size; /* of one, in bytes */
    const void *mine;
    const char *what; /* that they belong to, for messages */
} layer_records;

/* Gives every rank the records of all ranks, in the order of ranks. *all is malloc'ed and
 * the caller's. Collective. Errors: STATUS_MEMORY. */
status layer_share(MPI_Comm comm, const layer_records *records, int64_t *total,
                   void **all);

/* Warns if no rank has a face of a surface, and says why. mine: this rank's number of
 * them. Collective. */
void layer_warn_of_no_faces(const frame_scene *scene, frame_layer *layer, int64_t mine);

/* The limits of a threshold, and the recipe of the field that has them; NULL: a box of
 * cells alone. Borrowed from the layer. Local. */
struct render_limits;
const struct render_limits *layer_threshold_limits(const frame_layer *layer,
                                                   const grid_recipe **recipe);

/* The number of the block that a key of the layer names; -1 with a message that lists the
 * blocks if there is none. Local. */
int layer_find_block(const frame_scene *scene, const frame_layer *layer, const char *key,
                     const char *name);

#endif
