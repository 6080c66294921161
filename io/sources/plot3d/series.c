#include "series.h"

#include "base/array.h"
#include "io/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 256, MOST_DIGITS = 18 };

/* Names of files that consist of these parts, with a number between them. */
typedef struct name_pattern {
    char before[NAME];
    char behind[NAME];
    bool has_number;
    int width; /* least number of digits */
} name_pattern;

void plot3d_series_clear(plot3d_series *series)
{
    for (int n = 0; n < series->count; n++) {
        free(series->members[n].path);
        plot3d_header_clear(&series->members[n].header);
    }
    free(series->members);
    *series = (plot3d_series){0};
}

plot3d_member *plot3d_series_at(const plot3d_series *series, int64_t number)
{
    for (int n = 0; n < series->count; n++) {
        if (!series->has_numbers || series->members[n].step.step.number == number) {
            return &series->members[n];
        }
    }
    return NULL;
}

/* ---- Folders ----------------------------------------------------------------------- */

/* Splits a path into its folder, with the slash or "", and its name. */
static const char *split(const char *path, size_t *folder)
{
    const char *slash = strrchr(path, '/');
    *folder = slash ? (size_t)(slash + 1 - path) : 0;
    return path + *folder;
}

static char *join(const char *path, size_t folder, const char *name)
{
    const size_t size = folder + strlen(name) + 1;
    char *joined = malloc(size);
    if (joined) {
        snprintf(joined, size, "%.*s%s", (int)folder, path, name);
    }
    return joined;
}

/* Whether a name matches; *step becomes its number. */
static bool matches(const name_pattern *pattern, const char *name, io_named_step *step)
{
    const size_t before = strlen(pattern->before), behind = strlen(pattern->behind);
    const size_t length = strlen(name);
    if (length < before + behind || strncmp(name, pattern->before, before) != 0 ||
        strcmp(name + length - behind, pattern->behind) != 0) {
        return false;
    }
    const char *digits = name + before;
    const size_t count = length - before - behind;
    *step = (io_named_step){.name = "0"};
    if (!pattern->has_number) {
        return count == 0;
    }
    if (count < 1 || count > MOST_DIGITS || count < (size_t)pattern->width ||
        strspn(digits, "0123456789") < count) {
        return false;
    }
    memcpy(step->name, digits, count);
    step->name[count] = '\0';
    step->step.number = strtoll(step->name, NULL, 10);
    return true;
}

static status add(plot3d_series *series, const io_named_step *step, char *path)
{
    if (!path || base_array_room(series->members, series->count, 1, NULL) != STATUS_OK) {
        free(path);
        return base_fail_memory(sizeof *series->members, "the files of steps");
    }
    series->members[series->count++] = (plot3d_member){.step = *step, .path = path};
    return STATUS_OK;
}

static int compare(const void *a, const void *b)
{
    const plot3d_member *left = a, *right = b;
    const int64_t m = left->step.step.number, n = right->step.step.number;
    return m != n ? (m < n ? -1 : 1) : strcmp(left->path, right->path);
}

/* A folder that may be passed through, but not listed, has nothing to find. */
static status open_folder(const char *name, DIR **out)
{
    *out = name ? opendir(name) : NULL;
    return !name ? base_fail_memory(0, "the name of a folder")
           : *out || errno == EACCES || errno == ENOENT
               ? STATUS_OK
               : base_fail(STATUS_INPUT, "the folder '%s' cannot be read: %s", name,
                           strerror(errno));
}

/* Finds the files in the folder of `path` that match. */
static status scan(const char *path, const name_pattern *pattern, plot3d_series *out)
{
    size_t folder;
    split(path, &folder);
    char *name = join(path, folder, folder > 0 ? "" : ".");
    DIR *listing = NULL;
    status s = open_folder(name, &listing);
    free(name);
    *out = (plot3d_series){.has_numbers = pattern->has_number};
    for (struct dirent *entry; listing && s == STATUS_OK && (entry = readdir(listing));) {
        io_named_step step;
        if (matches(pattern, entry->d_name, &step)) {
            s = add(out, &step, join(path, folder, entry->d_name));
        }
    }
    if (listing) {
        closedir(listing);
    }
    if (out->count > 1) {
        qsort(out->members, (size_t)out->count, sizeof *out->members, compare);
    }
    return s;
}

/* ---- Patterns of a config ---------------------------------------------------------- */

/* Appends a character; false if there is no space. */
static bool append(char text[NAME], char c)
{
    const size_t length = strlen(text);
    if (length + 1 < NAME) {
        text[length] = c;
        text[length + 1] = '\0';
    }
    return length + 1 < NAME;
}

