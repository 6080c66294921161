#include "config.h"

#include "failure.h"
#include "grid/cylinder.h"
#include "grid/file.h"
#include "lines.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table of keys ---- */

/* Types of values, and of their members. */
typedef enum key_type {
    NUMBER, /* double: above `low` and at most `high` */
    WHOLE,  /* int: at least `low` */
    VECTOR, /* double[3] */
    TEXT,   /* char * */
    PATH,   /* char *: relative to the folder of the config */
    CHOICE  /* int, or an enum: the number of the word, counted from `low` */
} key_type;

typedef struct config_key {
    const char *path; /* # is an index */
    key_type type;
    size_t offset; /* of the member, of a config or of a boundary */
    double low, high;
    const char *unit;      /* of a whole number; the words of a choice; or NULL */
    const char *otherwise; /* "required", in a section that is given; the number that is
                              the default; or words */
    const char *help;
} config_key;

#define AT(member)      offsetof(solver_config, member)
#define OF_FACE(member) offsetof(solver_boundary_config, member)
#define CYLINDER        "grid.cylinder."
#define BOUNDARIES      "grid.boundaries."
#define BOUNDARY        BOUNDARIES "#."
#define REQUIRED        "required"

/* clang-format off */
static const config_key keys[] = {
    {CYLINDER "radius", NUMBER, AT(radius), 0, 1e6, NULL, REQUIRED,
     "radius of the cylinder"},
    {CYLINDER "far", NUMBER, AT(far), 0, 1e9, NULL, REQUIRED,
     "radius of the far field"},
    {CYLINDER "span", NUMBER, AT(span), 0, 1e6, NULL, REQUIRED,
     "length of the cylinder"},
    {CYLINDER "stretching", NUMBER, AT(stretching), 0.999, 2, NULL, REQUIRED,
     "each cell is this much longer than the one inside it"},
    {CYLINDER "ni", WHOLE, AT(ni), 8, 0, "cells", REQUIRED,
     "around the cylinder"},
    {CYLINDER "nj", WHOLE, AT(nj), 4, 0, "cells", REQUIRED, "outwards"},
    {CYLINDER "nk", WHOLE, AT(nk), 1, 0, "cells", REQUIRED, "along the span"},
    {"grid.file", PATH, AT(grid_file), 0, 0, NULL, "this or `cylinder`",
     "an HDF5 file with `/grid/<block>/x, y, z`"},
    {BOUNDARY "block", TEXT, OF_FACE(block), 0, 0, NULL, REQUIRED,
     "name of the block"},
    {BOUNDARY "face", CHOICE, OF_FACE(face), 0, 0,
     "`i_min`, `i_max`, `j_min`, `j_max`, `k_min`, `k_max`", REQUIRED, "one of its faces"},
    {BOUNDARY "kind", CHOICE, OF_FACE(kind), SOLVER_WALL, 0,
     "`wall`, `slip`, `farfield`, `periodic`", REQUIRED, "the condition"},
    {BOUNDARY "velocity", VECTOR, OF_FACE(velocity), -INFINITY, INFINITY,
     NULL, "[0, 0, 0]", "of a wall"},
    {"flow.mach", NUMBER, AT(flow.mach), 1e-3, 0.7, NULL, "0.2",
     "Mach number of the free stream"},
    {"flow.reynolds", NUMBER, AT(flow.reynolds), 0, 1e12, NULL, REQUIRED,
     "Reynolds number, with `length`"},
    {"flow.gamma", NUMBER, AT(flow.gamma), 1, 2, NULL, "1.4",
     "ratio of specific heats"},
    {"flow.prandtl", NUMBER, AT(flow.prandtl), 0, 1e3, NULL, "0.72",
     "Prandtl number"},
    {"flow.disturbance", NUMBER, AT(disturbance), -1, 1, NULL, "0",
     "velocity across the free stream, behind the body, at the start"},
    {"flow.length", NUMBER, AT(length), 0, INFINITY, NULL,
     "the cylinder's diameter; with a file 1",
     "reference length of Reynolds and Strouhal number"},
    {"flow.area", NUMBER, AT(area), 0, INFINITY, NULL,
     "diameter times span; with a file 1", "reference area of coefficients"},
    {"time.cfl", NUMBER, AT(cfl), 0, 1.5, NULL, "1", "CFL number"},
    {"time.end", NUMBER, AT(end), 0, 1e12, NULL, "this or `steps`",
     "time at which to stop"},
    {"time.steps", WHOLE, AT(steps), 1, 0, NULL, "this or `end`",
     "number of steps"},
    {"output.file", PATH, AT(output), 0, 0, NULL, "none",
     "checkpoints: the index of a series"},
    {"output.every", WHOLE, AT(output_every), 0, 0, "steps", "0",
     "between checkpoints; 0: only at the end"},
    {"output.monitors", PATH, AT(monitors), 0, 0, NULL, "none",
     "the CSV file `step,time,residual,drag,lift`"},
    {"output.monitor_every", WHOLE, AT(monitor_every), 1, 0, "steps", "10",
     "between its lines"},
    {"restart", PATH, AT(restart), 0, 0, NULL, "none",
     "the checkpoint to continue from: an index (its last step) or a file of one step"},
    {"in_situ", PATH, AT(insitu), 0, 0, NULL, "none",
     "a config of pictures to draw during the run"},
};
/* clang-format on */

