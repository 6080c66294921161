/* The config file: YAML, checked against the table of keys, with --set overrides. */
#ifndef IO_CONFIG_CONFIG_H
#define IO_CONFIG_CONFIG_H

#include "base/status.h"
#include "base/vec.h"
#include "grid/recipe.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct io_field_path {
    char *name; /* of the field */
    char *path; /* of its data set; %d stands for the step, "[c]" at the end for a
                   component */
} io_field_path;

enum { IO_MOST_FILLS = 16 }; /* of data.fill, or of an attribute */

/* Ends of a span of steps that the data tells. */
enum io_step_word { IO_STEP_FIRST = -1, IO_STEP_LAST = -2 };

/* The key `data`: where the data is. Paths of data sets are NULL with karman's own
 * layout. */
typedef struct io_data_config {
    char *file; /* absolute, or relative to the working directory */
    char *grid_x, *grid_y, *grid_z, *grid_iblank;
    int nfields;
    io_field_path *fields;
    int npriority;
    char *
        *priority; /* [npriority]: names of blocks, as grid_layout_rank_blocks wants them
                    */
    grid_gas gas;
    int nfills;
    double fills[IO_MOST_FILLS]; /* [nfills]: stored values that are missing */
    /* The key steps: all, a list or a span. */
    bool all_steps;
    int nsteps;
    int64_t *steps; /* [nsteps], ascending numbers, which all must be there */
    int64_t step_first, step_last, step_stride; /* nsteps 0: numbers, both ends included,
                                                   or enum io_step_word */
} io_data_config;

/* The key `camera`. */
typedef struct io_camera_config {
    vec3 position, look_at, up;
    bool auto_position, auto_look_at, auto_up; /* found from the data; and auto_height */
    bool auto_height;
    bool orthographic; /* projection: perspective | orthographic */
    double fov;        /* perspective: full vertical angle, degrees */
    double height;     /* orthographic: height of the picture in the grid's units */
    double near, far;  /* what is drawn, along the viewing direction: 0 <= near < far,
                          which  may be INFINITY; in the grid's units */
} io_camera_config;

/* In which order cells are drawn; the picture is the same. */
typedef enum io_method {
    IO_METHOD_AUTO,    /* whichever is quicker, tile by tile */
    IO_METHOD_RAYCAST, /* ray by ray */
    IO_METHOD_PLANES   /* cell by cell */
} io_method;

/* The key `shade` of a layer: how it is lit (render/light/shade.h). */
typedef struct io_shade_config {
    bool on; /* the layer is lit; else the others mean nothing */
    double ambient, diffuse, specular;
    int shininess;
} io_shade_config;

/* A volume layer. What is left open is found from the data (app/frame/auto/auto.h). */
typedef struct io_volume_config {
    char *field;     /* NULL: open */
    bool auto_range; /* open, or the word min-max */
    double range[2]; /* lo < hi; with positions in data values and no range given, the
                        span of those positions */
    int ncolors;
    double (*colors)[4];    /* [ncolors]: position, r, g, b; names and files already
                               resolved, in data values too where positions_are_data */
    int nopacities;         /* 0: open */
    double (*opacities)[2]; /* [nopacities]: position, alpha or extinction */
    bool opacities_are_extinction; /* `extinction` was given instead of `opacity` */
    bool positions_are_data;       /* positions: data; of colours and opacity alike */
    bool auto_unit_length;         /* 1/100 of the diagonal of the grid's bounds */
    double unit_length;
    bool trilinear;   /* interpolation: trilinear */
    io_method method; /* not IO_METHOD_PLANES where trilinear or shade is set */
    io_shade_config shade;
} io_volume_config;

enum { IO_MAX_LAYERS = 64, IO_MAX_VALUES = 32, IO_MAX_SEED_LISTS = 64 };

/* Seeds of all lists of a layer together; more would be a mistake. */
enum { IO_MAX_SEEDS = 10 * 1000 * 1000 };

/* How a layer other than the volume is coloured and lit. */
typedef struct io_paint_config {
    bool has_color;  /* all of it has one colour, and the map means nothing */
    double color[3]; /* key color: r, g, b in 0..1 */
    char *field; /* key color_by: the field that colours; NULL: none. A contour without
                    color is coloured by its own field, an isosurface without both by
                    its value */
    bool auto_range; /* open, or the word min-max */
    double range[2]; /* lo < hi: the values at the positions 0 and 1 of `part` */
    double part[2];  /* key map_range: the positions of the map that lo and hi take, in
                        0..1; [0, 1] is the whole map */
    int ncolors;     /* 0 with has_color, unless both were given */
    double (*colors)[4]; /* [ncolors]: position in 0..1, r, g, b; names and files already
                            resolved */
    double nan_color[3]; /* of values that are no number */
    double opacity;      /* 0..1 */
    bool lit;
    io_shade_config shade; /* shade.on is lit */
} io_paint_config;