/* Takes a name with %d or %0Nd apart. The config's check has admitted no other. */
static bool parse(const char *name, name_pattern *out)
{
    *out = (name_pattern){.has_number = false};
    bool fits = true;
    for (const char *c = name; *c != '\0' && fits; c++) {
        if (*c == '%' && c[1] != '%') {
            char *end;
            out->width = (int)strtol(c + 1, &end, 10);
            out->has_number = true;
            c = end;
            continue;
        }
        c += *c == '%';
        fits = append(out->has_number ? out->behind : out->before, *c);
    }
    return fits;
}

static status check_numbers(const plot3d_series *series)
{
    for (int n = 1; n < series->count; n++) {
        const plot3d_member *a = &series->members[n - 1], *b = &series->members[n];
        if (a->step.step.number == b->step.step.number) {
            return base_fail(STATUS_INPUT,
                             "step %" PRId64 " has two files, '%s' and '%s': remove one",
                             a->step.step.number, a->path, b->path);
        }
    }
    return STATUS_OK;
}

/* A single file is opened by its name, so that a missing one says why. */
static status take_single(const char *pattern, const name_pattern *name,
                          plot3d_series *out)
{
    size_t folder;
    split(pattern, &folder);
    const io_named_step step = {.name = "0"};
    *out = (plot3d_series){.has_numbers = false};
    return add(out, &step, join(pattern, folder, name->before));
}

/* In a pattern, "%%" stands for a percent sign of the folder. */
static char *take_folder(const char *pattern)
{
    size_t folder, to = 0;
    const char *name = split(pattern, &folder);
    char *path = malloc(strlen(pattern) + 1);
    for (size_t n = 0; n < folder && path; n++) {
        path[to++] = pattern[n];
        n += pattern[n] == '%' && pattern[n + 1] == '%';
    }
    if (path) {
        strcpy(path + to, name);
    }
    return path;
}

static status find_named(const char *key, const char *pattern, plot3d_series *out)
{
    size_t folder;
    name_pattern name;
    if (!parse(split(pattern, &folder), &name)) {
        return base_fail(STATUS_INPUT, "%s: the name '%.40s…' is too long", key, pattern);
    }
    status s =
        name.has_number ? scan(pattern, &name, out) : take_single(pattern, &name, out);
    if (s == STATUS_OK && out->count == 0) {
        s = base_fail(STATUS_INPUT, "%s: no file has the name '%s'", key, pattern);
    }
    return s == STATUS_OK ? check_numbers(out) : s;
}

status plot3d_series_find(const char *key, const char *pattern, plot3d_series *out)
{
    char *path = take_folder(pattern);
    *out = (plot3d_series){0};
    status s =
        path ? find_named(key, path, out) : base_fail_memory(strlen(pattern), "a path");
    if (s != STATUS_OK) {
        plot3d_series_clear(out);
    }
    free(path);
    return s;
}

/* ---- Files beside the grid --------------------------------------------------------- */

/* Endings of files, and words for grids in their names, and what stands for them in names
 * of other files. */
typedef struct relation {
    const char *word; /* in the name of the grid; NULL: its ending */
    const char *other;
} relation;

static const relation of_q[] = {{NULL, ".q"},     {NULL, ".Q"},    {NULL, ".sol"},
                                {"xyz", "q"},     {"grid", "q"},   {"grid", "sol"},
                                {"grid", "flow"}, {"mesh", "sol"}, {"mesh", "flow"},
                                {"XYZ", "Q"},     {"grd", "q"},    {"x", "q"}};
static const relation of_function[] = {
    {NULL, ".f"}, {NULL, ".fun"}, {NULL, ".F"},    {NULL, ".fn"},
    {"xyz", "f"}, {"grid", "f"},  {"grid", "fun"}, {"grid", "function"}};
static const relation of_names[] = {
    {NULL, ".nam"}, {NULL, ".name"}, {NULL, ".names"}, {"xyz", "f.nam"}, {"grid", "nam"}};

enum { FORMS = 8 };

/* The last place of a word before the ending of a name; NULL: none. */
static const char *find_word(const char *name, const char *word)
{
    const char *dot = strrchr(name, '.'), *found = NULL;
    for (const char *at = strstr(name, word); at; at = strstr(at + 1, word)) {
        found = !dot || at < dot ? at : found;
    }
    return found;
}

/* Makes the name of another file from that of a grid: all before the place of a number,
 * and all behind. */
