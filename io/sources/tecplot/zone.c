#include "zone.h"
#include "io/gzip/unpacked.h"

#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is(const tecplot_text *text, const char *word)
{
    return text->kind == TECPLOT_NAME && strcasecmp(text->word, word) == 0;
}

/* Whether a word begins a record. */
static bool is_record(const tecplot_text *text)
{
    static const char *const records[] = {"TITLE",      "VARIABLES",    "ZONE",
                                          "TEXT",       "GEOMETRY",     "DATASETAUXDATA",
                                          "VARAUXDATA", "CUSTOMLABELS", "FILETYPE"};
    bool does = false;
    for (size_t n = 0; n < sizeof records / sizeof records[0]; n++) {
        does = does || is(text, records[n]);
    }
    return does;
}

bool tecplot_is(FILE *stream)
{
    unsigned char bytes[4] = "";
    tecplot_text text = {.stream = stream};
    fseek(stream, 0, SEEK_SET);
    const size_t count = fread(bytes, 1, sizeof bytes, stream);
    for (size_t n = 0; n < count; n++) {
        if (bytes[n] < '\t' || bytes[n] > '~') {
            return false;
        }
    }
    fseek(stream, 0, SEEK_SET);
    tecplot_next(&text);
    if (is(&text, "ZONE") && tecplot_next(&text) == TECPLOT_NAME) {
        tecplot_next(&text);
        return text.kind == TECPLOT_EQUALS;
    }
    return (is(&text, "TITLE") || is(&text, "VARIABLES") || is(&text, "FILETYPE")) &&
           tecplot_next(&text) == TECPLOT_EQUALS;
}

status tecplot_fail(const char *path, const char *what)
{
    return base_fail(STATUS_INPUT, "Tecplot file '%s' %s: write it again", path, what);
}

/* ---- Header of a zone -------------------------------------------------------------- */

/* Takes the value that a group has for a variable. */
typedef void for_variable(tecplot_array *array, const char *value);

