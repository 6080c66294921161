#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- coordinates ------------------------------------------------------------------ */

/* Words beside the letter of an axis; longer ones first. */
static const char *const grid_words[] = {
    "coordinates", "coordinate", "positions", "position", "vertices", "vertex",
    "points",      "point",      "coords",    "coord",    "nodes",    "node",
    "grid",        "mesh",       "pos",       "loc"};

enum { GRID_WORDS = sizeof grid_words / sizeof grid_words[0] };

/* Removes a word from the end or the start of `text`; false if it is at neither. */
static bool cut_word(char *text, const char *word)
{
    const size_t length = strlen(text), cut = strlen(word);
    if (length >= cut && strcmp(text + length - cut, word) == 0) {
        text[length - cut] = '\0';
        return true;
    }
    if (strncmp(text, word, cut) == 0) {
        memmove(text, text + cut, length - cut + 1);
        return true;
    }
    return false;
}

static void cut_grid_words(char *text)
{
    for (int word = 0; word < GRID_WORDS; word++) {
        if (cut_word(text, grid_words[word])) {
            word = -1;
        }
    }
}

bool names_find_axis(path_part name, int *axis, char rest[NAMES_SIZE])
{
    static const char letters[] = "xyz";
    char plain[NAMES_SIZE], without[NAMES_SIZE], core[NAMES_SIZE];
    path_normalise(name, plain, sizeof plain);
    for (size_t at = 0; plain[at] != '\0'; at++) {
        const char *letter = strchr(letters, plain[at]);
        snprintf(without, sizeof without, "%.*s%s", (int)at, plain, plain + at + 1);
        strcpy(core, without);
        cut_grid_words(core);
        /* xc, xn, xg, xp: of cells, nodes, the grid or points. */
        const bool is_short = strlen(core) == 1 && strchr("cngp", core[0]) != NULL;
        if (letter && (core[0] == '\0' || is_short)) {
            *axis = (int)(letter - letters);
            strcpy(rest, without);
            return true;
        }
    }
    return false;
}

bool names_is_points(path_part name)
{
    char plain[NAMES_SIZE];
    path_normalise(name, plain, sizeof plain);
    cut_grid_words(plain);
    return plain[0] == '\0' || strcmp(plain, "x") == 0 || strcmp(plain, "xyz") == 0;
}