typedef enum io_tool_style {
    IO_STYLE_SURFACE, /* object */
    IO_STYLE_WIREFRAME,
    IO_STYLE_BOTH,    /* surface and wireframe */
    IO_STYLE_FRINGES, /* contour: coloured areas */
    IO_STYLE_LINES,
    IO_STYLE_FRINGES_AND_LINES
} io_tool_style;

/* A layer of the kind object, contour, isosurface, grid or outline. What a kind does not
 * have is zero. */
typedef struct io_tool_config {
    char *block; /* a name; NULL: all blocks */
    /* Object: the surface of a box of vertices, both ends included; where negative,
     * counted from the end of the axis: -1 is the last one. */
    bool has_box;
    int64_t from[3], to[3];
    /* Object, grid, contour: an index plane, keys i, j and k. */
    int axis;     /* 0, 1, 2; -1: no index plane */
    double index; /* of a vertex, a whole number but for contours; -1 is the last vertex,
                     -2 the one before; never between -1 and 0 */
    bool walls;   /* object: all walls */
    /* Contour: a plane in the file's coordinates; the normal has any length but 0. */
    bool has_plane;
    vec3 point, normal;
    char *field;                  /* contour, isosurface; NULL: open */
    int nvalues;                  /* isosurface; contour with explicit levels, else 0 */
    double values[IO_MAX_VALUES]; /* [nvalues], ascending */
    int nlevels;         /* contour: so many levels within the range; 0: explicit ones */
    bool bands;          /* contour: one colour between two levels, else continuous */
    io_tool_style style; /* object, contour */
    double line_width;   /* pixels, above 0 */
    bool has_line_color; /* else contour: the colour of the level with `lines`, black
                            with `both`; object: black */
    double line_color[3];
    bool smooth; /* object, contour: values and normals vary within a face */
    io_paint_config paint;
} io_tool_config;

typedef enum io_seed_kind {
    IO_SEED_POINTS,
    IO_SEED_LINE,
    IO_SEED_PLANE,
    IO_SEED_BOX,
    IO_SEED_KINDS
} io_seed_kind;

/* An entry of the key `seeds`: where particles start. */
typedef struct io_seed_config {
    io_seed_kind kind;
    char *block; /* points are grid coordinates i, j, k of this block, from 0, fractions
                    allowed; NULL: they are in the file's coordinates */
    int npoints;
    double (*points)[3]; /* [npoints]: the seeds; the ends of a line; a corner of a plane
                            and the two next to it; opposite corners of a box */
    int counts[3]; /* line: [0], plane: [0..1], box: [0..2] seeds along it, both ends
                      included (1: its middle); else 0 */
    int ncounts;   /* entries of count */
} io_seed_config;

typedef enum io_particle_mode {
    IO_PARTICLES_PATH,
    IO_PARTICLES_STREAK,
    IO_PARTICLES_STREAM
} io_particle_mode;

typedef enum io_particle_style {
    IO_PARTICLES_SPHERES,
    IO_PARTICLES_LINES,
    IO_PARTICLES_TUBES
} io_particle_style;

/* What colours particles. */
typedef enum io_particle_paint {
    IO_PAINT_CONSTANT, /* paint.color */
    IO_PAINT_AGE,      /* time since the seed */
    IO_PAINT_SEED,     /* number of the seed */
    IO_PAINT_FIELD     /* paint.field */
} io_particle_paint;

/* A layer of the kind particles. */
typedef struct io_particles_config {
    io_particle_mode mode;
    int nseeds;
    io_seed_config *seeds; /* [nseeds] lists of seeds */
    char *velocity[3];     /* names of the component fields */
    int every;        /* path, streak: inject each so many steps; 0: at the first only */
    int trail;        /* steps of the trail that are drawn; -1: all */
    int direction;    /* stream: 1 forward, -1 backward, 0 both */
    double length;    /* stream: of the longest line, in the grid's units; 0: no limit */
    int max_steps;    /* stream: of the integration */
    double tolerance; /* of a Runge-Kutta step, relative */
    io_particle_style style;
    double radius;     /* spheres, tubes: in the grid's units; 0: 1/400 of the diagonal */
    double line_width; /* lines: pixels, above 0 */
    io_particle_paint color_what;
    io_paint_config paint;
} io_particles_config;

