#include "case.h"
#include "io/gzip/unpacked.h"

#include "base/array.h"
#include "file.h"
#include "io/file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 4096 };

static status fail(const char *path, const char *what)
{
    return base_fail(STATUS_INPUT, "EnSight case file '%s' %s", path, what);
}

/* Grows an array of a case by one zeroed item; NULL: there is no memory. */
static void *append(void **items, int64_t *count, size_t size)
{
    return base_array_extend(items, *count, 1, size, "an EnSight case file") == STATUS_OK
               ? memset((char *)*items + (size_t)(*count)++ * size, 0, size)
               : NULL;
}

#define APPEND(items, count) append((void **)(items), (count), sizeof **(items))

/* ---- Lines ------------------------------------------------------------------------- */

/* Reads the next line that is neither empty nor a comment, without white space around
 * it. */
static bool read_line(FILE *stream, char line[LINE])
{
    do {
        if (!fgets(line, LINE, stream)) {
            return false;
        }
        ensight_trim(line);
    } while (line[0] == '\0' || line[0] == '#');
    return true;
}

static bool begins(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

/* What stands behind the colon of "key: value"; NULL: it is another key. */
static const char *value_of(const char *line, const char *key)
{
    const char *colon = strchr(line, ':');
    if (!colon || !begins(line, key)) {
        return NULL;
    }
    const char *end = line + strlen(key);
    end += strspn(end, " \t");
    return end == colon ? colon + 1 + strspn(colon + 1, " \t") : NULL;
}

bool ensight_case_is(FILE *stream)
{
    char line[LINE];
    fseek(stream, 0, SEEK_SET);
    const size_t size = fread(line, 1, sizeof line, stream);
    fseek(stream, 0, SEEK_SET);
    /* Bytes of 0 would look like empty lines, up to the end of a large file. */
    return !memchr(line, 0, size) && read_line(stream, line) &&
           strcasecmp(line, "FORMAT") == 0 && read_line(stream, line) &&
           value_of(line, "type");
}

/* ---- Files of geometry and variables ----------------------------------------------- */

/* A whole number within bounds of which sums stay in range. */
static int64_t whole(const char *text)
{
    const int64_t most = INT64_C(1) << 40, value = strtoll(text, NULL, 10);
    return value < -most ? -most : value < most ? value : most;
}

static int count_words(const char *text)
{
    int words = 0;
    for (text += strspn(text, " \t"); *text != '\0'; text += strspn(text, " \t")) {
        words++;
        text += strcspn(text, " \t");
    }
    return words;
}

/* Takes [time set] [file set] off a text, of which at least `words` words are left. */
static const char *take_sets(const char *text, int words, ensight_item *item)
{
    int64_t *const sets[] = {&item->times, &item->files};
    for (int n = 0; n < 2 && count_words(text) > words; n++) {
        char *end;
        const int64_t number = strtoll(text, &end, 10);
        if (end == text || !isspace((unsigned char)*end)) {
            break;
        }
        *sets[n] = number;
        text = end + strspn(end, " \t");
    }
    return text;
}

/* Takes the name of a file, maybe in quotes. */
static bool take_pattern(const char *text, ensight_item *item)
{
    const bool is_quoted = text[0] == '"';
    const char *options = strstr(text, " change_coords_only");
    const size_t length = is_quoted ? strcspn(text + 1, "\"")
                          : options ? (size_t)(options - text)
                                    : strlen(text);
    snprintf(item->pattern, sizeof item->pattern, "%.*s", (int)length, text + is_quoted);
    return length > 0 && length < sizeof item->pattern;
}

static bool take_geometry(const char *text, ensight_item *item)
{
    return take_pattern(take_sets(text, 1, item), item);
}

/* Takes "scalar per node" and its like; false: it is none that karman reads. */
static bool take_kind(const char *key, ensight_item *out)
{
    static const struct {
        const char *name;
        int components;
    } kinds[] = {{"scalar", 1}, {"vector", 3}, {"tensor symm", 6}, {"tensor asym", 9}};
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        const size_t length = strlen(kinds[n].name);
        if (begins(key, kinds[n].name)) {
            const char *where = key + length + strspn(key + length, " \t");
            out->components = kinds[n].components;
            out->location = begins(where, "per element") ? GRID_CELL : GRID_VERTEX;
            return begins(where, "per element") || begins(where, "per node");
        }
    }
    return false;
}