/* Chooses the variables of a set, such as [4,6-9:2]; the character behind it. */
static const char *pass_set(const tecplot_file *file, const char *set, bool *chosen)
{
    for (set++; *set != ']' && *set != '\0';) {
        char *end;
        const long first = strtol(set, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        const long step = *end == ':' ? strtol(end + 1, &end, 10) : 1;
        for (int n = 0; n < file->nvariables; n++) {
            const long number = n + 1;
            chosen[n] |= first > 0 && number >= first && number <= last && step > 0 &&
                         (number - first) % step == 0;
        }
        set = end > set ? end : set + 1;
        set += *set == ',' || *set == ' ';
    }
    return *set == ']' ? set + 1 : set;
}

/* Takes ([4,6-9]=VALUE, [5]=VALUE), (VALUE, VALUE, ...) or [4,6-9]. */
static void take_group(const tecplot_file *file, tecplot_zone *zone, const char *group,
                       for_variable *take)
{
    int next = 0;
    const char *at = group + (group[0] == '(');
    while (*at != '\0' && *at != ')') {
        bool chosen[TECPLOT_VARIABLES] = {false};
        char value[32] = "";
        if (*at == '[') {
            at = pass_set(file, at, chosen);
        } else if (isalnum((unsigned char)*at) && next < file->nvariables) {
            chosen[next++] = true;
        }
        at += strspn(at, " \t\r\n=");
        const size_t length = strcspn(at, " \t\r\n,)[");
        snprintf(value, sizeof value, "%.*s", (int)length, at);
        at += length;
        at += strspn(at, " \t\r\n,");
        for (int n = 0; n < file->nvariables; n++) {
            if (chosen[n]) {
                take(&zone->arrays[n], value);
            }
        }
    }
}

static void take_location(tecplot_array *array, const char *value)
{
    array->is_cell = strcasecmp(value, "CELLCENTERED") == 0;
}

static void take_share(tecplot_array *array, const char *value)
{
    array->is_shared = true;
    array->shared = value[0] == '\0' ? 0 : atoi(value) - 1;
}

static void take_passive(tecplot_array *array, const char *value)
{
    (void)value;
    array->count = 0;
    array->first = -1;
}

static void take_kind(tecplot_zone *zone, const char *word)
{
    if (strncasecmp(word, "FE", 2) == 0) {
        zone->is_ordered = false;
        word += 2;
    }
    if (strcasecmp(word, "BLOCK") == 0 || strcasecmp(word, "POINT") == 0) {
        zone->is_block = strcasecmp(word, "BLOCK") == 0;
    }
}

/* Takes a key of a zone and its value. */
static void take_key(const tecplot_file *file, tecplot_zone *zone, const char *key,
                     const char *value)
{
    static const char *const sizes[] = {"I", "J", "K", "IMAX", "JMAX", "KMAX"};
    for (int n = 0; n < 6; n++) {
        if (strcasecmp(key, sizes[n]) == 0) {
            zone->n[n % 3] = strtoll(value, NULL, 10);
        }
    }
    if (strcasecmp(key, "T") == 0) {
        snprintf(zone->title, sizeof zone->title, "%.*s", GRID_NAME_SIZE - 1, value);
    } else if (strcasecmp(key, "F") == 0 || strcasecmp(key, "DATAPACKING") == 0 ||
               strcasecmp(key, "ZONETYPE") == 0) {
        take_kind(zone, value);
    } else if (strcasecmp(key, "ET") == 0) {
        zone->is_ordered = false;
    } else if (strcasecmp(key, "SOLUTIONTIME") == 0) {
        zone->time = strtod(value, NULL);
        zone->has_time = true;
    } else if (strcasecmp(key, "STRANDID") == 0) {
        zone->strand = strtoll(value, NULL, 10);
    } else if (strcasecmp(key, "VARLOCATION") == 0) {
        take_group(file, zone, value, take_location);
        for (int n = 0; n < file->nvariables; n++) {
            zone->is_block |= zone->arrays[n].is_cell;
        }
    } else if (strcasecmp(key, "VARSHARELIST") == 0) {
        take_group(file, zone, value, take_share);
    } else if (strcasecmp(key, "PASSIVEVARLIST") == 0) {
        take_group(file, zone, value, take_passive);
    } else if (strcasecmp(key, "FACENEIGHBORCONNECTIONS") == 0) {
        zone->has_more = true;
    }
}

/* Reads KEY=VALUE up to the numbers, or to another record. */
static void read_head(const tecplot_file *file, tecplot_text *text, tecplot_zone *zone)
{
    char key[64];
    while (tecplot_next(text) != TECPLOT_END && text->kind != TECPLOT_NUMBER &&
           !is_record(text)) {
        snprintf(key, sizeof key, "%.*s", (int)sizeof key - 1, text->word);
        if (tecplot_next(text) != TECPLOT_EQUALS) {
            tecplot_hold(text);
            continue;
        }
        tecplot_next(text);
        take_key(file, zone, key, text->word);
    }
    tecplot_hold(text);
}

/* ---- Numbers of a zone ------------------------------------------------------------- */

/* A word of numbers that are not all taken. */
typedef struct tecplot_rest {
    int64_t times, used;
} tecplot_rest;

/* Passes over a number; false: there is none. */
static bool pass_number(tecplot_text *text, tecplot_rest *rest)
{
    if (rest->used == rest->times) {
        if (tecplot_next(text) != TECPLOT_NUMBER) {
            tecplot_hold(text);
            return false;
        }
        *rest = (tecplot_rest){.times = tecplot_times(text)};
    }
    rest->used++;
    return rest->times > 0;
}

/* FNV-1a of the words: coordinates of the same words are the same. */
static void hash_word(const tecplot_text *text, uint64_t *hash)
{
    const char *star = strchr(text->word, '*');
    for (const char *c = star ? star : text->word; *c != '\0'; c++) {
        *hash = (*hash ^ (uint64_t)(unsigned char)*c) * 1099511628211U;
    }
    *hash = (*hash ^ ' ') * 1099511628211U;
}

static int64_t count_of(const tecplot_zone *zone, bool is_cell)
{
    int64_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        count *= zone->n[axis] - (is_cell && zone->n[axis] > 1 ? 1 : 0);
    }
    return count;
}