typedef enum io_layer_kind {
    IO_LAYER_VOLUME,
    IO_LAYER_OBJECT,
    IO_LAYER_CONTOUR,
    IO_LAYER_ISOSURFACE,
    IO_LAYER_PARTICLES,
    IO_LAYER_GRID,
    IO_LAYER_OUTLINE,
    IO_LAYER_KINDS
} io_layer_kind;

/* An entry of the key `layers`: the member of its kind is set, the others are NULL. */
typedef struct io_layer_config {
    io_layer_kind kind;
    io_volume_config *volume;
    io_tool_config *tool; /* object, contour, isosurface, grid, outline */
    io_particles_config *particles;
} io_layer_config;

enum { IO_MAX_CLIPS = 16 };

/* An entry of the key `clip`, in the file's coordinates: what lies on the side that the
 * normal points to stays. The normal has any length but 0. */
typedef struct io_clip_config {
    vec3 point, normal;
} io_clip_config;

typedef enum io_bar_place {
    IO_BAR_RIGHT,
    IO_BAR_LEFT,
    IO_BAR_TOP,
    IO_BAR_BOTTOM
} io_bar_place;

/* The key `annotations`: what is written over the picture. */
typedef struct io_annotations_config {
    bool scalar_bar;
    io_bar_place bar_place;
    char *bar_title;  /* NULL: the name of the field */
    int bar_ticks;    /* how many numbers stand at the bar; 0: automatic */
    int bar_layer;    /* whose colours it shows; -1: the first layer with a colour map */
    bool axes;        /* an arrow for each axis */
    char *time_text;  /* key time, for io_config_expand_time; NULL: none */
    char *title;      /* UTF-8, or NULL */
    double font_size; /* relative to the normal one */
    bool has_color;   /* else: what stands out from the background */
    double color[3];
} io_annotations_config;

typedef enum io_light_kind {
    IO_LIGHT_HEAD,      /* headlight: at the camera */
    IO_LIGHT_DIRECTION, /* direction: parallel light, as of the sun */
    IO_LIGHT_POSITION   /* position: a point, without falloff */
} io_light_kind;

enum { IO_MAX_LIGHTS = 16 };

/* An entry of the key `lights`. */
typedef struct io_light_config {
    io_light_kind kind;
    bool headlight; /* for loading; `kind` says it */
    vec3 direction; /* where the light shines to; not 0 */
    vec3 position;  /* in the file's coordinates */
    double color[3], intensity;
} io_light_config;

/* Who draws what. */
typedef enum io_partition_kind {
    IO_PARTITION_OBJECT, /* each rank a part of space */
    IO_PARTITION_SCREEN  /* each rank a part of the picture */
} io_partition_kind;

/* What parts have about equally much of. */
typedef enum io_balance {
    IO_BALANCE_CELLS, /* object only */
    IO_BALANCE_COST,  /* estimated, then measured */
    IO_BALANCE_AREA   /* screen: pixels */
} io_balance;

/* The key `partition`. */
typedef struct io_partition_config {
    io_partition_kind kind;
    io_balance balance;
} io_partition_config;

enum { IO_MAX_FACTORS = 32 };

/* The key `composite`. */
typedef struct io_composite_config {
    char *algorithm; /* not checked against the registry here */
    int nfactors;
    int factors[IO_MAX_FACTORS];
    int group, fan_in; /* 0: not given */
} io_composite_config;

typedef struct io_output_config {
    /* Patterns for io_config_expand; relative ones lead from the working directory. */
    char *frames;     /* "out/karman_%04d.png" */
    char *floats;     /* key `float`: HDF5 files with the float image; or NULL */
    char *timings;    /* a path, no pattern; or NULL */
    bool tile_costs;  /* timings tell what tiles of the picture cost, too */
    bool warm_caches; /* pictures are drawn twice, and the second time counts */
} io_output_config;

struct io_document;

