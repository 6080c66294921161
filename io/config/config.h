/* The config file: YAML, checked against the table of keys, with --set overrides. */
#ifndef IO_CONFIG_CONFIG_H
#define IO_CONFIG_CONFIG_H

#include "annotations/annotations.h"
#include "base/scale/scale.h"
#include "base/status.h"
#include "base/vec.h"
#include "camera.h"
#include "families.h"
#include "grid/recipe.h"
#include "lighting.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct io_field_path {
    char *name; /* of the field */
    char *path; /* of its data set: %d stands for the step, %s for the block, brackets at
                   the end for axes that are not those of the grid (io_axes) */
} io_field_path;

enum { IO_MOST_AXES = 3, IO_AXIS_STEP = -1 };

/*
 * The axes of a data set beside those of the grid, as brackets at the end of its path
 * name them:
 *
 *     /v[2]           component 2, along the last axis or, if the shape says so, the
 * first /v[2,:]         component 2 along the first axis /v[:,2]         component 2
 * along the last axis /u[step]        the step along the first axis /v[step][2]     both
 *     /v[step,2,:]    both, first
 */
typedef struct io_axes {
    int component;           /* without a given place; -1: none */
    int nlead, ntrail;       /* axes before and after those of the grid */
    int lead[IO_MOST_AXES];  /* [nlead]: a fixed index, or IO_AXIS_STEP */
    int trail[IO_MOST_AXES]; /* [ntrail] */
} io_axes;

/* Reads the brackets at the end of a path; *length: bytes before them. False if they mean
 * nothing. Local. */
bool io_axes_parse(const char *path, size_t *length, io_axes *out);
bool io_axes_have_step(const io_axes *axes);

enum { IO_MOST_FILLS = 16 }; /* of data.fill, or of an attribute */

/* The key `data.plot3d`: the files beside the grid, and forms that are not to be found.
 * Value 0 of each enum is `auto`. */
typedef enum io_plot3d_order { IO_PLOT3D_LITTLE = 1, IO_PLOT3D_BIG } io_plot3d_order;
typedef enum io_plot3d_records {
    IO_PLOT3D_FORTRAN = 1,
    IO_PLOT3D_PLAIN,
    IO_PLOT3D_TEXT
} io_plot3d_records;
typedef enum io_plot3d_precision {
    IO_PLOT3D_FLOAT32 = 1,
    IO_PLOT3D_FLOAT64
} io_plot3d_precision;
typedef enum io_plot3d_iblank { IO_PLOT3D_YES = 1, IO_PLOT3D_NO } io_plot3d_iblank;
typedef enum io_plot3d_blocks { IO_PLOT3D_ONE = 1, IO_PLOT3D_SEVERAL } io_plot3d_blocks;

typedef struct io_plot3d_config {
    char *q, *function, *names; /* paths, those of q and function with %d; NULL: found */
    io_plot3d_order byte_order;
    io_plot3d_records records;
    io_plot3d_precision precision;
    io_plot3d_iblank iblank;
    io_plot3d_blocks blocks;
} io_plot3d_config;

typedef enum io_grid_motion { IO_GRID_MOVES = 1, IO_GRID_STAYS } io_grid_motion;

/* The key `data.other`: data on the same grid, for other() of expressions. */
typedef struct io_other_config {
    char *file;   /* NULL: that of `data` */
    int64_t step; /* for all steps; -1: the one of the same number or time */
} io_other_config;

/* Ends of a range of steps that depend on the data. */
enum io_step_word { IO_STEP_FIRST = -1, IO_STEP_LAST = -2 };