/* The variables of a zone that have numbers of their own there: [return]. */
static int find_own(const tecplot_file *file, const tecplot_zone *zone, int own[])
{
    int count = 0;
    for (int n = 0; n < file->nvariables; n++) {
        const tecplot_array *array = &zone->arrays[n];
        if (!array->is_shared && array->first == 0) {
            own[count++] = n;
        }
    }
    return count;
}

/* Finds the numbers of the variables: point by point, or variable by variable. */
static status read_numbers(const tecplot_file *file, tecplot_text *text,
                           tecplot_zone *zone)
{
    int own[TECPLOT_VARIABLES];
    const int nown = find_own(file, zone, own);
    const int64_t rounds = zone->is_block ? 1 : count_of(zone, false);
    tecplot_rest rest = {0, 0};
    tecplot_next(text);
    const int64_t start = text->begin;
    tecplot_hold(text);
    for (int64_t round = 0; round < rounds; round++) {
        for (int n = 0; n < nown; n++) {
            tecplot_array *array = &zone->arrays[own[n]];
            array->count = count_of(zone, array->is_cell);
            for (int64_t m = 0; m < (zone->is_block ? array->count : 1); m++) {
                if (!pass_number(text, &rest)) {
                    return tecplot_fail(file->path, "ends inside a zone, or has a word "
                                                    "among its numbers");
                }
                if (array->begin < 0) {
                    array->begin = zone->is_block ? text->begin : start;
                    array->first = zone->is_block ? rest.used - 1 : n;
                    array->distance = zone->is_block ? 1 : nown;
                }
                hash_word(text, &array->hash);
            }
        }
    }
    return rest.used == rest.times
               ? STATUS_OK
               : tecplot_fail(file->path,
                              "has a zone with more numbers than its sizes say");
}

/* Passes over numbers; whether there were any. */
static bool pass_numbers(tecplot_text *text)
{
    bool are = false;
    while (tecplot_next(text) == TECPLOT_NUMBER) {
        are = true;
    }
    tecplot_hold(text);
    return are;
}

status tecplot_zone_share(const tecplot_file *file, tecplot_zone *zone)
{
    for (int n = 0; n < file->nvariables; n++) {
        tecplot_array *array = &zone->arrays[n];
        if (!array->is_shared) {
            continue;
        }
        if (array->shared < 0 || array->shared >= zone - file->zones) {
            return tecplot_fail(file->path,
                                "has a zone that shares variables with one that does "
                                "not precede it");
        }
        const int shared = array->shared;
        *array = file->zones[shared].arrays[n];
        if (count_of(zone, false) != count_of(&file->zones[shared], false)) {
            return tecplot_fail(file->path, "has zones of different sizes that share "
                                            "variables");
        }
    }
    return STATUS_OK;
}

bool tecplot_zone_has_sizes(const tecplot_zone *zone)
{
    double count = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        count *= zone->n[axis] > 0 ? (double)zone->n[axis] : 0.0;
    }
    return count >= 1.0 && count < 0x1p48;
}

bool tecplot_zone_is_grid(const tecplot_zone *zone)
{
    const int64_t *n = zone->n;
    return zone->is_ordered && n[0] * n[1] > 1 && n[1] * n[2] > 1 && n[0] * n[2] > 1;
}

tecplot_zone *tecplot_file_add(tecplot_file *file)
{
    const size_t bytes = ((size_t)file->nvariables + 1) * sizeof(tecplot_array);
    tecplot_array *arrays = calloc(1, bytes);
    if (!arrays || base_array_room(file->zones, file->nzones, 1, NULL) != STATUS_OK) {
        free(arrays);
        base_fail_memory(bytes, "the zones of a Tecplot file");
        return NULL;
    }
    for (int n = 0; n < file->nvariables; n++) {
        arrays[n] = (tecplot_array){.begin = -1, .hash = 14695981039346656037U};
    }
    file->zones[file->nzones] =
        (tecplot_zone){.n = {1, 1, 1}, .is_ordered = true, .arrays = arrays};
    return &file->zones[file->nzones++];
}

