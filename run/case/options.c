#include "options.h"

#include "case.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An option and the keys that it stands for, a line each: %s is its argument, %a and %b
 * the parts of an argument A=B. */
typedef struct row {
    const char *name, *keys;
    const char *axes;   /* the words that A may be, each between blanks; NULL: any */
    const char *sample; /* of an argument with two parts */
    bool adds_layer;
} row;

static const row rows[] = {
    {"look", "look=%s", NULL, NULL, false},
    {"view",
     "camera.position=null\ncamera.look_at=null\ncamera.up=null\ncamera.height=null\n"
     "camera.view=%s",
     NULL, NULL, false},
    {"azimuth", "camera.azimuth=%s", NULL, NULL, false},
    {"elevation", "camera.elevation=%s", NULL, NULL, false},
    {"zoom", "camera.zoom=%s", NULL, NULL, false},
    {"slice", "layers.+={contour: {field: auto, %a: %b, bands: false}}", " x y z i j k ",
     "x=2 or k=0", true},
    {"iso", "layers.+={isosurface: {field: %a, value: %b, color: [0.9, 0.6, 0.2]}}", NULL,
     "0.5 or pressure=0.5", true},
    {"walls", "layers.+={object: {walls: auto, color_by: %s}}", NULL, NULL, true},
    {"streamlines",
     "layers.+={particles: {mode: stream, seeds: auto, direction: both, color_by: "
     "velocity_magnitude}}",
     NULL, NULL, true},
    {"derive", "derive.%k=%b", NULL, "speed=mag(velocity)", false},
    {"orbit", "film.frames=%s\ncamera.path.orbit=360", NULL, NULL, false},
    {0}};

/* What options add to a config that has no layers of its own: walls, and a box around
 * what the options draw. Coloured walls stand by themselves. */
#define SURROUNDINGS                                                                     \
    "{outline: {color: [0.6, 0.6, 0.6], opacity: 0.5, line_width: 1}}, "                 \
    "{axes_box: {bounds: auto, grid: false, color: [0.6, 0.6, 0.6], line_width: 1}}"
static const char *const around[2][2] = {
    {"layers?=[]", "layers?=[]"},
    {"layers?=[{object: {walls: auto}}, " SURROUNDINGS "]",
     "layers?=[" SURROUNDINGS "]"}};

static const row *row_of(const char *name)
{
    const row *r = rows;
    while (r->name && strcmp(r->name, name) != 0) {
        r++;
    }
    return r;
}

/* ---- Making overrides -------------------------------------------------------------- */

/* Adds an override, which becomes the picture's, before the place `at`. */
static status insert(case_options *picture, int at, char *override)
{
    if (!override || picture->count == CASE_OPTION_MOST) {
        const bool is_full = override != NULL;
        free(override);
        return is_full ? base_fail(STATUS_USAGE, "more than %d options are given",
                                   (int)CASE_OPTION_MOST)
                       : base_fail_memory(0, "an option");
    }
    memmove(picture->overrides + at + 1, picture->overrides + at,
            (size_t)(picture->count - at) * sizeof *picture->overrides);
    picture->overrides[at] = override;
    picture->count++;
    return STATUS_OK;
}

static status append(case_options *picture, const char *typed, const char *assignment)
{
    const size_t size = strlen(typed) + strlen(assignment) + 2;
    char *override = malloc(size);
    if (override) {
        snprintf(override, size, "%s\v%s", typed, assignment);
    }
    return insert(picture, picture->count, override);
}

/* A value as it stands in a config: a number or a word as it is, else in quotes.
 * malloc'ed. */
static char *print_value(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    char *end = NULL;
    const double number = strtod(text, &end);
    if ((end != text && *end == '\0' && isfinite(number)) ||
        (text[0] != '\0' && text[strspn(text, plain)] == '\0')) {
        return strdup(text);
    }
    json_t *json = json_string(text);
    char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    json_decref(json);
    return quoted;
}

/* Fills in the keys of a row; malloc'ed. values: of %s, %a, %b, and %k, which is %a as it
 * was typed. */
static char *fill(const char *keys, char *const values[4])
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (const char *at = keys; stream && *at != '\0'; at++) {
        const char *letter = *at == '%' ? strchr("sabk", at[1]) : NULL;
        if (letter) {
            fputs(values[letter - "sabk"], stream);
            at++;
        } else {
            fputc(*at, stream);
        }
    }
    return stream && fclose(stream) == 0 ? text : NULL;
}

/* Splits A=B; without a '=', A is auto. */
static status split(const row *r, const char *text, char *a, size_t size, const char **b)
{
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : 0;
    char word[8] = "";
    snprintf(word, sizeof word, " %.*s ", (int)(length < 4 ? length : 4), text);
    if (length >= size || (equals && (length == 0 || equals[1] == '\0')) ||
        (r->axes && !(equals && strstr(r->axes, word))) ||
        (strstr(r->keys, "%k") && !equals)) {
        return base_fail(STATUS_USAGE, "--%s %s: give %s", r->name, text, r->sample);
    }
    snprintf(a, size, "%.*s", equals ? (int)length : 4, equals ? text : "auto");
    *b = equals ? equals + 1 : text;
    return STATUS_OK;
}