enum { KEYS = sizeof keys / sizeof keys[0], TEXT_SIZE = 256 };

/* The type of a key in words, and its range; behind it the range. */
static const char *print_type(const config_key *key, char text[TEXT_SIZE])
{
    static const char *const names[] = {"number", "whole number", "[x, y, z]",
                                        "text",   "path",         ""};
    int used = snprintf(text, TEXT_SIZE, "%s%s%s", names[key->type],
                        key->type == WHOLE && key->unit ? " of " : "",
                        key->unit ? key->unit : "");
    char *rest = text + used;
    const size_t room = TEXT_SIZE - (size_t)used;
    if (key->type == WHOLE) {
        snprintf(rest, room, ", at least %g", key->low);
    } else if (key->type == NUMBER && isfinite(key->high)) {
        snprintf(rest, room, ", above %.10g and at most %.10g", key->low, key->high);
    } else if (key->type == NUMBER) {
        snprintf(rest, room, ", above %.10g", key->low);
    }
    return rest[0] ? rest + 2 : rest;
}

void solver_config_print_keys(FILE *out)
{
    for (const config_key *key = keys; key < keys + KEYS; key++) {
        char type[TEXT_SIZE];
        print_type(key, type);
        fprintf(out, "%s | %s | %s | %s\n", key->path, type, key->otherwise, key->help);
    }
}

/* ---- Values ---- */

static bool fail_type(const config_key *key, const solver_lines *lines,
                      const solver_line *line)
{
    char type[TEXT_SIZE];
    print_type(key, type);
    return solver_lines_fail(lines, line, "%s: expected %s, found %s%.60s%s", line->path,
                             type, line->text ? "'" : "",
                             line->text ? line->text : "nothing", line->text ? "'" : "");
}

static bool load_number(const config_key *key, const solver_lines *lines,
                        solver_line *line, char *member)
{
    const bool is_whole = key->type == WHOLE;
    const char *text = line->text ? line->text : "";
    char *end, type[TEXT_SIZE];
    const double value = strtod(text, &end);
    const char *letters = is_whole ? "+-0123456789" : "+-.0123456789eE";
    if (end == text || text[strspn(text, letters)] || *end || !isfinite(value) ||
        (is_whole && value > INT_MAX)) {
        return fail_type(key, lines, line);
    }
    if (is_whole ? value < key->low : value <= key->low || value > key->high) {
        return solver_lines_fail(lines, line, "%s must be %s, is %s", line->path,
                                 print_type(key, type), text);
    }
    line->is_known = true;
    if (is_whole) {
        *(int *)(void *)member = (int)value;
    } else {
        *(double *)(void *)member = value;
    }
    return true;
}

static bool load_choice(const config_key *key, const solver_lines *lines,
                        const solver_line *line, int *member)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "`%s`", line->text ? line->text : "");
    const char *found = strstr(key->unit, quoted);
    if (!found) {
        return fail_type(key, lines, line);
    }
    *member = (int)key->low;
    for (const char *c = key->unit; c < found; c++) {
        *member += *c == ',';
    }
    return true;
}

/* Copies a text or a path, which is relative to the folder of the config. */
static bool load_text(const config_key *key, const solver_lines *lines,
                      const solver_line *line, char *member)
{
    const char *text = line->text ? line->text : "", *slash = strrchr(lines->file, '/');
    const bool moves = key->type == PATH && text[0] != '/' && slash;
    const size_t size = key->type == PATH ? SOLVER_FILE_SIZE : SOLVER_NAME_SIZE;
    const int length =
        snprintf(member, size, "%.*s%s", moves ? (int)(slash - lines->file) + 1 : 0,
                 lines->file, text);
    return (text[0] && (size_t)length < size) || fail_type(key, lines, line);
}

/* ---- Keys ---- */

static bool is_boundary(const config_key *key)
{
    return strncmp(key->path, BOUNDARY, strlen(BOUNDARY)) == 0;
}