/* Takes a line of the section VARIABLE. */
static status take_variable(ensight_case *c, io_catalog *catalog, const char *line)
{
    ensight_item item = {.components = 1};
    const char *colon = strchr(line, ':');
    if (!colon || begins(line, "constant")) {
        return STATUS_OK;
    }
    if (!take_kind(line, &item)) {
        return io_catalog_omit(catalog,
                               "'%.80s': karman reads scalars, vectors and "
                               "tensors per node and per element",
                               line);
    }
    const char *text = take_sets(colon + 1 + strspn(colon + 1, " \t"), 2, &item);
    const size_t length = strcspn(text, " \t");
    snprintf(item.name, sizeof item.name, "%.*s", (int)length, text);
    text += length;
    if (!take_pattern(text + strspn(text, " \t"), &item)) {
        return fail(c->path, "has a variable without a name and a file");
    }
    ensight_item *all = APPEND(&c->items, &c->nitems);
    if (all) {
        *all = item;
    }
    return all ? STATUS_OK : STATUS_MEMORY;
}

/* ---- Times and file sets ----------------------------------------------------------- */

/* Adds the numbers of a text to a list. */
static status take_list(const char *path, const char *text, ensight_list *list)
{
    for (char *end; *text != '\0'; text = end + strspn(end, " \t,")) {
        const double value = strtod(text, &end);
        if (end == text) {
            return fail(path, "has something that is no number in a list of numbers");
        }
        double *all = APPEND(&list->values, &list->count);
        if (!all) {
            return STATUS_MEMORY;
        }
        *all = value;
    }
    return STATUS_OK;
}

/* Adds the numbers of a file that the case file names. */
static status take_file(const ensight_case *c, const char *name, ensight_list *list)
{
    char path[ENSIGHT_PATH], line[LINE];
    FILE *stream = io_file_beside(c->path, name, path, sizeof path)
                       ? io_unpacked_stream(path)
                       : NULL;
    if (!stream) {
        return base_fail(STATUS_INPUT, "file '%s' of '%s' cannot be opened: %s", name,
                         c->path, strerror(errno));
    }
    status s = STATUS_OK;
    while (s == STATUS_OK && read_line(stream, line)) {
        s = take_list(path, line, list);
    }
    fclose(stream);
    return s;
}

/* Takes a line of the section TIME; *list: where numbers of further lines go. */
static status take_time(ensight_case *c, const char *line, ensight_list **list)
{
    const char *value = value_of(line, "time set");
    if (value) {
        ensight_times *set = APPEND(&c->sets, &c->nsets);
        if (set) {
            set->number = whole(value);
            set->increment = 1.0;
        }
        *list = NULL;
        return set ? STATUS_OK : STATUS_MEMORY;
    }
    if (c->nsets == 0) {
        return fail(c->path, "has no 'time set' before its times");
    }
    ensight_times *set = &c->sets[c->nsets - 1];
    if ((value = value_of(line, "number of steps"))) {
        set->count = whole(value);
    } else if ((value = value_of(line, "filename start number"))) {
        set->start = strtod(value, NULL);
    } else if ((value = value_of(line, "filename increment"))) {
        set->increment = strtod(value, NULL);
    } else if ((value = value_of(line, "filename numbers file"))) {
        return take_file(c, value, &set->numbers);
    } else if ((value = value_of(line, "time values file"))) {
        return take_file(c, value, &set->times);
    } else if ((value = value_of(line, "filename numbers"))) {
        *list = &set->numbers;
        return take_list(c->path, value, *list);
    } else if ((value = value_of(line, "time values"))) {
        *list = &set->times;
        return take_list(c->path, value, *list);
    } else if (*list && !strchr(line, ':')) {
        return take_list(c->path, line, *list);
    }
    return STATUS_OK;
}

