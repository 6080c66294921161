#include "config.h"

#include "app/solver/grid/cylinder.h"
#include "app/solver/grid/file.h"
#include "base/parallel/parallel.h"
#include "io/config/config.h"
#include "io/config/document/check.h"
#include "io/config/document/document.h"
#include "io/config/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What there may be ---- */

static const cyaml_schema_value_t number = {CYAML_VALUE_FLOAT(REQUIRED, double)};

static const cyaml_strval_t faces[] = {{"i_min", 0}, {"i_max", 1}, {"j_min", 2},
                                       {"j_max", 3}, {"k_min", 4}, {"k_max", 5}};

static const cyaml_strval_t kinds[] = {{"wall", SOLVER_WALL},
                                       {"slip", SOLVER_SLIP},
                                       {"farfield", SOLVER_FARFIELD},
                                       {"periodic", SOLVER_PERIODIC}};

static const cyaml_schema_field_t cylinder_fields[] = {
    CYAML_FIELD_FLOAT("radius", REQUIRED, solver_config, radius),
    CYAML_FIELD_FLOAT("far", REQUIRED, solver_config, far),
    CYAML_FIELD_FLOAT("span", REQUIRED, solver_config, span),
    CYAML_FIELD_FLOAT("stretching", REQUIRED, solver_config, stretching),
    CYAML_FIELD_INT("ni", REQUIRED, solver_config, ni),
    CYAML_FIELD_INT("nj", REQUIRED, solver_config, nj),
    CYAML_FIELD_INT("nk", REQUIRED, solver_config, nk),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t boundary_fields[] = {
    CYAML_FIELD_STRING_PTR("block", REQUIRED, solver_boundary_config, block, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_ENUM("face", CYAML_FLAG_STRICT, solver_boundary_config, face, faces,
                     CYAML_ARRAY_LEN(faces)),
    CYAML_FIELD_ENUM("kind", CYAML_FLAG_STRICT, solver_boundary_config, kind, kinds,
                     CYAML_ARRAY_LEN(kinds)),
    CYAML_FIELD_SEQUENCE_FIXED("velocity", OPTIONAL, solver_boundary_config, velocity,
                               &number, 3),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t boundary_value = {
    CYAML_VALUE_MAPPING(REQUIRED, solver_boundary_config, boundary_fields)};

static const cyaml_schema_field_t grid_fields[] = {
    FIELD_SECTION("cylinder", OPTIONAL, solver_config, cylinder_fields),
    CYAML_FIELD_STRING_PTR("file", OPTIONAL, solver_config, grid_file, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_COUNT("boundaries", OPTIONAL | CYAML_FLAG_POINTER, solver_config,
                               boundaries, nboundaries, &boundary_value, 1,
                               CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t flow_fields[] = {
    CYAML_FIELD_FLOAT("mach", REQUIRED, solver_config, flow.mach),
    CYAML_FIELD_FLOAT("reynolds", REQUIRED, solver_config, flow.reynolds),
    CYAML_FIELD_FLOAT("gamma", REQUIRED, solver_config, flow.gamma),
    CYAML_FIELD_FLOAT("prandtl", REQUIRED, solver_config, flow.prandtl),
    CYAML_FIELD_FLOAT("disturbance", REQUIRED, solver_config, disturbance),
    CYAML_FIELD_FLOAT("length", OPTIONAL, solver_config, length),
    CYAML_FIELD_FLOAT("area", OPTIONAL, solver_config, area),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t time_fields[] = {
    CYAML_FIELD_FLOAT("cfl", REQUIRED, solver_config, cfl),
    CYAML_FIELD_FLOAT("end", OPTIONAL, solver_config, end),
    CYAML_FIELD_INT("steps", OPTIONAL, solver_config, steps),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t output_fields[] = {
    CYAML_FIELD_STRING_PTR("file", OPTIONAL, solver_config, output, 1, CYAML_UNLIMITED),
    CYAML_FIELD_INT("every", REQUIRED, solver_config, output_every),
    CYAML_FIELD_STRING_PTR("monitors", OPTIONAL, solver_config, monitors, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_INT("monitor_every", REQUIRED, solver_config, monitor_every),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t config_fields[] = {
    FIELD_SECTION("grid", REQUIRED, solver_config, grid_fields),
    FIELD_SECTION("flow", REQUIRED, solver_config, flow_fields),
    FIELD_SECTION("time", REQUIRED, solver_config, time_fields),
    FIELD_SECTION("output", REQUIRED, solver_config, output_fields),
    CYAML_FIELD_STRING_PTR("restart", OPTIONAL, solver_config, restart, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("in_situ", OPTIONAL, solver_config, insitu, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t config_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, solver_config, config_fields)};

static const char defaults[] =
    "flow: {mach: 0.2, gamma: 1.4, prandtl: 0.72, disturbance: 0}\n"
    "time: {cfl: 1}\n"
    "output: {every: 0, monitor_every: 10}\n";

/* ---- What it must be like ---- */

/* Fails where the number at a dotted path is not within (lo, hi]. */
static status check_number(io_document *d, const char *path, double value, double lo,
                           double hi)
{
    if (value > lo && value <= hi) {
        return STATUS_OK;
    }
    return io_document_fail(d, io_document_find(d, path),
                            "%s is %g: it must be more than %g and at most %g", path,
                            value, lo, hi);
}

static status check_count(io_document *d, const char *path, int value, int lo)
{
    if (value >= lo) {
        return STATUS_OK;
    }
    return io_document_fail(d, io_document_find(d, path),
                            "%s is %d: it must be at least %d", path, value, lo);
}

static status check_cylinder(io_document *d, const solver_config *c)
{
    const struct {
        const char *path;
        double value, lo, hi;
    } numbers[] = {{"grid.cylinder.radius", c->radius, 0.0, 1e6},
                   {"grid.cylinder.far", c->far, 2.0 * c->radius, 1e9},
                   {"grid.cylinder.span", c->span, 0.0, 1e6},
                   {"grid.cylinder.stretching", c->stretching, 0.999, 2.0}};
    status s = STATUS_OK;
    for (size_t n = 0; s == STATUS_OK && n < sizeof numbers / sizeof numbers[0]; n++) {
        s = check_number(d, numbers[n].path, numbers[n].value, numbers[n].lo,
                         numbers[n].hi);
    }
    s = s == STATUS_OK ? check_count(d, "grid.cylinder.ni", c->ni, 8) : s;
    s = s == STATUS_OK ? check_count(d, "grid.cylinder.nj", c->nj, 4) : s;
    return s == STATUS_OK ? check_count(d, "grid.cylinder.nk", c->nk, 1) : s;
}

static status check_grid(io_document *d, const solver_config *c)
{
    bool cylinder = io_document_find(d, "grid.cylinder") != 0;
    int node = io_document_find(d, "grid");
    if (cylinder == (c->grid_file != NULL)) {
        return io_document_fail(d, node, "grid needs either cylinder or file");
    }
    if (cylinder && c->nboundaries > 0) {
        return io_document_fail(d, io_document_find(d, "grid.boundaries"),
                                "grid.boundaries goes with grid.file: a cylinder has its "
                                "own");
    }
    return cylinder ? check_cylinder(d, c) : STATUS_OK;
}

static status check_run(io_document *d, const solver_config *c)
{
    bool end = io_document_find(d, "time.end") != 0;
    bool steps = io_document_find(d, "time.steps") != 0;
    if (end == steps) {
        return io_document_fail(d, io_document_find(d, "time"),
                                "time needs either end or steps");
    }
    status s = end ? check_number(d, "time.end", c->end, 0.0, 1e12)
                   : check_count(d, "time.steps", c->steps, 1);
    s = s == STATUS_OK ? check_count(d, "output.every", c->output_every, 0) : s;
    return s == STATUS_OK ? check_count(d, "output.monitor_every", c->monitor_every, 1)
                          : s;
}

static status check(io_document *d, const solver_config *c)
{
    const struct {
        const char *path;
        double value, lo, hi;
    } numbers[] = {{"flow.mach", c->flow.mach, 1e-3, 0.7},
                   {"flow.reynolds", c->flow.reynolds, 0.0, 1e12},
                   {"flow.gamma", c->flow.gamma, 1.0, 2.0},
                   {"flow.prandtl", c->flow.prandtl, 0.0, 1e3},
                   {"flow.disturbance", c->disturbance, -1.0, 1.0},
                   {"time.cfl", c->cfl, 0.0, 1.5}};
    status s = check_grid(d, c);
    for (size_t n = 0; s == STATUS_OK && n < sizeof numbers / sizeof numbers[0]; n++) {
        s = check_number(d, numbers[n].path, numbers[n].value, numbers[n].lo,
                         numbers[n].hi);
    }
    return s == STATUS_OK ? check_run(d, c) : s;
}

/* ---- Reading ---- */

static void *allocate(void *context, void *memory, size_t size)
{
    (void)context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

static status load(io_document *document, solver_config **out)
{
    static const cyaml_config_t settings = {.mem_fn = allocate,
                                            .log_level = CYAML_LOG_ERROR};
    char *text = NULL;
    size_t size = 0;
    cyaml_data_t *loaded = NULL;
    status s = io_document_print(document, &text, &size);
    if (s != STATUS_OK) {
        return s;
    }
    cyaml_err_t error = cyaml_load_data((const uint8_t *)text, size, &settings,
                                        &config_schema, &loaded, NULL);
    free(text);
    if (error != CYAML_OK) {
        return base_fail(error == CYAML_ERR_OOM ? STATUS_MEMORY : STATUS_INTERNAL,
                         "the checked config cannot be loaded: %s",
                         cyaml_strerror(error));
    }
    *out = loaded;
    return STATUS_OK;
}

/* Makes a path that may be NULL lead from the config's folder. */
static status relocate(const char *config, char **path)
{
    const char *slash = strrchr(config, '/');
    if (!*path || **path == '/' || !slash) {
        return STATUS_OK;
    }
    size_t folder = (size_t)(slash - config) + 1;
    size_t size = folder + strlen(*path) + 1;
    char *joined = malloc(size);
    if (!joined) {
        return base_fail_memory(size, "a path");
    }
    snprintf(joined, size, "%.*s%s", (int)folder, config, *path);
    free(*path);
    *path = joined;
    return STATUS_OK;
}

static status relocate_all(const char *path, solver_config *c)
{
    char **paths[] = {&c->grid_file, &c->output, &c->monitors, &c->restart, &c->insitu};
    status s = STATUS_OK;
    for (size_t p = 0; s == STATUS_OK && p < sizeof paths / sizeof paths[0]; p++) {
        s = relocate(path, paths[p]);
    }
    c->path = strdup(path);
    return s == STATUS_OK && !c->path ? base_fail_memory(0, "a path") : s;
}

static status parse(const char *path, const char *text, size_t size, int noverrides,
                    const char *const *overrides, solver_config **out)
{
    io_document *d = NULL;
    solver_config *config = NULL;
    status s = io_document_parse(path, text, size, &d);
    for (int o = 0; s == STATUS_OK && o < noverrides; o++) {
        s = io_document_override(d, overrides[o]);
    }
    s = s == STATUS_OK ? io_document_complete(d, IO_DOCUMENT_ROOT, defaults) : s;
    s = s == STATUS_OK ? io_document_check(d, &config_schema) : s;
    s = s == STATUS_OK ? load(d, &config) : s;
    s = s == STATUS_OK ? check(d, config) : s;
    s = s == STATUS_OK ? relocate_all(path, config) : s;
    io_document_destroy(&d);
    if (s != STATUS_OK) {
        solver_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}

/* Gives rank 0's text to all. */
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
    solver_config *c = *config;
    if (c) {
        for (unsigned b = 0; b < c->nboundaries; b++) {
            free(c->boundaries[b].block);
        }
        free(c->boundaries);
        free(c->path);
        free(c->grid_file);
        free(c->output);
        free(c->monitors);
        free(c->restart);
        free(c->insitu);
        free(c);
        *config = NULL;
    }
}

/* ---- What follows from it ---- */

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
    for (unsigned b = 0; s == STATUS_OK && b < config->nboundaries; b++) {
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