/* Finds the line of a key, or one below it; # in its path is n. */
static solver_line *find_line(const config_key *key, const solver_lines *lines, int n,
                              char path[SOLVER_KEY_SIZE])
{
    if (is_boundary(key)) {
        snprintf(path, SOLVER_KEY_SIZE, BOUNDARIES "%d.%s", n,
                 key->path + strlen(BOUNDARY));
    } else {
        snprintf(path, SOLVER_KEY_SIZE, "%s", key->path);
    }
    return solver_lines_find(lines, path);
}

static bool load_vector(const config_key *key, const solver_lines *lines,
                        const solver_line *line, const char *path, double *member)
{
    char component[SOLVER_KEY_SIZE + 8];
    bool works = true;
    for (int n = 0; works && n < 3; n++) {
        snprintf(component, sizeof component, "%s.%d", path, n);
        solver_line *l = solver_lines_find(lines, component);
        works = l ? load_number(key, lines, l, (char *)(member + n))
                  : solver_lines_fail(lines, line, "%s: expected [x, y, z]", path);
    }
    return works;
}

/* Loads the value of a key that is given. */
static bool load_value(const config_key *key, const solver_lines *lines, int n,
                       solver_config *c)
{
    char path[SOLVER_KEY_SIZE];
    solver_line *line = find_line(key, lines, n, path);
    char *member = is_boundary(key) ? (char *)&c->boundaries[n] : (char *)c;
    member += key->offset;
    if (line && key->type == VECTOR) {
        return load_vector(key, lines, line, path, (double *)(void *)member);
    }
    if (!line || strcmp(line->path, path) != 0) {
        return true;
    }
    line->is_known = true;
    switch (key->type) {
    case CHOICE:
        return load_choice(key, lines, line, (int *)(void *)member);
    case TEXT:
    case PATH:
        return load_text(key, lines, line, member);
    default:
        return load_number(key, lines, line, member);
    }
}

/* Sets the default of a key that is not given. A required key may be missing with its
 * whole section, if that is no section of the top. */
static bool load_default(const config_key *key, const solver_lines *lines, int n,
                         solver_config *c)
{
    char path[SOLVER_KEY_SIZE], type[TEXT_SIZE], text[16];
    if (find_line(key, lines, n, path)) {
        return true;
    }
    if (strchr("0123456789", key->otherwise[0])) {
        snprintf(text, sizeof text, "%s", key->otherwise);
        return load_number(key, lines, &(solver_line){.text = text},
                           (char *)c + key->offset);
    }
    if (strcmp(key->otherwise, REQUIRED) != 0) {
        return true;
    }
    char *dot = strrchr(path, '.');
    *dot = '\0';
    const solver_line *section = solver_lines_find(lines, path);
    if (!section && strchr(path, '.')) {
        return true;
    }
    print_type(key, type);
    return solver_lines_fail(lines, section, "%s.%s is missing: give %s, %s", path,
                             dot + 1, type, key->help);
}

/* Applies one of these two to all keys, and to those of each boundary. */
static bool load_keys(bool (*load)(const config_key *key, const solver_lines *lines,
                                   int n, solver_config *c),
                      const solver_lines *lines, solver_config *c)
{
    bool works = true;
    for (const config_key *key = keys; works && key < keys + KEYS; key++) {
        for (int n = 0; works && n < (is_boundary(key) ? c->nboundaries : 1); n++) {
            works = load(key, lines, n, c);
        }
    }
    return works;
}

static bool load_lines(const solver_lines *lines, solver_config *c)
{
    char entry[64];
    for (int n = 0; n == c->nboundaries && n < SOLVER_BOUNDARIES; n++) {
        snprintf(entry, sizeof entry, BOUNDARIES "%d", n);
        c->nboundaries += solver_lines_find(lines, entry) != NULL;
    }
    if (!load_keys(load_value, lines, c)) {
        return false;
    }
    for (const solver_line *l = lines->lines; l < lines->lines + lines->count; l++) {
        const char *dot = strrchr(l->path, '.');
        if (!l->is_known) {
            return solver_lines_fail(
                lines, l,
                "unknown key '%s' in %.*s, or a section without keys: "
                "'karman-solver --keys' lists all",
                dot ? dot + 1 : l->path, dot ? (int)(dot - l->path) : 10,
                dot ? l->path : "the config");
        }
    }
    return load_keys(load_default, lines, c);
}

/* ---- Checks ---- */

static bool check_grid(const solver_lines *lines, const solver_config *c)
{
    const solver_line *grid = solver_lines_find(lines, "grid");
    const bool is_cylinder = solver_lines_find(lines, "grid.cylinder") != NULL;
    if (is_cylinder == (c->grid_file[0] != '\0')) {
        return solver_lines_fail(lines, grid, "grid needs either cylinder or file");
    }
    if (is_cylinder && c->nboundaries > 0) {
        return solver_lines_fail(
            lines, solver_lines_find(lines, "grid.boundaries"),
            "grid.boundaries goes with grid.file: a cylinder has its own");
    }
    if (is_cylinder && c->far <= 2.0 * c->radius) {
        return solver_lines_fail(
            lines, solver_lines_find(lines, "grid.cylinder.far"),
            "grid.cylinder.far must be above twice the radius, %g, is %g",
            2.0 * c->radius, c->far);
    }
    return true;
}