/* The key `data`. Paths of data sets are NULL for karman's own layout. */
typedef struct io_data_config {
    char *file; /* the first of `files`; absolute, or relative to the working directory */
    int nfiles; /* of a list; 0 and 1: `file` is all: a file, a folder or a pattern */
    char **files;    /* [nfiles] */
    char *grid_file; /* of the coordinates; NULL: the same */
    bool is_fortran; /* HDF5 shows the axes of arrays as [ni][nj][nk] */
    char *time;      /* data set of the times; NULL: the attribute `time` */
    char *grid_x, *grid_y, *grid_z, *grid_iblank;
    io_grid_motion grid_motion; /* of a series of files; 0: found from them */
    int closed;                 /* of rings: 1, 2, 3: i, j, k; 0: found; -1: none */
    int ntransforms, ncopies, nfields, nfills;
    grid_transform *transforms; /* [ntransforms] */
    grid_copies *copies;        /* [ncopies]: copies of copies, one after the other */
    io_field_path *fields;
    io_plot3d_config *plot3d; /* NULL: not given */
    char *base;               /* of a CGNS file; NULL: the first with structured zones */
    io_other_config *other;   /* NULL: not given */
    int npriority;
    char **priority; /* [npriority]: names of blocks, for grid_layout_rank_blocks */
    grid_terms terms;
    double fills[IO_MOST_FILLS]; /* [nfills]: stored values that mean "missing" */
    bool all_steps;              /* the key steps: all, a list or a range */
    int nsteps;
    int64_t *steps; /* [nsteps]: ascending numbers, all of which must exist */
    int64_t step_first, step_last, step_stride; /* both ends; or io_step_word */
} io_data_config;

/* Order in which cells are drawn: the faster one for each tile, ray by ray, cell by cell.
 * The picture does not depend on it. */
typedef enum io_method { IO_METHOD_AUTO, IO_METHOD_RAYCAST, IO_METHOD_PLANES } io_method;

/* How a field varies within a cell. */
typedef enum io_interpolation {
    IO_INTERPOLATION_AUTO, /* quadratic; trilinear with sharp transfer functions */
    IO_LINEAR,
    IO_QUADRATIC,
    IO_TRILINEAR
} io_interpolation;

/* The key `shade` of a layer: its lighting (render/light/shade.h). */
typedef struct io_shade_config {
    bool on; /* the layer is lit; if false, the others are unused */
    double ambient, diffuse, specular;
    int shininess;
    bool is_even; /* of a volume: light does not follow the gradient */
} io_shade_config;

/* A volume layer. Open values are found from the data (frame/auto/auto.h). */
typedef struct io_volume_config {
    char *field;     /* NULL: open */
    bool auto_range; /* true for an open range, or for a word */
    double range[2]; /* lo < hi; the span of the positions if they are data values and no
                        range is given */
    base_scale_kind scale; /* how the range spreads over positions 0 to 1 */
    double threshold;      /* of a symlog scale; 0: base_scale_make chooses */
    int ncolors;
    double (*colors)[4];    /* [ncolors]: position, r, g, b; names and files already
                               resolved, in data values if positions_are_data is set */
    int nopacities;         /* 0: open */
    double (*opacities)[2]; /* [nopacities]: position, alpha or extinction */
    bool opacities_are_extinction; /* `extinction` was given instead of `opacity` */
    int ngradients;
    double (*gradients)[2]; /* [ngradients]: opacity_by_gradient: magnitude, factor of the
                               extinction */
    bool positions_are_data; /* positions of colours and opacity are data values */
    bool auto_unit_length; /* unit_length is 1/100 of the diagonal of the grid's bounds */
    double unit_length;
    io_interpolation interpolation;
    io_method method; /* not IO_METHOD_PLANES with IO_TRILINEAR or shade */
    io_shade_config shade;
} io_volume_config;

enum { IO_MAX_LAYERS = 64, IO_MAX_VALUES = 32, IO_MAX_SEED_LISTS = 64 };

/* Most seeds in all lists of a layer; more are considered a mistake. */
enum { IO_MAX_SEEDS = 10 * 1000 * 1000 };