/* Takes a line of the section FILE. */
static status take_file_set(ensight_case *c, const char *line)
{
    const char *set = value_of(line, "file set"),
               *index = value_of(line, "filename index");
    const char *steps = value_of(line, "number of steps");
    ensight_part_of_set *last = c->nfiles > 0 ? &c->files[c->nfiles - 1] : NULL;
    const int64_t number = last ? last->number : 0;
    if ((set || index) && !(index && last && last->count == 0)) {
        last = APPEND(&c->files, &c->nfiles);
    }
    if (!last) {
        return set || index ? STATUS_MEMORY
                            : fail(c->path, "has no 'file set' before its steps");
    }
    last->number = set ? whole(set) : number;
    last->index = index ? whole(index) : last->index;
    last->count = steps ? whole(steps) : last->count;
    return STATUS_OK;
}

/* ---- The case file ----------------------------------------------------------------- */

/* Takes the line "type: ensight gold"; EnSight 6 has no word behind "ensight". */
static status take_type(const char *path, const char *type, bool *is_six)
{
    *is_six = strcasecmp(type, "ensight") == 0;
    if (*is_six || begins(type, "ensight gold") || begins(type, "master_server")) {
        return STATUS_OK;
    }
    return base_fail(STATUS_INPUT,
                     "EnSight case file '%s' is of the type '%.40s': karman reads "
                     "'ensight gold' and 'ensight'; save it with ParaView as .vtm",
                     path, type);
}

static status take_server(ensight_case *c, const char *value)
{
    char(*name)[ENSIGHT_PATTERN] = APPEND(&c->servers, &c->nservers);
    if (name) {
        snprintf(*name, sizeof *name, "%.*s", ENSIGHT_PATTERN - 1, value);
    }
    return name ? STATUS_OK : STATUS_MEMORY;
}

/* Takes a line of a section, which its first letters tell. */
static status take_line(ensight_case *c, io_catalog *catalog, const char *section,
                        const char *line, ensight_list **list)
{
    const char *value = NULL;
    status s = STATUS_OK;
    if (begins(section, "FORMAT")) {
        value = value_of(line, "type");
        s = value ? take_type(c->path, value, &c->is_six) : STATUS_OK;
    } else if (begins(section, "GEOMETRY")) {
        value = value_of(line, "model");
        s = value && !take_geometry(value, &c->geometry)
                ? fail(c->path, "has a model without a file")
            : !value ? io_catalog_omit(catalog, "'%.80s': karman reads 'model'", line)
                     : STATUS_OK;
    } else if (begins(section, "VARIABLE")) {
        s = take_variable(c, catalog, line);
    } else if (begins(section, "TIME")) {
        s = take_time(c, line, list);
    } else if (begins(section, "FILE")) {
        s = take_file_set(c, line);
    } else if (begins(section, "SERVERS")) {
        value = value_of(line, "casefile");
        s = value ? take_server(c, value) : STATUS_OK;
    }
    return s;
}

static status read_lines(ensight_case *c, io_catalog *catalog, FILE *stream)
{
    static const char *const sections[] = {"FORMAT",  "GEOMETRY", "VARIABLE",
                                           "TIME",    "FILE",     "MATERIAL",
                                           "SERVERS", "SCRIPTS",  "BLOCK_CONTINUATION"};
    char line[LINE];
    const char *section = "";
    ensight_list *list = NULL;
    status s = STATUS_OK;
    while (s == STATUS_OK && read_line(stream, line)) {
        const char *next = NULL;
        for (size_t n = 0; n < sizeof sections / sizeof sections[0]; n++) {
            next = strcasecmp(line, sections[n]) == 0 ? sections[n] : next;
        }
        section = next ? next : section;
        s = next ? STATUS_OK : take_line(c, catalog, section, line, &list);
    }
    return s == STATUS_OK && ferror(stream)
               ? base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", c->path,
                           strerror(errno))
               : s;
}

