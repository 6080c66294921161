/*
 * The families whose members a config names. A member is one line here and one file in
 * frame, which defines the constant in the last column. For io/config that column is
 * only a name: frame declares it.
 */
#ifndef IO_CONFIG_FAMILIES_H
#define IO_CONFIG_FAMILIES_H

/*
 * Kinds of layers beside the volume: name; word in the config; member of io_layer_config
 * and table of keys (table_layers.c); layer_kind (frame/layers); meaning; a sample:
 * an entry of `layers` to begin with, in which FIELD stands for a field.
 */
#define IO_LAYERS(X)                                                                     \
    X(OBJECT, "object", tool, object_keys, layer_surface,                                \
      "surfaces of the grid: walls, index planes, parts of blocks",                      \
      "{object: {walls: true}}")                                                         \
    X(CONTOUR, "contour", tool, contour_keys, layer_surface,                             \
      "a field on an index plane or a plane in space",                                   \
      "{contour: {field: FIELD, k: 0}}")                                                 \
    X(ISOSURFACE, "isosurface", tool, isosurface_keys, layer_isosurface,                 \
      "the surfaces on which a field has given values",                                  \
      "{isosurface: {field: FIELD, value: 0, color: [0.9, 0.6, 0.2]}}")                  \
    X(PARTICLES, "particles", particles, particles_keys, layer_particles,                \
      "stream lines, path lines and streak lines",                                       \
      "{particles: {seeds: [{line: [[0, -1, 0], [0, 1, 0]], count: 20}], "               \
      "mode: stream}}")                                                                  \
    X(GRID, "grid", tool, grid_keys, layer_surface, "the lines of the grid",             \
      "{grid: {k: 0}}")                                                                  \
    X(OUTLINE, "outline", tool, outline_keys, layer_outline, "the edges of blocks",      \
      "{outline: {}}")                                                                   \
    X(THRESHOLD, "threshold", tool, io_config_threshold_keys, layer_threshold,           \
      "limits of all other layers: values of a field, or cells",                         \
      "{threshold: {field: FIELD, above: 0}}")                                           \
    X(AXES_BOX, "axes_box", tool, axes_box_keys, layer_axes_box,                         \
      "a box with numbers along x, y and z", "{axes_box: {}}")

/* What a kind is called in a config, and an entry of `layers` to begin with, in which
 * FIELD stands for a field. */
typedef struct io_layer_sample {
    const char *kind, *text;
} io_layer_sample;

/*
 * Kinds of distributions: name; word in the config (partition.kind); distribution_kind
 * (frame/distribution). Sort-last gives each rank a part of space, sort-first a part
 * of the picture.
 */
#define IO_DISTRIBUTIONS(X)                                                              \
    X(OBJECT, "object", distribution_box_kind)                                           \
    X(SCREEN, "screen", distribution_screen_kind)

#endif