/* Colours and lighting of a layer other than a volume. */
typedef struct io_paint_config {
    bool has_color;  /* the whole layer has one colour; the map is unused */
    double color[3]; /* key color: r, g, b in 0..1 */
    char *field; /* key color_by: the field for the colours; NULL: none. A contour without
                    color uses its own field, an isosurface without both uses its value */
    bool auto_range;       /* true for an open range, or for a word */
    double range[2];       /* lo < hi: the values at the positions 0 and 1 of `part` */
    base_scale_kind scale; /* as of a volume */
    double threshold;
    double part[2]; /* key map_range: the positions of the map for lo and hi, in 0..1; [0,
                       1] is the whole map */
    int ncolors;    /* 0 with has_color, unless both keys were given */
    double (*colors)[4]; /* [ncolors]: position in 0..1, r, g, b; names and files already
                            resolved */
    int neven; /* colours, before any conversion, if at equal distances; else 0 */
    double nan_color[3];       /* of NaN values */
    bool has_below, has_above; /* values beyond the range have colours of their own */
    double below_color[3], above_color[3];
    int ncategories;
    io_category_config *categories; /* [ncategories]; whole numbers that ascend */
    double opacity;                 /* 0..1 */
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

/* Line integral convolution, key lic. */
typedef struct io_lic_config {
    char *velocity[3]; /* names of the component fields */
    double length;     /* of the lines, in pixels */
    double contrast;   /* 0..1 */
} io_lic_config;

/* A layer of the kind object, contour, isosurface, grid or outline. Members that a kind
 * lacks are zero. */
/* Auto is replaced by the marked ones, or by faces at which the fluid is at rest. */
typedef enum io_walls { IO_WALLS_NONE, IO_WALLS_MARKED, IO_WALLS_AUTO } io_walls;

typedef struct io_tool_config {
    char *block; /* a name; NULL: all blocks */
    /* Object: the surface of a box of vertices, both ends included. Negative indices
     * count from the end of the axis: -1 is the last vertex. */
    bool has_box;
    int64_t from[3], to[3];
    /* Object, grid, contour: an index plane, keys i, j and k. */
    int axis;       /* 0, 1, 2; -1: no index plane */
    double index;   /* of a vertex, an integer except for contours; -1 is the last vertex,
                       -2 the one before; never between -1 and 0 */
    io_walls walls; /* object: all walls */
    char *family, *bc; /* object: of boundary conditions; NULL: of any */
    /* Contour: a plane in the file's coordinates; the normal has any length but 0. */
    bool has_plane;
    vec3 point, normal;
    char *field;                  /* contour, isosurface; NULL: open */
    int nvalues;                  /* isosurface; contour with explicit levels, else 0 */
    double values[IO_MAX_VALUES]; /* [nvalues], ascending */
    int nlevels; /* contour: number of levels within the range; 0: explicit levels */
    bool bands;  /* contour: one colour between two levels, else continuous */
    io_tool_style style; /* object, contour */
    double line_width;   /* pixels, above 0 */
    int every;           /* object, grid: every n-th line; 0: as many as have room */
    bool has_bounds;     /* axes box; false: those of the grid */
    vec3 bounds[2];      /* its lower and upper corner */
    char *titles[3];     /* of x, y and z; all NULL: the letters */
    int ticks;           /* most numbers along an axis; 0: as many as are legible */
    bool has_grid;       /* lines across its faces at the numbers */
    bool has_line_color; /* false: a contour's lines take the colour of their level with
                            `lines`, black with `both`; an object's are black */
    double line_color[3];
    bool smooth;        /* object, contour: values and normals vary within a face */
    io_lic_config *lic; /* object, contour; NULL: none */
    io_limits_config limits;
    io_paint_config paint;
} io_tool_config;

typedef enum io_seed_kind {
    IO_SEED_POINTS,
    IO_SEED_LINE,
    IO_SEED_PLANE,
    IO_SEED_BOX,
    IO_SEED_KINDS
} io_seed_kind;

/* An entry of the key `seeds`: starting points of particles. */
typedef struct io_seed_config {
    io_seed_kind kind;
    char *block; /* points are grid coordinates i, j, k of this block, from 0, fractions
                    allowed; NULL: points are in the file's coordinates */
    int npoints;
    double (*points)[3]; /* [npoints]: the seeds; the ends of a line; a corner of a plane
                            and its two neighbours; opposite corners of a box */
    int counts[3]; /* number of seeds along a line [0], a plane [0..1] or a box [0..2],
                      both ends included (1: the middle); else 0 */
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
    IO_PARTICLES_TUBES,
    IO_PARTICLES_ARROWS /* tubes with a head at their end */
} io_particle_style;

/* Source of the colours of particles. */
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
    bool auto_seeds;       /* found from the data */
    io_seed_config *seeds; /* [nseeds] lists of seeds */
    char *velocity[3];     /* names of the component fields */
    int every; /* path, streak: steps from one release to the next; 0: at the first step
                  only */
    int trail; /* number of steps of the trail to draw; -1: all */
    int direction; /* stream: 1 forward, -1 backward, 0 both */
    double
        length; /* stream: largest length of a line, in the grid's units; 0: no limit */
    double duration;  /* stream: longest time along a line; 0: no limit */
    int max_steps;    /* stream: largest number of integration steps */
    double tolerance; /* of a Runge-Kutta step, relative */
    io_particle_style style;
    double radius;     /* spheres, tubes: in the grid's units; 0: 1/400 of the diagonal */
    double line_width; /* lines: pixels, above 0 */
    io_particle_paint color_what;
    io_paint_config paint;
} io_particles_config;

