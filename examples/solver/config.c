#include "config.h"

#include "base/parallel/parallel.h"
#include "examples/solver/grid/cylinder.h"
#include "examples/solver/grid/file.h"
#include "io/config/config.h"
#include "io/config/keys/keys.h"
#include "io/config/keys/path.h"

#include <stdlib.h>
#include <string.h>

/* ---- The table of keys ---- */

static const io_key_word faces[] = {{"i_min", 0}, {"i_max", 1}, {"j_min", 2},
                                    {"j_max", 3}, {"k_min", 4}, {"k_max", 5},
                                    {NULL, 0}};

static const io_key_word kinds[] = {{"wall", SOLVER_WALL},
                                    {"slip", SOLVER_SLIP},
                                    {"farfield", SOLVER_FARFIELD},
                                    {"periodic", SOLVER_PERIODIC},
                                    {NULL, 0}};

static const io_key cylinder_keys[] = {
    {"radius", IO_KEY_NUMBER, IO_AT(solver_config, radius), IO_UP_TO(0, 1e6),
     .flags = IO_KEY_REQUIRED, .help = "radius of the cylinder"},
    {"far", IO_KEY_NUMBER, IO_AT(solver_config, far), IO_UP_TO(0, 1e9),
     .flags = IO_KEY_REQUIRED, .help = "radius of the far field"},
    {"span", IO_KEY_NUMBER, IO_AT(solver_config, span), IO_UP_TO(0, 1e6),
     .flags = IO_KEY_REQUIRED, .help = "length of the cylinder"},
    {"stretching", IO_KEY_NUMBER, IO_AT(solver_config, stretching), IO_UP_TO(0.999, 2),
     .flags = IO_KEY_REQUIRED,
     .help = "each cell is this much longer than the one inside it"},
    {"ni", IO_KEY_INT, IO_AT(solver_config, ni), IO_FROM(8), .flags = IO_KEY_REQUIRED,
     .unit = "cells", .help = "around the cylinder"},
    {"nj", IO_KEY_INT, IO_AT(solver_config, nj), IO_FROM(4), .flags = IO_KEY_REQUIRED,
     .unit = "cells", .help = "outwards"},
    {"nk", IO_KEY_INT, IO_AT(solver_config, nk), IO_FROM(1), .flags = IO_KEY_REQUIRED,
     .unit = "cells", .help = "along the span"},
    {0},
};

static const io_key boundary_keys[] = {
    {"block", IO_KEY_TEXT, IO_AT(solver_boundary_config, block), .flags = IO_KEY_REQUIRED,
     .help = "name of the block"},
    {"face", IO_KEY_CHOICE, IO_AT(solver_boundary_config, face), .words = faces,
     .flags = IO_KEY_REQUIRED, .help = "one of its faces"},
    {"kind", IO_KEY_CHOICE, IO_AT(solver_boundary_config, kind), .words = kinds,
     .flags = IO_KEY_REQUIRED, .help = "the condition"},
    {"velocity", IO_KEY_NUMBER, IO_FIXED(solver_boundary_config, velocity, 3),
     .kind = "[x, y, z]", .otherwise = "[0, 0, 0]", .help = "of a wall"},
    {0},
};

static const io_key grid_keys[] = {
    {"cylinder", IO_KEY_SECTION, .below = cylinder_keys, .otherwise = "this or `file`",
     .help = "an O-grid around a cylinder"},
    {"file", IO_KEY_PATH, IO_AT(solver_config, grid_file),
     .otherwise = "this or `cylinder`",
     .help = "an HDF5 file with `/grid/<block>/x, y, z`"},
    {"boundaries", IO_KEY_SECTION, IO_GROWN(solver_config, boundaries, nboundaries),
     .below = boundary_keys, .kind = "list",
     .help = "for a file: conditions of faces; faces without one lie on others"},
    {0},
};

static const io_key flow_keys[] = {
    {"mach", IO_KEY_NUMBER, IO_AT(solver_config, flow.mach), IO_UP_TO(1e-3, 0.7),
     .fallback = "0.2", .help = "Mach number of the free stream"},
    {"reynolds", IO_KEY_NUMBER, IO_AT(solver_config, flow.reynolds), IO_UP_TO(0, 1e12),
     .flags = IO_KEY_REQUIRED, .help = "Reynolds number, with `length`"},
    {"gamma", IO_KEY_NUMBER, IO_AT(solver_config, flow.gamma), IO_UP_TO(1, 2),
     .fallback = "1.4", .help = "ratio of specific heats"},
    {"prandtl", IO_KEY_NUMBER, IO_AT(solver_config, flow.prandtl), IO_UP_TO(0, 1e3),
     .fallback = "0.72", .help = "Prandtl number"},
    {"disturbance", IO_KEY_NUMBER, IO_AT(solver_config, disturbance), IO_UP_TO(-1, 1),
     .fallback = "0",
     .help = "velocity across the free stream, behind the body, at the start"},
    {"length", IO_KEY_NUMBER, IO_AT(solver_config, length), IO_ABOVE(0),
     .otherwise = "the cylinder's diameter; with a file 1",
     .help = "reference length of Reynolds and Strouhal number"},
    {"area", IO_KEY_NUMBER, IO_AT(solver_config, area), IO_ABOVE(0),
     .otherwise = "diameter times span; with a file 1",
     .help = "reference area of coefficients"},
    {0},
};