bool names_is_iblank(path_part name)
{
    static const char *const words[] = {"iblank", "iblanks", "blank", "blanking",
                                        "iblanking"};
    char plain[NAMES_SIZE];
    path_normalise(name, plain, sizeof plain);
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (strcmp(plain, words[n]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- fields ----------------------------------------------------------------------- */

typedef struct alias {
    const char *written, *meant;
} alias;

/*
 * Only certain aliases: "e", for example, may be total energy per mass, which would give
 * a plausible but wrong pressure.
 */
static const alias scalars[] = {
    {"rho", "density"},
    {"dens", "density"},
    {"u", "velocity_x"},
    {"v", "velocity_y"},
    {"w", "velocity_z"},
    {"uvel", "velocity_x"},
    {"vvel", "velocity_y"},
    {"wvel", "velocity_z"},
    {"rhou", "momentum_x"},
    {"rhov", "momentum_y"},
    {"rhow", "momentum_z"},
    {"ru", "momentum_x"},
    {"rv", "momentum_y"},
    {"rw", "momentum_z"},
    {"rhoe", "energy"},
    {"rhoet", "energy"},
    {"energydensity", "energy"},
    {"totalenergydensity", "energy"},
    {"energystagnationdensity", "energy"},
    {"p", "pressure"},
    {"pres", "pressure"},
    {"press", "pressure"},
    {"staticpressure", "pressure"},
    {"t", "temperature"},
    {"temp", "temperature"},
    {"machnumber", "mach"},
};

/* Names of vectors. The letter of an axis precedes or follows them, or they have an axis
 * of components. */
static const alias vectors[] = {
    {"velocity", "velocity"}, {"vel", "velocity"},        {"v", "velocity"},
    {"u", "velocity"},        {"uvw", "velocity"},        {"momentum", "momentum"},
    {"mom", "momentum"},      {"m", "momentum"},          {"rhou", "momentum"},
    {"rhouvw", "momentum"},   {"vorticity", "vorticity"}, {"omega", "vorticity"},
};

static const char *find_alias(const alias *table, size_t count, const char *written)
{
    for (size_t n = 0; n < count; n++) {
        if (strcmp(table[n].written, written) == 0) {
            return table[n].meant;
        }
    }
    return NULL;
}

static const char *find_vector(const char *written)
{
    return find_alias(vectors, sizeof vectors / sizeof vectors[0], written);
}

/* velocityx, xvelocity, … */
static bool find_vector_part(const char *plain, char out[NAMES_SIZE])
{
    const size_t length = strlen(plain);
    if (length < 2) {
        return false;
    }
    char stem[NAMES_SIZE];
    const char last = plain[length - 1];
    snprintf(stem, sizeof stem, "%.*s", (int)length - 1, plain);
    const char *vector = find_vector(stem);
    if (vector && last >= 'x' && last <= 'z') {
        snprintf(out, NAMES_SIZE, "%s_%c", vector, last);
        return true;
    }
    vector = find_vector(plain + 1);
    if (vector && plain[0] >= 'x' && plain[0] <= 'z') {
        snprintf(out, NAMES_SIZE, "%s_%c", vector, plain[0]);
        return true;
    }
    return false;
}

void names_keep(path_part name, char out[NAMES_SIZE])
{
    size_t length = 0;
    for (size_t n = 0; n < name.length && length + 8 < NAMES_SIZE; n++) {
        const unsigned char c = (unsigned char)name.text[n];
        if (c < 128 && isalnum(c)) {
            out[length++] = (char)c;
        } else if (length > 0 && out[length - 1] != '_') {
            out[length++] = '_';
        }
    }
    while (length > 0 && out[length - 1] == '_') {
        length--;
    }
    out[length] = '\0';
    if (length == 0) {
        strcpy(out, "field");
    }
}

static void find_component(path_part name, const char *plain, int component,
                           int ncomponents, char out[NAMES_SIZE])
{
    /* The conserved quantities, in the order that all codes use. */
    static const char *const conserved[] = {"density", "momentum_x", "momentum_y",
                                            "momentum_z", "energy"};
    const char *vector = find_vector(plain);
    if (ncomponents == 5 &&
        (strcmp(plain, "q") == 0 || strncmp(plain, "conserv", 7) == 0)) {
        strcpy(out, conserved[component]);
    } else if (ncomponents == 3) {
        char kept[NAMES_SIZE];
        names_keep(name, kept);
        snprintf(out, NAMES_SIZE, "%.*s_%c", NAMES_SIZE - 3, vector ? vector : kept,
                 "xyz"[component]);
    } else {
        char kept[NAMES_SIZE];
        names_keep(name, kept);
        snprintf(out, NAMES_SIZE, "%.*s_%d", NAMES_SIZE - 8, kept, component % 1000);
    }
}

void names_find_field(path_part name, int component, int ncomponents,
                      char out[NAMES_SIZE])
{
    char plain[NAMES_SIZE];
    path_normalise(name, plain, sizeof plain);
    if (component >= 0) {
        find_component(name, plain, component, ncomponents, out);
        return;
    }
    const char *meant = find_alias(scalars, sizeof scalars / sizeof scalars[0], plain);
    static const char *const own[] = {"density", "pressure", "energy", "temperature",
                                      "mach"};
    for (size_t n = 0; n < sizeof own / sizeof own[0]; n++) {
        meant = strcmp(plain, own[n]) == 0 ? own[n] : meant;
    }
    if (meant) {
        strcpy(out, meant);
    } else if (!find_vector_part(plain, out)) {
        names_keep(name, out);
    }
}