/* IO_LAYER_VOLUME, IO_LAYER_OBJECT and so on. */
#define IO_LAYER_NAME(name, ...) IO_LAYER_##name,
typedef enum io_layer_kind {
    IO_LAYER_VOLUME,
    IO_LAYERS(IO_LAYER_NAME) IO_LAYER_KINDS
} io_layer_kind;
#undef IO_LAYER_NAME

/* [IO_LAYER_KINDS]. Local. */
const io_layer_sample *io_config_layer_samples(void);

/* An entry of the key `layers`. The member of its kind is set, the others are NULL. */
typedef struct io_layer_config {
    io_layer_kind kind;
    bool shown; /* false: checked, but neither loaded nor drawn */
    bool whole; /* thresholds do not cut it */
    io_volume_config *volume;
    io_tool_config *tool; /* object, contour, isosurface, grid, outline */
    io_particles_config *particles;
} io_layer_config;

/* Domain decomposition: the work of a rank. */
#define IO_PARTITION_NAME(name, ...) IO_PARTITION_##name,
typedef enum io_partition_kind {
    IO_DISTRIBUTIONS(IO_PARTITION_NAME) IO_PARTITION_KINDS
} io_partition_kind;
#undef IO_PARTITION_NAME

/* The quantity that load balancing makes about equal. */
typedef enum io_balance {
    IO_BALANCE_CELLS, /* object only */
    IO_BALANCE_COST,  /* estimated, later measured */
    IO_BALANCE_AREA   /* screen: pixels */
} io_balance;

/* The key `partition`. */
typedef struct io_partition_config {
    io_partition_kind kind;
    io_balance balance;
} io_partition_config;

enum { IO_MAX_FACTORS = 32 };

/* The form of messages that carry pixels. */
typedef enum io_encoding { IO_ENCODING_AUTO, IO_ENCODING_RAW } io_encoding;

/* The key `composite`. */
typedef struct io_composite_config {
    char *algorithm; /* not checked against the registry here */
    int nfactors;
    int factors[IO_MAX_FACTORS];
    int group, fan_in; /* 0: not given */
    bool by_nodes;     /* ranks of a node merge first */
    int segment;       /* most pixels of a message; 0: not given */
    io_encoding encoding;
    char *tuning; /* tuning file; NULL: the usual places */
} io_composite_config;

enum { IO_SAMPLES_ADAPTIVE = 0 };

/* The weight of places around the centre of a pixel. */
typedef enum io_filter { IO_FILTER_BOX, IO_FILTER_TENT } io_filter;