static const io_key time_keys[] = {
    {"cfl", IO_KEY_NUMBER, IO_AT(solver_config, cfl), IO_UP_TO(0, 1.5), .fallback = "1",
     .help = "CFL number"},
    {"end", IO_KEY_NUMBER, IO_AT(solver_config, end), IO_UP_TO(0, 1e12),
     .otherwise = "this or `steps`", .help = "time at which to stop"},
    {"steps", IO_KEY_INT, IO_AT(solver_config, steps), IO_FROM(1),
     .otherwise = "this or `end`", .help = "number of steps"},
    {0},
};

static const io_key output_keys[] = {
    {"file", IO_KEY_PATH, IO_AT(solver_config, output),
     .help = "checkpoints: the index of a series"},
    {"every", IO_KEY_INT, IO_AT(solver_config, output_every), IO_FROM(0), .fallback = "0",
     .unit = "steps", .help = "between checkpoints; 0: only at the end"},
    {"monitors", IO_KEY_PATH, IO_AT(solver_config, monitors),
     .help = "the CSV file `step,time,residual,drag,lift`"},
    {"monitor_every", IO_KEY_INT, IO_AT(solver_config, monitor_every), IO_FROM(1),
     .fallback = "10", .unit = "steps", .help = "between its lines"},
    {0},
};

const io_key solver_config_keys[] = {
    {"grid", IO_KEY_SECTION, .below = grid_keys, .flags = IO_KEY_REQUIRED,
     .example = "grid: {file: grid.h5}", .help = "a cylinder or a grid from a file"},
    {"flow", IO_KEY_SECTION, .below = flow_keys, .flags = IO_KEY_REQUIRED,
     .fallback = "{}", .help = "the gas and the free stream"},
    {"time", IO_KEY_SECTION, .below = time_keys, .flags = IO_KEY_REQUIRED,
     .fallback = "{}", .help = "steps in time"},
    {"output", IO_KEY_SECTION, .below = output_keys, .fallback = "{}",
     .help = "files that are written"},
    {"restart", IO_KEY_PATH, IO_AT(solver_config, restart),
     .help = "the checkpoint to continue from: an index (its last step) or a file of one "
             "step"},
    {"in_situ", IO_KEY_PATH, IO_AT(solver_config, insitu),
     .help = "a config of pictures to draw during the run"},
    {0},
};

/* ---- Checks ---- */

static status check_grid(io_document *d, const solver_config *c)
{
    const io_section grid = io_section_at(d, "grid");
    const bool cylinder = io_section_has(&grid, "cylinder");
    if (cylinder == (c->grid_file != NULL)) {
        return io_section_fail(&grid, NULL, "needs either cylinder or file");
    }
    if (cylinder && c->nboundaries > 0) {
        return io_section_fail(&grid, "boundaries",
                               "goes with grid.file: a cylinder has its own");
    }
    if (cylinder && c->far <= 2.0 * c->radius) {
        const io_section section = io_section_below(&grid, "cylinder");
        return io_section_fail(&section, "far",
                               "must be above twice the radius, %g, is %g",
                               2.0 * c->radius, c->far);
    }
    return STATUS_OK;
}

static status check(io_document *d, const solver_config *c)
{
    const io_section time = io_section_at(d, "time");
    if (io_section_has(&time, "end") == io_section_has(&time, "steps")) {
        return io_section_fail(&time, NULL, "needs either end or steps");
    }
    return check_grid(d, c);
}

/* ---- Reading ---- */

/* Fails if the file is a config of pictures. */
static status check_purpose(io_document *d)
{
    static const char *const of_pictures[] = {"data", "camera", "layers"};
    static const char *const of_flows[] = {"grid", "flow", "time"};
    const io_section root = io_section_root(d);
    return io_section_count(&root, 3, of_pictures) > 0 &&
                   io_section_count(&root, 3, of_flows) == 0
               ? base_fail(STATUS_USAGE,
                           "%s is a config of pictures, not of a flow: karman render %s",
                           d->path, d->path)
               : STATUS_OK;
}

