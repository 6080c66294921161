/* The config file: YAML, checked against a schema, with --set overrides. */
#ifndef IO_CONFIG_H
#define IO_CONFIG_H

#include "base/status.h"
#include "base/vec.h"
#include "grid/recipe.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct io_field_path {
    char *name; /* of the field */
    char *path; /* of its data set; %d stands for the step, "[c]" at the end for a
                   component */
} io_field_path;

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
    bool all_steps;                             /* steps: all */
    int64_t step_first, step_last, step_stride; /* else: numbers, both ends included */
} io_data_config;

/* The key `camera`. */
typedef struct io_camera_config {
    vec3 position, look_at, up;
    bool orthographic; /* projection: perspective | orthographic */
    double fov;        /* perspective: full vertical angle, degrees */
    double height;     /* orthographic: height of the picture in the grid's units */
} io_camera_config;

/* In which order cells are drawn; the picture is the same. */
typedef enum io_method {
    IO_METHOD_AUTO,    /* whichever is quicker, tile by tile */
    IO_METHOD_RAYCAST, /* ray by ray */
    IO_METHOD_PLANES   /* cell by cell */
} io_method;

/* The key `shade` of a volume: how it is lit (render/shade.h). */
typedef struct io_shade_config {
    bool on; /* the key is there; else the others mean nothing */
    double ambient, diffuse, specular;
    int shininess;
} io_shade_config;

/* A volume layer. */
typedef struct io_volume_config {
    char *field;
    bool auto_range; /* over all steps that are drawn */
    double range[2]; /* lo < hi; with positions in data values and no range given, the
                        span of those positions */
    int ncolors;
    double (*colors)[4]; /* [ncolors]: position, r, g, b; names and files already
                            resolved, in data values too where positions_are_data */
    int nopacities;
    double (*opacities)[2];        /* [nopacities]: position, alpha or extinction */
    bool opacities_are_extinction; /* `extinction` was given instead of `opacity` */
    int nextinctions;              /* for loading, then 0 and NULL: the points of */
    double (*extinctions)[2];      /* `extinction`, which end up in opacities */
    bool positions_are_data;       /* positions: data; of colours and opacity alike */
    bool auto_unit_length;         /* 1/100 of the diagonal of the grid's bounds */
    double unit_length;
    bool trilinear;   /* interpolation: trilinear */
    io_method method; /* not IO_METHOD_PLANES where trilinear or shade is set */
    io_shade_config shade;
} io_volume_config;

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
    char *frames;  /* "out/karman_%04d.png" */
    char *floats;  /* key `float`: HDF5 files with the float image; or NULL */
    char *timings; /* a path, no pattern; or NULL */
} io_output_config;

typedef struct io_config {
    char *path;      /* of the config file */
    char *canonical; /* the config with its overrides as one line of JSON, keys sorted,
                        defaults included, for PNG text and --resume; output.* left out */
    io_data_config data;
    int width, height;
    float background[3];
    io_camera_config camera;
    int nlayers;
    io_volume_config *layers;
    int nlights;
    io_light_config lights[IO_MAX_LIGHTS]; /* [nlights]; one headlight where the key is
                                              not there */
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
 * The path that a pattern stands for at a step: %d becomes the step's number, %04d the
 * number with zeros in front, %% a percent sign. For output.frames and output.float,
 * instead of printf. malloc'ed; NULL where memory is short or the
 * pattern has another conversion (those of a config that was read have not). Local.
 */
char *io_config_expand(const char *pattern, int64_t step);

void io_config_destroy(io_config **config);

#endif