typedef struct io_output_config {
    /* Patterns for io_config_expand. Relative paths start at the working directory. */
    char *frames;     /* "out/karman_%04d.png"; NULL: no PNG files */
    char *floats;     /* key `float`: HDF5 files with the float image; or NULL */
    char *figure;     /* PDF or SVG files with annotations as curves; or NULL */
    char *extracts;   /* files of VTK or CSV with the geometry of layers; or NULL */
    char *movie;      /* a path, no pattern: a film of all frames; or NULL */
    char *cinema;     /* the folder of a Cinema database; or NULL */
    char *timings;    /* a path, no pattern; or NULL */
    bool tile_costs;  /* the timings file includes costs of the tiles */
    bool warm_caches; /* each picture is drawn twice, and the second time is measured */
} io_output_config;

/* Sets of defaults for colours and lines. */
typedef enum io_look {
    IO_LOOK_NONE,
    IO_LOOK_PAPER,
    IO_LOOK_SCREEN,
    IO_LOOK_DARK
} io_look;

struct io_document;

typedef struct io_config {
    char *path;                /* of the config file */
    struct io_document *given; /* the config with its overrides, without defaults */
    char *canonical; /* the config with its overrides as one line of JSON, keys sorted,
                        defaults included, for PNG text and --resume; without output.* and
                        the keys of films */
    io_data_config data;
    io_look look;        /* its keys are in place (io_config_apply_look) */
    int width, height;   /* pixels, with the scale */
    double scale;        /* of width, height and widths of lines, which have it */
    bool is_transparent; /* `background: none`; the colour below is then black */
    float background[3];
    int samples; /* of a pixel, or IO_SAMPLES_ADAPTIVE */
    io_filter filter;
    bool is_deep;   /* 16 bits a channel */
    bool is_linear; /* `color: linear`: all colours of the config are linear in light
                       (io_config_linearise), and so are images; else as displayed */
    double dpi;     /* pixels per inch in print; 0: not told */
    io_camera_config camera;
    io_film_config film;
    char *keys;     /* keys over frames, as JSON: {"camera.zoom": [[0, 1], [50, 3]]};
                       NULL: none */
    char *pictures; /* the key `pictures`, as JSON: [{"name": "front", "camera": ...}];
                       NULL: one */
    int nlayers;    /* 0: the layers are open */
    io_layer_config *layers;  /* [nlayers], at most IO_MAX_LAYERS */
    io_volume_config *volume; /* borrowed from its layer; NULL: there is no volume, or it
                                 is not shown */
    int nlights;
    io_light_config
        lights[IO_MAX_LIGHTS]; /* [nlights]; one headlight if the key is missing */
    io_lighting_config lighting;
    int nclips;
    io_clip_config clips[IO_MAX_CLIPS]; /* [nclips] */
    bool has_annotations;               /* false: annotations are all zero */
    io_annotations_config annotations;
    io_partition_config partition;
    int64_t memory; /* most bytes for the bricks of a rank; 0: no limit */
    io_composite_config composite;
    io_output_config output;
} io_config;

/* The first line of a config that the program has made: messages name no lines. */
#define IO_CONFIG_MADE "# made\n"

/* Only reads the file: its bytes, malloc'ed, at most 4 MiB, for the rank that broadcasts
 * them. Local. Errors: STATUS_INPUT, STATUS_USAGE (too long for a config),
 * STATUS_MEMORY. */
status io_config_read_text(const char *path, char **text, size_t *size);

/*
 * Makes a config from text of `size` bytes that was read from `path`, and applies
 * overrides ("image.width=512", "layers.0.volume.range=[0, 2]", or "--view
 * top\vcamera.view=top" if that was typed; [noverrides]). Relative paths in it start at
 * the config file's folder. Local. Errors: STATUS_USAGE with "FILE:LINE: …" for wrong
 * YAML, unknown keys (with the nearest known one), wrong types, values out of range,
 * missing keys.
 */
status io_config_parse(const char *path, const char *text, size_t size, int noverrides,
                       const char *const *overrides, io_config **out);

#define IO_CONFIG_FOUND "found by karman" /* the place of layers that it found */
/* The same config with further overrides, applied after the earlier ones: values that
 * were found for open keys. Local. Errors: those of io_config_parse. */
status io_config_override(const io_config *config, int noverrides,
                          const char *const *overrides, io_config **out);