static bool relate(const char *grid, const relation *r, name_pattern *out)
{
    const char *dot = strrchr(grid, '.');
    const char *at = r->word ? find_word(grid, r->word) : dot ? dot : grid + strlen(grid);
    *out = (name_pattern){.has_number = false};
    if (!at || strlen(grid) + 16 > NAME) {
        return false;
    }
    const int before = (int)(at - grid);
    if (r->word) {
        snprintf(out->before, NAME, "%.*s%s", before, grid, r->other);
        snprintf(out->behind, NAME, "%s", at + strlen(r->word));
    } else {
        snprintf(out->before, NAME, "%.*s", before, grid);
        snprintf(out->behind, NAME, "%s", r->other);
    }
    return true;
}

/* Forms of a name: itself, with a number inside, with a number at its end, with a number
 * in place of its ending, and as OVERFLOW saves it: q.save beside grid.in. */
static name_pattern make_form(const name_pattern *name, int form)
{
    enum { AT_END = 5, FOR_ENDING, SAVED };
    static const char *const inside[] = {"", "", "_", ".", "-"};
    name_pattern made = *name;
    made.has_number = form > 0 && form != SAVED;
    if (form < AT_END) {
        strncat(made.before, inside[form], NAME - strlen(made.before) - 1);
        return made;
    }
    snprintf(made.before, NAME, "%.120s%.120s.", name->before,
             form == AT_END ? name->behind : "");
    snprintf(made.behind, NAME, "%s", form == SAVED ? "save" : "");
    return made;
}

/* Whether the files fit the grid, by the first of them. */
static status check_fit(const plot3d_series *series, const plot3d_request *request)
{
    plot3d_request one = *request;
    plot3d_header header = {0};
    one.path = series->members[0].path;
    const status s = plot3d_header_look(&one, &header);
    plot3d_header_clear(&header);
    return s;
}

/* Takes the files that were found, if they fit. Notes the first reason against others. */
static status judge(plot3d_series *found, const plot3d_request *request,
                    plot3d_series *out)
{
    const bool has_order = found->count > 0 && check_numbers(found) == STATUS_OK;
    const status fit = has_order ? check_fit(found, request) : STATUS_OK;
    if (has_order && fit == STATUS_OK) {
        *out = *found;
        return STATUS_OK;
    }
    if (found->count > 0 && out->refusal[0] == '\0') {
        snprintf(out->refusal, sizeof out->refusal, "%s", base_fail_message());
    }
    plot3d_series_clear(found);
    return plot3d_header_pass(fit);
}

static status try_relation(const char *grid_path, const relation *r,
                           const plot3d_request *request, plot3d_series *out)
{
    size_t folder;
    name_pattern name;
    status s = STATUS_OK;
    if (!relate(split(grid_path, &folder), r, &name)) {
        return STATUS_OK;
    }
    for (int form = 0; form < FORMS && s == STATUS_OK && out->count == 0; form++) {
        const name_pattern made = make_form(&name, form);
        plot3d_series found = {0};
        s = scan(grid_path, &made, &found);
        if (s == STATUS_OK) {
            s = judge(&found, request, out);
        }
    }
    return s;
}

/* ---- Files of any name ------------------------------------------------------------- */

/* Files that are looked at in a folder. */
enum { MOST_LOOKED_AT = 1000 };

/* Adds a file of the folder if its blocks are those of the grid, and its length follows
 * from them. */
static status try_any(const char *grid_path, const char *name,
                      const plot3d_request *request, plot3d_series *out)
{
    size_t folder;
    const char *grid_name = split(grid_path, &folder);
    char *path = join(grid_path, folder, name);
    plot3d_request one = *request;
    plot3d_header header = {0};
    const io_named_step step = {.name = "0"};
    one.path = path;
    one.is_counted = true;
    const bool is_other =
        path && strcmp(name, grid_name) != 0 && !io_file_is_same(path, grid_path);
    const status looked = is_other ? plot3d_header_look(&one, &header) : STATUS_OK;
    plot3d_header_clear(&header);
    if (is_other && looked == STATUS_OK) {
        return add(out, &step, path);
    }
    free(path);
    return plot3d_header_pass(looked);
}

static status list_fitting(const char *grid_path, const plot3d_request *request,
                           plot3d_series *out)
{
    size_t folder;
    split(grid_path, &folder);
    char *path = join(grid_path, folder, folder > 0 ? "" : ".");
    DIR *listing = NULL;
    status s = open_folder(path, &listing);
    int looked_at = 0;
    for (struct dirent *entry; listing && s == STATUS_OK && looked_at < MOST_LOOKED_AT &&
                               (entry = readdir(listing));
         looked_at++) {
        s = try_any(grid_path, entry->d_name, request, out);
    }
    if (listing) {
        closedir(listing);
    }
    free(path);
    if (out->count > 1) {
        qsort(out->members, (size_t)out->count, sizeof *out->members, compare);
    }
    return s;
}