/* Adds the keys of a row. */
static status add_row(case_options *picture, const row *r, const char *text)
{
    char typed[512], a[256] = "";
    const char *b = "";
    snprintf(typed, sizeof typed, "--%s%s%s", r->name, text ? " " : "", text ? text : "");
    status s = r->sample ? split(r, text, a, sizeof a, &b) : STATUS_OK;
    if (s != STATUS_OK) {
        return s;
    }
    char *values[4] = {print_value(text ? text : ""), print_value(a), print_value(b),
                       strdup(a)};
    char *keys =
        values[0] && values[1] && values[2] && values[3] ? fill(r->keys, values) : NULL;
    s = keys ? STATUS_OK : base_fail(STATUS_USAGE, "%s: is no UTF-8", typed);
    char *rest = NULL;
    for (char *key = keys ? strtok_r(keys, "\n", &rest) : NULL; key && s == STATUS_OK;
         key = strtok_r(NULL, "\n", &rest)) {
        s = append(picture, typed, key);
    }
    for (int n = 0; n < 4; n++) {
        free(values[n]);
    }
    free(keys);
    picture->orbits = picture->orbits || strcmp(r->name, "orbit") == 0;
    const bool is_walls = strcmp(r->name, "walls") == 0;
    picture->has_layers = picture->has_layers || (r->adds_layer && !is_walls);
    picture->has_walls = picture->has_walls || is_walls;
    return s;
}

/* ---- Taking options ---------------------------------------------------------------- */

status case_options_take(case_options *picture, const char *name, const char *text)
{
    if (strcmp(name, "field") == 0) {
        picture->field = text;
        return STATUS_OK;
    }
    if (strcmp(name, "output") == 0) {
        picture->output = text;
        return STATUS_OK;
    }
    if (strcmp(name, "minus") == 0) {
        picture->minus = text;
        return STATUS_OK;
    }
    if (strcmp(name, "set") != 0) {
        return add_row(picture, row_of(name), text);
    }
    return strchr(text, '=')
               ? insert(picture, picture->count, strdup(text))
               : base_fail(STATUS_USAGE, "--set %s: give KEY=VALUE, like image.width=512",
                           text);
}

status case_options_take_named(case_options *picture, const char *option)
{
#define NAME(option_name, letter, value, help) {option_name, (value) != NULL},
    static const struct {
        const char *name;
        bool has_text;
    } named[] = {CASE_OPTIONS(NAME)};
#undef NAME
    const char *equals = strchr(option, '=');
    const size_t length = strcspn(option, "=");
    for (size_t n = 0; n < sizeof named / sizeof named[0]; n++) {
        if (strlen(named[n].name) == length &&
            strncmp(named[n].name, option, length) == 0) {
            return named[n].has_text == (equals != NULL)
                       ? case_options_take(picture, named[n].name,
                                           equals ? equals + 1 : NULL)
                       : base_fail(STATUS_USAGE, "--%s %s", named[n].name,
                                   equals ? "takes no value" : "needs a value");
        }
    }
    return base_fail(STATUS_USAGE, "there is no option --%.*s of pictures", (int)length,
                     option);
}

/* The key of --output, by the ending of the path. */
static const char *key_of(const char *path)
{
    static const char *const endings[][2] = {
        {".pdf", "output.figure"},   {".svg", "output.figure"},
        {".vtm", "output.extracts"}, {".csv", "output.extracts"},
        {".cdb", "output.cinema"},   {".mp4", "output.movie"},
        {".apng", "output.movie"}};
    const char *dot = strrchr(path, '.'), *key = "output.frames";
    for (size_t n = 0; dot && n < sizeof endings / sizeof endings[0]; n++) {
        key = strcasecmp(dot, endings[n][0]) == 0 ? endings[n][1] : key;
    }
    return key;
}

/* Adds the keys of --output. Figures, extracts and films stand in the place of PNG files.
 */
static status add_output(case_options *picture, const char *config)
{
    char typed[512], *path = NULL;
    const char *key = key_of(picture->output);
    const bool is_other = strcmp(key, "output.frames") != 0;
    status s = case_path(config ? config : "", picture->output, &path);
    if (s != STATUS_OK) {
        return s;
    }
    const size_t size = strlen(path) + strlen(key) + 2;
    char *assignment = malloc(size);
    snprintf(typed, sizeof typed, "-o %s", picture->output);
    if (assignment) {
        snprintf(assignment, size, "%s=%s", key, path);
    }
    s = assignment ? append(picture, typed, assignment)
                   : base_fail_memory(size, "a path");
    s = s == STATUS_OK && is_other ? append(picture, typed, "output.frames=null") : s;
    free(assignment);
    free(path);
    return s;
}