/*
 * The same config with changes by orders to a running program. A change is
 * "layers.1.shown=false", or a fragment in YAML such as "camera: {fov: 20}". Mappings of
 * a fragment go over those of the config key by key; lists and entries of lists are
 * replaced as a whole. null removes a key or an entry of a list, and the index + adds
 * one. Only keys that are steerable may change. The result is checked like any config.
 * above: the key of the config at which the fragments stand, for messages, such as
 * "pictures.0"; NULL: none. [count] texts. Local. Errors: those of io_config_parse.
 */
status io_config_change(const io_config *config, const char *above, int count,
                        const char *const *changes, io_config **out);

/* The pattern of the pictures' names: output.frames, or else that of figures or floats.
 * Borrowed. */
const char *io_config_pictures(const io_config *config);

/* What was given at a dotted path, as JSON; malloc'ed, or NULL. */
char *io_config_given_json(const io_config *config, const char *path);

/* The text of a scalar in the config, at a dotted path such as "layers.0.volume.range";
 * NULL if it was not given. Borrowed. */
const char *io_config_given(const io_config *config, const char *path);

/* The n-th override of layers that are yet to be found; NULL: none. Borrowed. */
const char *io_config_later(const io_config *config, int n);

/* Writes the place of the key at a dotted path, and the path, into text of `size` bytes:
 * "wake.yaml:12: layers.0.volume". For a key that was not given, uses the place of its
 * nearest given ancestor. Local. */
void io_config_place(const io_config *config, const char *path, size_t size, char *text);

/* Prints the given config, with its overrides, as YAML that can be read again.
 * has_comments: adds the meaning of each key as a comment. Local. */
void io_config_print(const io_config *config, bool has_comments, FILE *stream);

/*
 * Fails with STATUS_USAGE and a message that begins with the place of the key at a dotted
 * path, as io_config_place writes it: "wake.yaml:12: layers.0.volume.field: …". For
 * errors that are found only from the data. Local.
 */
status io_config_fail(const io_config *config, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Puts the place of a key before the recorded message of a function that has no config;
 * returns `s`. The key is the one at the beginning of the message, such as "memory: …".
 * If there is none, it is the key at `path`, which is added to the message; `path` may be
 * NULL. A message with a place stays unchanged, as does a message about lack of memory or
 * a defect of karman. Local.
 */
status io_config_blame(const io_config *config, const char *path, status s);

/*
 * Expands a pattern for a step: %d becomes the step's number, %04d the number with
 * leading zeros, %% a percent sign. Used instead of printf for output.frames,
 * output.float and output.figure. malloc'ed; NULL if memory is short or the pattern has
 * another conversion (patterns of a config that was read have none). Local.
 */
char *io_config_expand(const char *pattern, int64_t step);

/* Checks that output.frames, output.float and output.figure contain the number of the
 * step, as they must for several steps. Local. Errors: STATUS_USAGE with the place. */
status io_config_check_numbered(const io_config *config);

/*
 * The text of annotations.time at a step. {step} becomes the step's number, {time} the
 * time of the solution with six digits, {time:.3f} (or e, g) the time with that format.
 * {{ and }} are braces. The result is malloc'ed; NULL if memory is short or the text has
 * another field (texts of a config that was read have none). Local.
 */
char *io_config_expand_time(const char *text, int64_t step, double time);

/* Whether rank 0 needs the whole picture as floats: for files of them and for figures. */
bool io_config_wants_floats(const io_config *config);

/* Whether each step has a range of its own, for a layer: `range: step`. */
bool io_config_range_is_of_step(const io_config *config, int layer);

/* Whether that holds for any layer that is shown. */
bool io_config_has_step_ranges(const io_config *config);

/* The number of layers that are shown. */
int io_config_shown(const io_config *config);

/* The background as it is displayed. Local. */
void io_config_background(const io_config *config, float rgb[3]);

/* The key of a kind of layer, such as "contour". */
const char *io_config_kind_name(io_layer_kind kind);

void io_config_destroy(io_config **config);

#endif