static status check(const ensight_case *c)
{
    status s = c->geometry.pattern[0] == '\0' && c->nservers == 0
                   ? fail(c->path, "names no file of a geometry ('model:')")
                   : STATUS_OK;
    for (int64_t n = 0; n < c->nsets && s == STATUS_OK; n++) {
        const ensight_times *set = &c->sets[n];
        if (set->count < 1 || set->count > set->times.count ||
            (set->numbers.count > 0 && set->count > set->numbers.count)) {
            s = fail(c->path, "has a time set with fewer times or numbers than steps");
        }
    }
    return s;
}

status ensight_case_read(const char *path, io_catalog *catalog, ensight_case *out)
{
    FILE *stream = io_unpacked_stream(path);
    memset(out, 0, sizeof *out);
    if (!stream) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    snprintf(out->path, sizeof out->path, "%s", path);
    status s = read_lines(out, catalog, stream);
    fclose(stream);
    return s == STATUS_OK ? check(out) : s;
}

void ensight_case_clear(ensight_case *c)
{
    for (int64_t n = 0; n < c->nsets; n++) {
        free(c->sets[n].numbers.values);
        free(c->sets[n].times.values);
    }
    free(c->sets);
    free(c->items);
    free(c->files);
    free(c->servers);
    memset(c, 0, sizeof *c);
}

/* ---- Steps ------------------------------------------------------------------------- */

const ensight_times *ensight_case_times(const ensight_case *c, const ensight_item *item)
{
    const bool has_number = strchr(item->pattern, '*') != NULL;
    for (int64_t n = 0; n < c->nsets && (has_number || item->files > 0); n++) {
        if (item->times == 0 || c->sets[n].number == item->times) {
            return &c->sets[n];
        }
    }
    return NULL;
}

double ensight_times_number(const ensight_times *set, int64_t step)
{
    return set->numbers.count > 0 ? set->numbers.values[step]
                                  : set->start + (double)step * set->increment;
}

/* Puts a number in place of asterisks. */
static bool expand(const char *pattern, int64_t number, char out[ENSIGHT_PATTERN + 32])
{
    const char *star = strchr(pattern, '*');
    const int first = star ? (int)(star - pattern) : (int)strlen(pattern);
    const int width = star ? (int)strspn(star, "*") : 0;
    char digits[32] = "";
    if (star) {
        snprintf(digits, sizeof digits, "%0*" PRId64, width < 20 ? width : 20, number);
    }
    snprintf(out, ENSIGHT_PATTERN + 32, "%.*s%s%s", first, pattern, digits,
             pattern + first + width);
    return !strchr(out, '*');
}

status ensight_case_locate(const ensight_case *c, const ensight_item *item, int64_t step,
                           char path[ENSIGHT_PATH], int64_t *inside)
{
    char name[ENSIGHT_PATTERN + 32];
    const ensight_times *set = ensight_case_times(c, item);
    double number = set ? ensight_times_number(set, step) : 0.0;
    bool is_known = false, is_there = item->files == 0;
    *inside = 0;
    for (int64_t n = 0; n < c->nfiles && !is_there; n++) {
        const ensight_part_of_set *files = &c->files[n];
        if (files->number == item->files) {
            is_there = step < files->count;
            is_known = true;
            *inside = step;
            number = (double)files->index;
            step -= files->count;
        }
    }
    if (!is_known && !strchr(item->pattern, '*')) {
        *inside = set ? step : 0;
    } else if (!is_there) {
        return fail(c->path, "has a file set with fewer steps than its time set");
    }
    if (!(number > -1e15 && number < 1e15) ||
        !expand(item->pattern, (int64_t)number, name) ||
        !io_file_beside(c->path, name, path, ENSIGHT_PATH)) {
        return fail(c->path, "has a name of a file without a number for its asterisks");
    }
    return STATUS_OK;
}