/* Adds a key of --minus. */
static status add_pair(case_options *picture, const char *key, const char *value,
                       const char *end)
{
    const size_t size = strlen(key) + strlen(value) + strlen(end) + 1;
    char typed[512], *assignment = malloc(size);
    snprintf(typed, sizeof typed, "--minus %s", picture->minus);
    if (assignment) {
        snprintf(assignment, size, "%s%s%s", key, value, end);
    }
    const status s = assignment ? append(picture, typed, assignment)
                                : base_fail_memory(size, "an option");
    free(assignment);
    return s;
}

/* Adds the keys of --minus: a file, or a number of a step. The field that was asked for
 * is its difference then. */
static status add_minus(case_options *picture, const char *config)
{
    char text[AUTO_DIFFERENCE_SIZE], key[AUTO_DIFFERENCE_SIZE + 16], *path = NULL;
    const char *minus = picture->minus;
    const bool is_step = minus[0] != '\0' && minus[strspn(minus, "0123456789")] == '\0';
    status s = is_step ? STATUS_OK : case_path(config ? config : "", minus, &path);
    s = s == STATUS_OK
            ? add_pair(picture, is_step ? "data.other={step: " : "data.other={file: ",
                       is_step ? minus : path, "}")
            : s;
    if (s == STATUS_OK && picture->field) {
        frame_auto_difference(picture->field, picture->difference, text);
        snprintf(key, sizeof key, "derive.%s=", picture->difference);
        free(path);
        path = print_value(text);
        s = path ? add_pair(picture, key, path, "") : base_fail_memory(0, "an option");
        picture->field = picture->difference;
    }
    free(path);
    return s;
}

status case_options_finish(case_options *picture, const char *config)
{
    status s = picture->output ? add_output(picture, config) : STATUS_OK;
    s = s == STATUS_OK && picture->minus ? add_minus(picture, config) : s;
    if (s == STATUS_OK && (picture->has_layers || picture->has_walls)) {
        s = insert(picture, 0, strdup(around[picture->has_layers][picture->has_walls]));
    }
    return s;
}

case_frames case_options_frames(const case_options *picture)
{
    const char *percent = picture->output ? strchr(picture->output, '%') : NULL;
    while (percent && percent[1] == '%') {
        percent = strchr(percent + 2, '%');
    }
    const char *key = picture->output ? key_of(picture->output) : "";
    const bool has_all =
        percent || strcmp(key, "output.movie") == 0 || strcmp(key, "output.cinema") == 0;
    return picture->orbits ? CASE_FRAMES : has_all ? CASE_STEPS : CASE_LAST;
}

/* ---- Messages ---------------------------------------------------------------------- */

void case_options_print(const case_options *picture, FILE *stream)
{
    const char *last = "";
    for (int n = 0; n < picture->count; n++) {
        const char *override = picture->overrides[n];
        const char *line = strchr(override, '\v');
        if (!line) {
            continue;
        }
        const size_t length = (size_t)(line - override) + 1;
        const bool goes_on = strncmp(last, override, length) == 0;
        fprintf(stream, goes_on ? ", " : "%s%.*s: ", last[0] != '\0' ? "\n" : "",
                (int)length - 1, override);
        fputs(line + 1, stream);
        last = override;
    }
    fputs(last[0] != '\0' ? "\n" : "", stream);
}

/* The length of a key at the beginning of a message, with what parts it from the rest;
 * 0: there is none. */
static size_t key_length(const char *message, const char *assignment)
{
    const size_t length = strspn(message, "abcdefghijklmnopqrstuvwxyz0123456789_.+");
    const char *equals = strpbrk(assignment, "?=");
    const bool is_whole = equals && (size_t)(equals - assignment) == length &&
                          strncmp(message, assignment, length) == 0;
    if (length == 0 || !(is_whole || memchr(message, '.', length))) {
        return 0;
    }
    return message[length] == ':' && message[length + 1] == ' ' ? length + 2
           : message[length] == ' '                             ? length + 1
                                                                : 0;
}

status case_options_blame(const case_options *picture, status s)
{
    const char *held = base_fail_message();
    char message[2048];
    for (int n = 0; n < picture->count && s != STATUS_OK; n++) {
        const char *override = picture->overrides[n];
        const char *line = strchr(override, '\v');
        const size_t length = line ? (size_t)(line - override) : 0;
        if (line && strncmp(held, override, length) == 0 &&
            strncmp(held + length, ": ", 2) == 0) {
            const size_t skip = key_length(held + length + 2, line + 1);
            if (skip > 0) {
                snprintf(message, sizeof message, "%.*s%s", (int)length + 2, held,
                         held + length + 2 + skip);
                base_fail_set_message(message);
            }
            break;
        }
    }
    return s;
}

void case_options_clear(case_options *picture)
{
    for (int n = 0; n < picture->count; n++) {
        free(picture->overrides[n]);
    }
    *picture = (case_options){0};
}