/* The last number of a name becomes that of a pattern; false: it has none. */
static bool find_pattern(const char *name, name_pattern *out)
{
    size_t end = strlen(name);
    while (end > 0 && !isdigit((unsigned char)name[end - 1])) {
        end--;
    }
    size_t start = end;
    while (start > 0 && isdigit((unsigned char)name[start - 1])) {
        start--;
    }
    *out = (name_pattern){.has_number = true};
    snprintf(out->before, NAME, "%.*s", (int)start, name);
    snprintf(out->behind, NAME, "%s", name + end);
    return end > 0;
}

/* Whether the names differ in a number alone, which becomes that of the step. */
static bool number_files(plot3d_series *series)
{
    size_t folder;
    name_pattern pattern;
    bool are = find_pattern(split(series->members[0].path, &folder), &pattern);
    for (int n = 0; n < series->count && are; n++) {
        plot3d_member *member = &series->members[n];
        are = matches(&pattern, split(member->path, &folder), &member->step);
    }
    series->has_numbers = are;
    qsort(series->members, (size_t)series->count, sizeof *series->members, compare);
    return are && check_numbers(series) == STATUS_OK;
}

static status find_any(const char *grid_path, const plot3d_request *request,
                       plot3d_series *out)
{
    plot3d_series found = {0};
    status s = list_fitting(grid_path, request, &found);
    if (s == STATUS_OK &&
        (found.count == 1 || (found.count > 1 && number_files(&found)))) {
        *out = found;
        return s;
    }
    if (found.count > 1) {
        snprintf(out->refusal, sizeof out->refusal,
                 "%d files fit the grid, such as '%.180s' and '%.180s'", found.count,
                 found.members[0].path, found.members[1].path);
        base_fail_set_message("");
    }
    plot3d_series_clear(&found);
    return s;
}

status plot3d_series_beside(const char *grid_path, plot3d_kind kind,
                            const plot3d_request *request, plot3d_series *out)
{
    const bool is_q = kind == PLOT3D_Q;
    const relation *relations = is_q ? of_q : of_function;
    const size_t count =
        is_q ? sizeof of_q / sizeof of_q[0] : sizeof of_function / sizeof of_function[0];
    status s = STATUS_OK;
    *out = (plot3d_series){0};
    for (size_t n = 0; n < count && s == STATUS_OK && out->count == 0; n++) {
        s = try_relation(grid_path, &relations[n], request, out);
    }
    return s == STATUS_OK && out->count == 0 ? find_any(grid_path, request, out) : s;
}

/* Whether a file is a grid with the blocks of a file of values. */
static bool is_grid_of(const char *grid_path, const plot3d_request *values)
{
    const plot3d_request request = {
        .path = grid_path, .kind = PLOT3D_GRID, .is_counted = true};
    plot3d_request fitting = *values;
    plot3d_header grid = {0}, header = {0};
    bool is = !io_file_is_same(grid_path, values->path) &&
              plot3d_header_look(&request, &grid) == STATUS_OK;
    fitting.grid = &grid;
    is = is && plot3d_header_look(&fitting, &header) == STATUS_OK;
    base_fail_set_message("");
    plot3d_header_clear(&grid);
    plot3d_header_clear(&header);
    return is;
}

char *plot3d_series_grid(const char *path, plot3d_kind kind)
{
    size_t folder;
    split(path, &folder);
    char *folder_path = join(path, folder, folder > 0 ? "" : "."), *found = NULL;
    const plot3d_request values = {.path = path, .kind = kind};
    DIR *listing = folder_path ? opendir(folder_path) : NULL;
    int looked_at = 0;
    for (struct dirent *entry;
         listing && !found && looked_at < MOST_LOOKED_AT && (entry = readdir(listing));
         looked_at++) {
        found = join(path, folder, entry->d_name);
        if (found && !is_grid_of(found, &values)) {
            free(found);
            found = NULL;
        }
    }
    if (listing) {
        closedir(listing);
    }
    free(folder_path);
    return found;
}

char *plot3d_series_names(const char *grid_path)
{
    size_t folder;
    char *found = NULL;
    const char *grid = split(grid_path, &folder);
    for (size_t n = 0; n < sizeof of_names / sizeof of_names[0] && !found; n++) {
        name_pattern name;
        char whole[2 * NAME];
        if (relate(grid, &of_names[n], &name)) {
            snprintf(whole, sizeof whole, "%s%s", name.before, name.behind);
            found = join(grid_path, folder, whole);
        }
        if (found && access(found, R_OK) != 0) {
            free(found);
            found = NULL;
        }
    }
    return found;
}