static bool check(const solver_lines *lines, const solver_config *c)
{
    if ((c->end > 0.0) == (c->steps > 0)) {
        return solver_lines_fail(lines, solver_lines_find(lines, "time"),
                                 "time needs either end or steps");
    }
    return check_grid(lines, c);
}

/* Fails if the file is a config of pictures. */
static bool check_purpose(const solver_lines *lines)
{
    static const char *const sections[] = {"grid", "flow",   "time",
                                           "data", "camera", "layers"};
    int found[2] = {0, 0};
    for (int n = 0; n < 6; n++) {
        found[n / 3] += solver_lines_find(lines, sections[n]) != NULL;
    }
    return found[0] > 0 || found[1] == 0 ||
           solver_fail(SOLVER_USAGE,
                       "%s is a config of pictures, not of a flow: karman render %s",
                       lines->file, lines->file);
}

/* ---- Reading ---- */

/* Reads the whole file, malloc'ed. */
static bool read_text(const char *path, char **text)
{
    enum { MOST = 1 << 22 };
    size_t room = 0;
    FILE *file = fopen(path, "rb");
    ssize_t length = file ? getdelim(text, &room, '\0', file) : -1;
    bool works = file && (length >= 0 || !ferror(file));
    if (!works) {
        solver_fail(SOLVER_FAILED, "the config %s cannot be read: %s", path,
                    strerror(errno));
    } else if (length < 0 || !feof(file) || length > MOST) {
        works = solver_fail(SOLVER_USAGE,
                            "%s is no config, which is a short text (.yaml)", path);
    }
    if (file) {
        fclose(file);
    }
    return works;
}

/* Reads the config on rank 0. */
static bool read_config(const char *path, int noverrides, const char *const *overrides,
                        solver_config *out)
{
    char *text = NULL;
    solver_lines lines = {.file = path};
    *out = (solver_config){.nboundaries = 0};
    bool works = read_text(path, &text) && solver_lines_parse(&lines, text);
    for (int o = 0; works && o < noverrides; o++) {
        works = solver_lines_override(&lines, overrides[o]);
    }
    works =
        works && check_purpose(&lines) && load_lines(&lines, out) && check(&lines, out);
    solver_lines_clear(&lines);
    free(text);
    return works;
}

bool solver_config_read(MPI_Comm comm, const char *path, int noverrides,
                        const char *const *overrides, solver_config *out)
{
    if (!solver_agree(comm, solver_rank(comm) != 0 ||
                                read_config(path, noverrides, overrides, out))) {
        return false;
    }
    MPI_Bcast(out, (int)sizeof *out, MPI_BYTE, 0, comm);
    return true;
}

/* ---- Values that follow from the config ---- */

double solver_config_length(const solver_config *config)
{
    double own = config->grid_file[0] ? 1.0 : 2.0 * config->radius;
    return config->length > 0.0 ? config->length : own;
}

double solver_config_area(const solver_config *config)
{
    double own = config->grid_file[0] ? 1.0 : 2.0 * config->radius * config->span;
    return config->area > 0.0 ? config->area : own;
}

static bool set_boundary(const solver_boundary_config *b, solver_grid *grid)
{
    for (int block = 0; block < grid->nblocks; block++) {
        if (strcmp(grid->blocks[block].name, b->block) == 0) {
            solver_face *face = &grid->blocks[block].faces[b->face];
            face->kind = b->kind;
            memcpy(face->velocity, b->velocity, sizeof face->velocity);
            return true;
        }
    }
    return solver_fail(SOLVER_USAGE, "grid.boundaries: the grid has no block '%s'",
                       b->block);
}

bool solver_config_grid(const solver_config *config, solver_grid **out)
{
    if (!config->grid_file[0]) {
        const solver_cylinder cylinder = {.radius = config->radius,
                                          .far = config->far,
                                          .span = config->span,
                                          .cells = {config->ni, config->nj, config->nk},
                                          .stretching = config->stretching};
        return solver_cylinder_create(&cylinder, out);
    }
    solver_grid *grid = NULL;
    bool works = solver_grid_read(config->grid_file, &grid);
    for (int b = 0; works && b < config->nboundaries; b++) {
        works = set_boundary(&config->boundaries[b], grid);
    }
    works = works && solver_grid_join(grid);
    if (!works) {
        solver_grid_destroy(&grid);
        return false;
    }
    *out = grid;
    return true;
}
