/* One layer, what its kind must do, and the list of a scene. */
#ifndef APP_FRAME_LAYERS_LAYER_H
#define APP_FRAME_LAYERS_LAYER_H

#include "app/frame/scene/brick_cost.h"
#include "app/frame/scene/work_samples.h"
#include "render/fragments/fragments.h"
#include "render/view/colors.h"

typedef struct app_layer app_layer;

/* What a kind of layer does. Functions are collective unless they say otherwise. */
typedef struct layer_kind {
    /* Makes layer->state. Errors: those of app_layers_create. */
    status (*create)(app_scene *scene, app_layer *layer);
    /* Also of a state that is half made, or NULL. Local. */
    void (*destroy)(app_layer *layer);
    /* Loads what a step needs. */
    status (*load)(app_scene *scene, app_layer *layer, int step);
    /* Makes the layer ready for other bricks: those of app_bricks_drawn. NULL: it draws
     * the same bricks on every rank, or reads them when it loads. */
    status (*move)(app_scene *scene, app_layer *layer);
    /* What it does with a brick; NULL: nothing. Local. */
    app_brick_cost (*brick_cost)(const app_layer *layer, const grid_layout *layout,
                                 int64_t number);
    /* Adds where its work lies, once it has been drawn; NULL: where its fragments are.
     * Local. */
    void (*weigh)(const app_scene *scene, const app_layer *layer,
                  app_work_samples *samples);
    /* What the fragments of a tile took in the last picture, each of them about 1;
     * NULL: 1. Local. */
    double (*cost)(const app_layer *layer, int64_t tile);
    /* Sets layer->drawn. Local. */
    status (*draw)(app_scene *scene, app_layer *layer, render_counters *counters);
} layer_kind;

struct app_layer {
    const io_layer_config *config;
    char name[32];   /* "layers.2.contour" */
    char where[256]; /* "wake.yaml:12: layers.2.contour", for warnings */
    const layer_kind *kind;
    void *state;         /* of the kind */
    const char *field;   /* what its colours show, for a scalar bar; NULL: nothing */
    double range[2];     /* of the colours */
    double (*points)[4]; /* [npoints]: the part of the map that is used */
    int npoints;
    const render_fragments *drawn; /* of the last picture */
    bool has_warned;
};

/* The layers of a scene, beside the volume. */
typedef struct app_layers {
    int count;
    app_layer *items;                   /* [count], in the order of the config */
    const render_fragments **fragments; /* [count]: of the picture at hand */
    struct app_costs *costs;            /* costs.h; NULL: nobody asks */
} app_layers;

/* What a layer's fragments of a tile took in the last picture, in fragments of a large
 * face; 0 where there are none. Local. */
double app_layer_cost(const app_layer *layer, int64_t tile);

extern const layer_kind layer_isosurface, layer_surface, layer_outline, layer_particles;

/* ---- What several kinds need ------------------------------------------------------- */

/* How a failure of the layer reads: with the place of one of its keys, such as "field",
 * or of the layer where `key` is NULL. Returns s. Local. */
status layer_blame(const app_scene *scene, const app_layer *layer, const char *key,
                   status s);

/* How to make the field that a key of the layer names. at_vertices: it must be
 * continuous. Local. Errors: STATUS_INPUT (grid_recipe_create), STATUS_MEMORY. */
status layer_find_field(const app_scene *scene, const app_layer *layer, const char *key,
                        const char *name, bool at_vertices, grid_recipe **out);

/*
 * The colour map of a paint over its range. Fills in the layer's field, range and points,
 * too. Collective. Errors: STATUS_MEMORY.
 */
status layer_make_colors(app_scene *scene, app_layer *layer, const io_paint_config *paint,
                         const char *field, render_colors **out);

/* Light and its lights, in the grid's coordinates. Local. */
render_shade layer_shade(const app_scene *scene, const io_paint_config *paint);

/* Whether a layer needs a brick. */
typedef bool layer_wants(const app_layer *layer, const grid_layout *layout,
                         int64_t number);

/* Leaves of a list of bricks (app/frame/scene/bricks.h) those that the layer needs.
 * Local.
 */
void layer_pick_bricks(const app_scene *scene, const app_layer *layer, layer_wants *wants,
                       int64_t *count, int64_t *numbers);

/* Number of the block that a key of the layer names, or -1 with a message that lists the
 * blocks. Local. */
int layer_find_block(const app_scene *scene, const app_layer *layer, const char *key,
                     const char *name);

#endif