/* Loads the config from a document with its overrides. */
static status load(io_document *d, solver_config *config)
{
    const io_section root = io_section_root(d);
    char *folder = io_path_folder(d->path);
    config->path = strdup(d->path);
    status s = folder && config->path ? STATUS_OK : base_fail_memory(0, "a path");
    s = s == STATUS_OK ? check_purpose(d) : s;
    s = s == STATUS_OK ? io_keys_complete(&root, solver_config_keys, false) : s;
    s = s == STATUS_OK ? io_keys_load(&root, solver_config_keys, folder, config) : s;
    free(folder);
    return s == STATUS_OK ? check(d, config) : s;
}

static status parse(const char *path, const char *text, size_t size, int noverrides,
                    const char *const *overrides, solver_config **out)
{
    io_document *d = NULL;
    solver_config *config = calloc(1, sizeof *config);
    status s = config ? io_document_parse(path, text, size, &d)
                      : base_fail_memory(sizeof *config, "the config");
    for (int o = 0; s == STATUS_OK && o < noverrides; o++) {
        s = io_document_override(d, overrides[o]);
    }
    s = s == STATUS_OK ? load(d, config) : s;
    io_document_destroy(&d);
    if (s != STATUS_OK) {
        solver_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}

/* Broadcasts rank 0's text. */
static status share_text(MPI_Comm comm, char **text, int64_t *size)
{
    parallel_bcast(size, 1, MPI_INT64_T, 0, comm);
    status s = STATUS_OK;
    if (parallel_rank(comm) != 0) {
        *text = malloc((size_t)*size + 1);
        s = *text ? STATUS_OK : base_fail_memory((size_t)*size, "a config file");
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        parallel_bcast(*text, parallel_count(*size), MPI_CHAR, 0, comm);
    }
    return s;
}

status solver_config_read(MPI_Comm comm, const char *path, int noverrides,
                          const char *const *overrides, solver_config **out)
{
    char *text = NULL;
    size_t length = 0;
    solver_config *config = NULL;
    status s = STATUS_OK;
    if (parallel_rank(comm) == 0) {
        s = io_config_read_text(path, &text, &length);
    }
    int64_t size = (int64_t)length;
    s = parallel_agree(comm, s);
    s = s == STATUS_OK ? share_text(comm, &text, &size) : s;
    if (s == STATUS_OK) {
        s = parallel_agree(
            comm, parse(path, text, (size_t)size, noverrides, overrides, &config));
    }
    free(text);
    if (s != STATUS_OK) {
        solver_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}

void solver_config_destroy(solver_config **config)
{
    if (*config) {
        io_keys_free(solver_config_keys, *config);
        free((*config)->path);
        free(*config);
        *config = NULL;
    }
}

/* ---- Values that follow from the config ---- */

double solver_config_length(const solver_config *config)
{
    double own = config->grid_file ? 1.0 : 2.0 * config->radius;
    return config->length > 0.0 ? config->length : own;
}

double solver_config_area(const solver_config *config)
{
    double own = config->grid_file ? 1.0 : 2.0 * config->radius * config->span;
    return config->area > 0.0 ? config->area : own;
}

static status set_boundary(const solver_boundary_config *b, solver_grid *grid)
{
    for (int block = 0; block < grid->nblocks; block++) {
        if (strcmp(grid->blocks[block].name, b->block) == 0) {
            solver_face *face = &grid->blocks[block].faces[b->face];
            face->kind = b->kind;
            memcpy(face->velocity, b->velocity, sizeof face->velocity);
            return STATUS_OK;
        }
    }
    return base_fail(STATUS_USAGE, "grid.boundaries: the grid has no block '%s'",
                     b->block);
}

status solver_config_grid(const solver_config *config, solver_grid **out)
{
    if (!config->grid_file) {
        const solver_cylinder cylinder = {.radius = config->radius,
                                          .far = config->far,
                                          .span = config->span,
                                          .cells = {config->ni, config->nj, config->nk},
                                          .stretching = config->stretching};
        return solver_cylinder_create(&cylinder, out);
    }
    solver_grid *grid = NULL;
    status s = solver_grid_read(config->grid_file, &grid);
    for (int b = 0; s == STATUS_OK && b < config->nboundaries; b++) {
        s = set_boundary(&config->boundaries[b], grid);
    }
    s = s == STATUS_OK ? solver_grid_join(grid) : s;
    if (s != STATUS_OK) {
        solver_grid_destroy(&grid);
        return s;
    }
    *out = grid;
    return STATUS_OK;
}