static status read_zone(tecplot_file *file, tecplot_text *text)
{
    tecplot_zone *zone = tecplot_file_add(file);
    if (!zone) {
        return STATUS_MEMORY;
    }
    read_head(file, text, zone);
    if (!tecplot_zone_has_sizes(zone)) {
        return tecplot_fail(file->path, "has a zone of impossible size");
    }
    zone->is_ordered = tecplot_zone_is_grid(zone);
    status s = zone->is_ordered ? read_numbers(file, text, zone) : STATUS_OK;
    if (pass_numbers(text) && zone->is_ordered && !zone->has_more) {
        s = s == STATUS_OK ? tecplot_fail(file->path, "has a zone with more numbers than "
                                                      "its sizes say")
                           : s;
    }
    return s == STATUS_OK && zone->is_ordered ? tecplot_zone_share(file, zone) : s;
}

/* ---- The file ---------------------------------------------------------------------- */

static status read_variables(tecplot_file *file, tecplot_text *text)
{
    const size_t size = sizeof *file->variables;
    if (file->nvariables > 0 || tecplot_next(text) != TECPLOT_EQUALS) {
        return tecplot_fail(file->path, "has no list of variables, or a second one");
    }
    file->variables = calloc(TECPLOT_VARIABLES, size);
    if (!file->variables) {
        return base_fail_memory(TECPLOT_VARIABLES * size, "names of variables");
    }
    while ((tecplot_next(text) == TECPLOT_NAME && !is_record(text)) ||
           text->kind == TECPLOT_STRING) {
        if (file->nvariables == TECPLOT_VARIABLES) {
            return tecplot_fail(file->path, "has more than 512 variables");
        }
        snprintf(file->variables[file->nvariables++], size, "%.*s", (int)size - 1,
                 text->word);
    }
    tecplot_hold(text);
    return STATUS_OK;
}

/* Passes over a record, up to the next one. */
static void pass_record(tecplot_text *text)
{
    while (tecplot_next(text) != TECPLOT_END && !is_record(text)) {
        if (text->kind == TECPLOT_EQUALS) {
            tecplot_next(text);
        }
    }
    tecplot_hold(text);
}

static status read_record(tecplot_file *file, tecplot_text *text)
{
    if (is(text, "VARIABLES")) {
        return read_variables(file, text);
    }
    if (is(text, "ZONE")) {
        return read_zone(file, text);
    }
    if (is(text, "TITLE") && tecplot_next(text) == TECPLOT_EQUALS) {
        tecplot_next(text);
        snprintf(file->title, sizeof file->title, "%.*s", GRID_NAME_SIZE - 1, text->word);
    }
    pass_record(text);
    return STATUS_OK;
}

status tecplot_file_read(const char *path, tecplot_file *out)
{
    tecplot_text *text = calloc(1, sizeof *text);
    FILE *stream = text ? io_unpacked_stream(path) : NULL;
    status s = !text     ? base_fail_memory(sizeof *text, "a Tecplot file")
               : !stream ? base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                                     strerror(errno))
                         : STATUS_OK;
    out->path = path;
    if (s == STATUS_OK) {
        text->stream = stream;
        while (s == STATUS_OK && tecplot_next(text) != TECPLOT_END) {
            s = read_record(out, text);
        }
        fclose(stream);
    }
    free(text);
    return s;
}

void tecplot_file_clear(tecplot_file *file)
{
    for (int n = 0; n < file->nzones; n++) {
        free(file->zones[n].arrays);
    }
    free(file->zones);
    free(file->variables);
    *file = (tecplot_file){.path = NULL};
}
