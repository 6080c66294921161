/* docs/user/config.md describes each key as the table of keys does. */
#include "io/config/keys/keys.h"
#include "io/config/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_ROWS = 512, ROW = 512, LINE = 4096 };

/* A row that a page must have, below one of the headings: the last parts of its path, or
 * the page of keys that several layers have. */
typedef struct row {
    char path[IO_DOCUMENT_PATH_SIZE], text[ROW];
    int found;
} row;

typedef struct page {
    int nrows;
    row rows[MOST_ROWS];
} page;

static void add_rows(page *p, const io_key *keys, const char *path)
{
    for (const io_key *key = keys; key->name != NULL; key++) {
        char type[160], otherwise[160], below[IO_DOCUMENT_PATH_SIZE];
        row *r = &p->rows[p->nrows];
        assert_in_range(p->nrows++, 0, MOST_ROWS - 1);
        snprintf(r->path, sizeof r->path, "%s", path);
        io_key_print_type(key, "`", sizeof type, type);
        io_key_print_default(key, "`", sizeof otherwise, otherwise);
        snprintf(r->text, sizeof r->text, "| `%s` | %s | %s | %s", key->name, type,
                 otherwise, key->help);
        snprintf(below, sizeof below, "%s%s%s", path, path[0] != '\0' ? "." : "",
                 key->name);
        if (key->below != NULL) {
            add_rows(p, key->below, below);
        }
    }
}

/* Whether the keys of a path may stand below a heading. Those of layers.volume.shade
 * stand below "volume", and those of all layers below "Colour and light". */
static bool may_stand(const char *path, const char *heading)
{
    const size_t length = strlen(heading);
    const bool is_shade = strstr(path, ".shade") != NULL;
    if (path[0] == '\0') {
        return strcmp(heading, "Keys") == 0;
    }
    if (strncmp(path, "layers", 6) == 0 && strcmp(heading, "Colour and light") == 0) {
        return true;
    }
    if (is_shade && strcmp(heading, "volume") == 0) {
        return true;
    }
    const char *part = strstr(path, heading);
    return length > 0 && part != NULL && (part == path || part[-1] == '.') &&
           (part[length] == '.' || part[length] == '\0');
}

/* Kinds of layers stand in a table of their own, with links. */
static bool is_kind(const row *r)
{
    return strcmp(r->path, "layers") == 0 && strncmp(r->text, "| `shown`", 9) != 0;
}

/* Marks the rows that a line of the page is; whether it is one. */
static bool mark(page *p, const char *heading, const char *line)
{
    bool is_known = false;
    for (int i = 0; i < p->nrows; i++) {
        row *r = &p->rows[i];
        const size_t length = strlen(r->text);
        if (may_stand(r->path, heading) && strncmp(line, r->text, length) == 0 &&
            strchr(" .,;:", line[length]) != NULL) {
            r->found++;
            is_known = true;
        }
    }
    return is_known;
}

/* Reads a page; how many rows of its tables of keys are no key's. */
static int read_page(page *p, const char *path)
{
    char line[LINE], heading[64] = "";
    bool is_table = false;
    int wrong = 0;
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream) != NULL) {
        if (line[0] == '#') {
            snprintf(heading, sizeof heading, "%.*s",
                     (int)strcspn(line + strspn(line, "# "), "\n"),
                     line + strspn(line, "# "));
        }
        if (line[0] != '|' || strncmp(line, "|---", 4) == 0) {
            is_table = is_table && line[0] == '|';
        } else if (strcmp(line, "| key | type | default | meaning |\n") == 0) {
            is_table = true;
        } else if (is_table && !mark(p, heading, line)) {
            fprintf(stderr, "below '%s', no key is: %s", heading, line);
            wrong++;
        }
    }
    fclose(stream);
    return wrong;
}

static int count_missing(const page *p)
{
    int missing = 0;
    for (int i = 0; i < p->nrows; i++) {
        if (p->rows[i].found == 0 && !is_kind(&p->rows[i])) {
            fprintf(stderr, "missing for '%s': %s\n", p->rows[i].path, p->rows[i].text);
            missing++;
        }
    }
    return missing;
}

static void check_page(const io_key *keys, const char *path)
{
    page *p = calloc(1, sizeof *p);
    assert_non_null(p);
    add_rows(p, keys, "");
    const int wrong = read_page(p, path);
    const int missing = count_missing(p);
    free(p);
    if (wrong > 0 || missing > 0) {
        fail_msg("%s: %d rows are no key's, %d keys lack their row", path, wrong,
                 missing);
    }
}

