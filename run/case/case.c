#include "case.h"

#include "base/log.h"
#include "base/parallel/share.h"
#include "frame/config_load.h"
#include "io/config/config.h"
#include "io/source.h"
#include "io/sources/listing/listing.h"
#include "io/sources/listing/section.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool case_is_data(MPI_Comm comm, const char *path)
{
    int is_data = parallel_rank(comm) == 0 && io_source_is_data(path);
    parallel_bcast(&is_data, 1, MPI_INT, 0, comm);
    return is_data != 0;
}

/* A path in quotes, as YAML and JSON have them; malloc'ed, NULL if it is no UTF-8. */
static char *quote(const char *path)
{
    json_t *json = json_string(path);
    char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    json_decref(json);
    return quoted;
}

static status fail_path(const char *path)
{
    return base_fail(STATUS_USAGE, "the path '%s' is no UTF-8: rename it", path);
}

/* Data files whose pictures stand beside each other. */
typedef struct case_files {
    int count;
    const char *const *paths; /* [count] */
} case_files;

/* The name of a file without folder and extension; malloc'ed, NULL if memory is short.
 * Replaces percent signs, which would belong to a pattern. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char *stem = strndup(name, length);
    for (char *at = stem; at && *at; at++) {
        *at = *at == '%' ? '_' : *at;
    }
    return stem;
}

/* The name of the pictures of data files: their names, with - between them. */
static status choose_frames(const case_files *files, case_frames which, char **frames)
{
    size_t size = 0;
    FILE *stream = open_memstream(frames, &size);
    bool works = stream != NULL;
    for (int n = 0; n < files->count && works; n++) {
        char *stem = stem_of(files->paths[n]);
        works = stem && fprintf(stream, "%s%s", n > 0 ? "-" : "", stem) >= 0;
        free(stem);
    }
    if (stream) {
        fputs(which != CASE_LAST ? "_%04d.png" : ".png", stream);
        works = fclose(stream) == 0 && works;
    }
    return works ? STATUS_OK : base_fail_memory(size, "the name of a picture");
}

/* ---- The data ---------------------------------------------------------------------- */

static status fail_listing(const io_listing *listing, const io_guess *guess)
{
    const char *reason = listing->obstacle ? listing->obstacle : guess->reason;
    return base_fail(
        STATUS_INPUT,
        "no grid was found in '%s'%s%s; 'karman info %s' lists what it holds",
        listing->file, reason[0] != '\0' ? ": " : "", reason, listing->file);
}

/* Prints the section of a file of another layout, as guessed from names and shapes. */
static status print_guess(const io_listing *listing, FILE *stream)
{
    io_guess *guess = NULL;
    status s = io_guess_create(listing, &guess);
    if (s != STATUS_OK) {
        return s;
    }
    if (listing->obstacle || guess->chosen < 0) {
        s = fail_listing(listing, guess);
    } else {
        io_section_write(stream, listing->file, guess);
        base_log_warning(
            "%s has a layout of its own: grid and fields are guessed from names "
            "and shapes, as 'karman info %s' shows",
            listing->file, listing->file);
        if (guess->reason[0] != '\0') {
            base_log_warning("%s: %s", listing->file, guess->reason);
        }
    }
    io_guess_destroy(&guess);
    return s;
}

static status print_data(const char *path, FILE *stream)
{
    io_listing *listing = NULL;
    char *quoted = quote(path);
    status s = quoted ? io_source_list(path, &listing) : fail_path(path);
    if (s == STATUS_OK && listing) {
        s = print_guess(listing, stream);
    } else if (s == STATUS_OK) {
        fprintf(stream, "data:\n  file: %s\n", quoted);
    }
    io_listing_destroy(&listing);
    free(quoted);
    return s;
}

/* ---- The rest ---------------------------------------------------------------------- */

/* Whether names without folders tell the files apart. */
static bool have_names(const case_files *files)
{
    bool have = true;
    for (int n = 0; n < files->count; n++) {
        for (int k = 0; k < n; k++) {
            have = have &&
                   strcmp(case_place(files->paths[n]), case_place(files->paths[k])) != 0;
        }
    }
    return have;
}

/* Prints the cells of several files, in columns of cells as wide as 1.6 times their
 * height. */