typedef struct io_config {
    char *path;                /* of the config file */
    struct io_document *given; /* the config with its overrides, without defaults */
    char *canonical; /* the config with its overrides as one line of JSON, keys sorted,
                        defaults included, for PNG text and --resume; output.* left out */
    io_data_config data;
    int width, height;
    float background[3];
    io_camera_config camera;
    int nlayers;              /* 0: the layers are open */
    io_layer_config *layers;  /* [nlayers], at most IO_MAX_LAYERS */
    io_volume_config *volume; /* borrowed from its layer; NULL: there is none */
    int nlights;
    io_light_config lights[IO_MAX_LIGHTS]; /* [nlights]; one headlight where the key is
                                              not there */
    int nclips;
    io_clip_config clips[IO_MAX_CLIPS]; /* [nclips] */
    bool has_annotations;               /* else the next one is all zero */
    io_annotations_config annotations;
    io_partition_config partition;
    int64_t memory; /* bytes that the bricks of a rank may take; 0: any */
    io_composite_config composite;
    io_output_config output;
} io_config;

/*
 * Reads a config file and applies overrides ("image.width=512",
 * "layers.0.volume.range=[0, 2]"; [noverrides]). Paths inside become relative to the
 * config file's folder. Local: one rank reads and broadcasts the text with
 * io_config_parse where many run. Errors: STATUS_INPUT (file cannot be read),
 * STATUS_USAGE with "FILE:LINE: …" for wrong YAML, unknown keys (with the nearest known
 * one), wrong types, values out of range, missing keys.
 */
status io_config_read(const char *path, int noverrides, const char *const *overrides,
                      io_config **out);

/* Only reads the file: its bytes, malloc'ed, at most 4 MiB. For the rank that broadcasts
 * them. Local. Errors: STATUS_INPUT, STATUS_USAGE (it is too long for a config),
 * STATUS_MEMORY. */
status io_config_read_text(const char *path, char **text, size_t *size);

/* The same as io_config_read from text of `size` bytes that came from `path`. */
status io_config_parse(const char *path, const char *text, size_t size, int noverrides,
                       const char *const *overrides, io_config **out);

/*
 * The same config with further overrides, as if they had been given after the others:
 * values that have been found for keys that were left open. Local. Errors: those of
 * io_config_parse.
 */
status io_config_override(const io_config *config, int noverrides,
                          const char *const *overrides, io_config **out);

/* The text of a scalar as the config gives it, at a dotted path such as
 * "layers.0.volume.range"; NULL where there is none. Borrowed. */
const char *io_config_given(const io_config *config, const char *path);

/* Writes "wake.yaml:12: layers.0.volume", where the key at a dotted path was given, and
 * the path into text of `size` bytes; of a key that was not given, the place of the
 * nearest above it. Local. */
void io_config_place(const io_config *config, const char *path, size_t size, char *text);

/* Prints a config as it was given, with its overrides, as YAML that can be read again;
 * with what each key means behind it, if `has_comments`. Local. */
void io_config_print(const io_config *config, bool has_comments, FILE *stream);

/*
 * Fails with STATUS_USAGE and a message that begins with the place at which the key at a
 * dotted path was given, as io_config_place writes it: "wake.yaml:12:
 * layers.0.volume.field: …". For what only the data can tell to be wrong. Local.
 */
status io_config_fail(const io_config *config, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Puts the place of a key before the message that is held, for a failure of a function
 * that knows no config; returns `s`. The key is the one that the message begins with,
 * such as "memory: …", else the one at `path`, which is put there, too, unless it is
 * NULL. A message that has a place stays as it is, and so does one about memory or a
 * defect of karman. Local.
 */
status io_config_blame(const io_config *config, const char *path, status s);

/*
 * The path that a pattern stands for at a step: %d becomes the step's number, %04d the
 * number with zeros in front, %% a percent sign. For output.frames and output.float,
 * instead of printf. malloc'ed; NULL where memory is short or the
 * pattern has another conversion (those of a config that was read have not). Local.
 */
char *io_config_expand(const char *pattern, int64_t step);

/* That output.frames and output.float hold the number of the step, as files of several
 * steps must. Local. Errors: STATUS_USAGE with the place. */
status io_config_check_numbered(const io_config *config);

/*
 * The text of annotations.time at a step: {step} becomes the step's number, {time} the
 * time of the solution with six digits, {time:.3f} (or e, g) with that format; {{ and }}
 * are braces. malloc'ed; NULL where memory is short or the text has another field (that
 * of a config that was read has not). Local.
 */
char *io_config_expand_time(const char *text, int64_t step, double time);

/* The key of a kind of layer, such as "contour". */
const char *io_config_kind_name(io_layer_kind kind);

void io_config_destroy(io_config **config);

#endif