static void the_page_of_the_config_has_the_table_of_keys(void **state)
{
    (void)state;
    check_page(io_config_keys, KARMAN_SOURCE "/docs/user/config.md");
}

/* The text of help on one key, or all. */
static char *help_of(const char *path, status expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    base_fail_set_message("");
    assert_int_equal(io_keys_help(io_config_keys, path, stream), expected);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void help_says_all_of_a_key(void **state)
{
    (void)state;
    char *text = help_of("camera.fov", STATUS_OK);
    assert_string_equal(text, "camera.fov: full vertical angle of view, for perspective\n"
                              "  type     degrees, between 0 and 180\n"
                              "  default  30\n"
                              "  unit     degrees\n"
                              "  steered  yes: running programs take orders for it\n");
    free(text);
    text = help_of("data.file", STATUS_OK);
    assert_non_null(strstr(text, "  steered  no\n"));
    free(text);
    text = help_of("layers.0.volume", STATUS_OK);
    assert_non_null(strstr(text, "\nlayers.0.volume.shade\n  ambient "));
    free(text);
}

static void help_on_all_keys_names_each_of_them(void **state)
{
    (void)state;
    page *p = calloc(1, sizeof *p);
    assert_non_null(p);
    char *text = help_of(NULL, STATUS_OK);
    add_rows(p, io_config_keys, "");
    for (int i = 0; i < p->nrows; i++) {
        char name[64];
        snprintf(name, sizeof name, "\n  %.*s ", (int)strcspn(p->rows[i].text + 3, "`"),
                 p->rows[i].text + 3);
        assert_non_null(strstr(text, name));
    }
    free(text);
    free(p);
}

static void help_on_unknown_keys_names_the_nearest(void **state)
{
    (void)state;
    free(help_of("camera.fow", STATUS_USAGE));
    assert_string_equal(base_fail_message(),
                        "unknown key 'fow' in camera: did you mean 'fov'?");
    free(help_of("layers.volume.range.low", STATUS_USAGE));
    assert_string_equal(base_fail_message(),
                        "there are no keys below layers.volume.range");
    free(help_of("", STATUS_USAGE));
    assert_non_null(
        strstr(base_fail_message(), "in the config, which has: data, derive"));
}

/* Those that docs/user/config.md names. */
static void steerable_keys_are_those_of_the_page(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "image.width",  "camera.fov",        "layers.3.object.opacity",
        "clip.0.point", "annotations.title", "lights.1.intensity"};
    static const char *const others[] = {"data.steps",    "data.file", "composite.group",
                                         "output.frames", "memory",    "partition.kind"};
    bool is_steerable = false;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_non_null(io_keys_find(io_config_keys, paths[i], &is_steerable));
        assert_true(is_steerable);
        assert_non_null(io_keys_find(io_config_keys, others[i], &is_steerable));
        assert_false(is_steerable);
    }
}

/* Limits and units that running programs report for their settings. */
static void limits_are_those_of_the_range(void **state)
{
    (void)state;
    static const struct {
        const char *path, *unit;
        double low, high;
    } cases[] = {{"camera.fov", "degrees", 0.0, 180.0},
                 {"camera.near", "length", 0.0, INFINITY},
                 {"camera.position", "length", -INFINITY, INFINITY},
                 {"layers.2.grid.opacity", NULL, 0.0, 1.0},
                 {"layers.0.particles.tolerance", NULL, 0.0, 0.1},
                 {"image.background", NULL, 0.0, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double low = NAN, high = NAN;
        const io_key *key = io_keys_find(io_config_keys, cases[i].path, NULL);
        assert_non_null(key);
        io_key_limits(key, &low, &high);
        assert_true(low == cases[i].low && high == cases[i].high);
        assert_true(cases[i].unit == NULL || strcmp(key->unit, cases[i].unit) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_of_the_config_has_the_table_of_keys),
        cmocka_unit_test(help_says_all_of_a_key),
        cmocka_unit_test(help_on_all_keys_names_each_of_them),
        cmocka_unit_test(help_on_unknown_keys_names_the_nearest),
        cmocka_unit_test(steerable_keys_are_those_of_the_page),
        cmocka_unit_test(limits_are_those_of_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