static status print_cells(const case_files *files, FILE *stream)
{
    enum { WIDTH = 1920 };
    const int columns = files->count < CASE_MOST_FILES ? files->count : 2;
    const int rows = (files->count + columns - 1) / columns;
    fprintf(stream, "image: {width: %d, height: %d}\npictures:\n", WIDTH,
            WIDTH / columns * 5 / 8 * rows);
    for (int n = 0; n < files->count; n++) {
        const char *path = files->paths[n];
        char *title = quote(have_names(files) ? case_place(path) : path);
        char *file = quote(path);
        const int row = rows - 1 - n / columns;
        if (title && file) {
            fprintf(stream, "  - {name: file_%d, place: [%.9g, %.9g, %.9g, %.9g], ",
                    n + 1, n % columns / (double)columns, row / (double)rows,
                    1.0 / columns, 1.0 / rows);
            fprintf(stream, "annotations: {title: %s}", title);
            fprintf(stream, n > 0 ? ", data: {file: %s}}\n" : "}\n", file);
        }
        const bool works = title && file;
        free(title);
        free(file);
        if (!works) {
            return fail_path(path);
        }
    }
    return STATUS_OK;
}

/* files: none for arrays. */
static status print_case(const case_files *files, const char *frames, case_frames which,
                         FILE *stream)
{
    char *quoted = quote(frames);
    fputs(IO_CONFIG_MADE, stream);
    status s = quoted ? STATUS_OK : fail_path(frames);
    if (s == STATUS_OK && files->count > 0) {
        s = print_data(files->paths[0], stream);
    } else if (s == STATUS_OK) {
        fputs("data:\n  file: arrays\n", stream);
    }
    if (s == STATUS_OK) {
        fprintf(stream, "  steps: %s\n", which == CASE_STEPS ? "all" : "last");
    }
    if (s == STATUS_OK && files->count > 1) {
        s = print_cells(files, stream);
    } else if (s == STATUS_OK) {
        fputs("image: {width: 1280, height: 800}\n", stream);
    }
    if (s == STATUS_OK) {
        fprintf(stream,
                "look: auto\n"
                "camera: auto\n"
                "layers: auto\n"
                "annotations: {scalar_bar: auto}\n"
                "output: {frames: %s}\n",
                quoted);
    }
    free(quoted);
    return s;
}

static status write_case(const case_files *files, const char *frames, case_frames which,
                         char **text)
{
    size_t size = 0;
    FILE *stream = open_memstream(text, &size);
    if (!stream) {
        return base_fail_memory(0, "the config of the data");
    }
    const status s = print_case(files, frames, which, stream);
    return fclose(stream) == 0 || s != STATUS_OK
               ? s
               : base_fail_memory(size, "the config of the data");
}

/* Makes the config on rank 0. */
static status make_case(const case_files *files, case_frames which, char **text)
{
    char *frames = NULL;
    status s = choose_frames(files, which, &frames);
    s = s == STATUS_OK ? write_case(files, frames, which, text) : s;
    free(frames);
    return s;
}

status case_make_of_arrays(const char *name, char **text)
{
    const case_files none = {0};
    char *made = NULL;
    const status s = write_case(&none, name, CASE_LAST, &made);
    if (s != STATUS_OK) {
        free(made);
        return s;
    }
    *text = made;
    return STATUS_OK;
}

const char *case_place(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] != '\0' ? slash + 1 : path;
}

status case_make_beside(MPI_Comm comm, int count, const char *const *paths,
                        case_frames which, char **text)
{
    const case_files files = {count, paths};
    char *made = NULL;
    status s = parallel_rank(comm) == 0 ? make_case(&files, which, &made) : STATUS_OK;
    int64_t bytes = made ? (int64_t)strlen(made) : 0;
    s = parallel_share_text(comm, s, &made, &bytes, "the config of a data file");
    if (s != STATUS_OK) {
        free(made);
        return s;
    }
    *text = made;
    return STATUS_OK;
}

status case_make(MPI_Comm comm, const char *path, case_frames which, char **text)
{
    return case_make_beside(comm, 1, &path, which, text);
}

/* ---- Paths ------------------------------------------------------------------------- */

status case_path(const char *config, const char *path, char **quoted)
{
    char here[PATH_MAX] = "";
    const bool is_here = strchr(config, '/') == NULL || path[0] == '/';
    if (!is_here && !getcwd(here, sizeof here)) {
        return base_fail(STATUS_INPUT, "the working directory is not there any more");
    }
    const size_t size = strlen(here) + strlen(path) + 2;
    char *whole = malloc(size);
    if (!whole) {
        return base_fail_memory(size, "a path");
    }
    snprintf(whole, size, "%s%s%s", here, is_here ? "" : "/", path);
    *quoted = quote(whole);
    free(whole);
    return *quoted ? STATUS_OK : fail_path(path);
}

/* ---- Steps ------------------------------------------------------------------------- */

static status fail_steps(const char *text)
{
    return base_fail(STATUS_USAGE,
                     "--steps %s: give A:B or A:B:C with whole numbers, one number, "
                     "'first', 'last', or numbers with commas between them",
                     text);
}

/* Whether [text, text + length) is a whole number or, if `or_word`, an end of the steps.
 */
static bool is_step(const char *text, size_t length, bool or_word)
{
    size_t digits = 0;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9') {
        digits++;
    }
    return (digits == length && length > 0 && length <= 18) ||
           (or_word && ((length == 5 && strncmp(text, "first", 5) == 0) ||
                        (length == 4 && strncmp(text, "last", 4) == 0)));
}

/* Whether the text is of steps with one of `separators` between them. *count: of them. */
static bool are_steps(const char *text, const char *separators, bool or_word, int *count)
{
    for (*count = 1;; ++*count) {
        const size_t length = strcspn(text, separators);
        if (!is_step(text, length, or_word && *count < 3)) {
            return false;
        }
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

status case_steps(const char *text, char **out)
{
    int count;
    const bool is_range = are_steps(text, ":", true, &count) && count <= 3;
    const bool is_list = !is_range && are_steps(text, ",", false, &count);
    if (!is_range && !is_list && strcmp(text, "all") != 0) {
        return fail_steps(text);
    }
    const size_t size = 2 * strlen(text) + 32;
    *out = malloc(size);
    if (!*out) {
        return base_fail_memory(size, "the steps");
    }
    const bool is_one = count == 1 || (!is_range && !is_list);
    snprintf(*out, size, "data.steps=%s%s%s",
             is_one     ? ""
             : is_range ? "["
                        : "{list: [",
             text,
             is_one     ? ""
             : is_range ? "]"
                        : "]}");
    for (char *c = *out; *c != '\0' && is_range; c++) {
        *c = *c == ':' ? ',' : *c;
    }
    return STATUS_OK;
}

void case_name_steps(const char *steps, const char *override)
{
    char place[256];
    const int length =
        snprintf(place, sizeof place, "--set %s: data.steps: ", override ? override : "");
    const char *message = base_fail_message();
    if (override && length < (int)sizeof place &&
        strncmp(message, place, (size_t)length) == 0) {
        char *rest = strdup(message + length);
        base_fail_set_message("");
        base_fail(STATUS_USAGE, "--steps %s: %s", steps, rest ? rest : "is not possible");
        free(rest);
    }
}

status case_load(MPI_Comm comm, const char *path, int noverrides,
                 const char *const *overrides, io_config **out)
{
    char *text = NULL;
    frame_job_options options = {.noverrides = noverrides, .overrides = overrides};
    const char *place = path;
    status s = STATUS_OK;
    if (case_is_data(comm, path)) {
        s = case_make(comm, path, CASE_STEPS, &text);
        options.text = text;
        place = case_place(path);
    }
    s = s == STATUS_OK ? frame_config_load_for(comm, place, &options, out) : s;
    free(text);
    return s;
}

void case_drop_place(const char *path)
{
    static const char key[] = "data.file: ", entry[] = "pictures.";
    const char *place = case_place(path);
    const size_t length = strlen(place);
    const char *rest = base_fail_message();
    char message[2048];
    if (strncmp(rest, place, length) != 0 || strncmp(rest + length, ": ", 2) != 0) {
        return;
    }
    rest += length + 2;
    rest = strncmp(rest, entry, sizeof entry - 1) == 0 && strstr(rest, ": ")
               ? strstr(rest, ": ") + 2
               : rest;
    if (strncmp(rest, key, sizeof key - 1) == 0) {
        snprintf(message, sizeof message, "%s", rest + sizeof key - 1);
        base_fail_set_message(message);
    }
}
