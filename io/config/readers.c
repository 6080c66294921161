#include "readers.h"

#include "config.h"
#include "grid/expression/expression.h"
#include "io/config/document/scalar.h"

#include <stdlib.h>
#include <string.h>

static status fail_memory(void)
{
    return base_fail_memory(0, "the config");
}

/* ---- data.steps ---- */

/* Reads a number or, if `has_words` is set, one of the words first and last. */
static status read_step(io_document *document, int node, bool has_words, int64_t *step)
{
    const char *text = io_document_text(document, node);
    if (text != NULL && has_words && strcmp(text, "first") == 0) {
        *step = IO_STEP_FIRST;
        return STATUS_OK;
    }
    if (text != NULL && has_words && strcmp(text, "last") == 0) {
        *step = IO_STEP_LAST;
        return STATUS_OK;
    }
    if (text == NULL || !io_scalar_integer(text, step)) {
        return io_document_fail_type(document, node, "data.steps",
                                     has_words ? "a whole number, first or last"
                                               : "a whole number");
    }
    return *step >= 0 ? STATUS_OK
                      : io_document_fail(document, node,
                                         "data.steps must not be negative, has %s", text);
}

/* Whether a range ends before it begins, as far as the config tells. */
static bool is_backwards(const io_data_config *data)
{
    const int64_t first = data->step_first, last = data->step_last;
    return last == IO_STEP_FIRST   ? first != IO_STEP_FIRST
           : first == IO_STEP_LAST ? last != IO_STEP_LAST
                                   : last >= 0 && last < first;
}

static status check_span(const io_section *section, const io_data_config *data)
{
    if (is_backwards(data)) {
        return io_section_fail(section, "steps", "must end at or after the first step");
    }
    if (data->step_stride < 1) {
        return io_section_fail(section, "steps", "must have a stride of at least 1");
    }
    return STATUS_OK;
}

/* Reads [first, last] or [first, last, stride]. */
static status read_span(const io_section *section, int node, io_data_config *data)
{
    io_document *document = section->document;
    int64_t *const steps[] = {&data->step_first, &data->step_last, &data->step_stride};
    status s = STATUS_OK;
    data->step_stride = 1;
    for (int i = 0; i < io_document_count(document, node) && s == STATUS_OK; i++) {
        s = read_step(document, io_document_item(document, node, i), i < 2, steps[i]);
    }
    return s == STATUS_OK ? check_span(section, data) : s;
}

/* Reads one step: a number, which the file must have, or the first or last step. */
static status read_single(const io_section *section, int node, io_data_config *data)
{
    int64_t step = 0;
    status s = read_step(section->document, node, true, &step);
    if (s != STATUS_OK || step < 0) {
        data->step_first = data->step_last = step;
        data->step_stride = 1;
        return s;
    }
    data->steps = malloc(sizeof *data->steps);
    if (data->steps == NULL) {
        return fail_memory();
    }
    data->steps[data->nsteps++] = step;
    return STATUS_OK;
}

/* Reads ascending numbers. */
static status read_list(const io_section *section, int node, io_data_config *data)
{
    io_document *document = section->document;
    const int count = io_document_count(document, node);
    data->steps = calloc((size_t)count + 1, sizeof *data->steps);
    status s = data->steps != NULL ? STATUS_OK : fail_memory();
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        const int item = io_document_item(document, node, i);
        s = read_step(document, item, false, &data->steps[i]);
        if (s == STATUS_OK && i > 0 && data->steps[i] <= data->steps[i - 1]) {
            s = io_document_fail(
                document, item,
                "data.steps: a list of steps must ascend, has %lld after %lld",
                (long long)data->steps[i], (long long)data->steps[i - 1]);
        }
    }
    data->nsteps = s == STATUS_OK ? count : 0;
    return s;
}

/* Whether three numbers are steps rather than [first, last, stride]: a stride above the
 * last step would be useless. */
static bool are_steps(io_document *document, int node)
{
    int64_t steps[3];
    for (int i = 0; i < 3; i++) {
        const char *text =
            io_document_text(document, io_document_item(document, node, i));
        if (text == NULL || !io_scalar_integer(text, &steps[i])) {
            return false;
        }
    }
    return steps[0] < steps[1] && steps[1] < steps[2];
}

/* Reads a list in brackets. Its length decides its meaning. */
static status read_brackets(const io_section *section, int node, io_data_config *data)
{
    const int count = io_document_count(section->document, node);
    if (count == 1) {
        return read_single(section, io_document_item(section->document, node, 0), data);
    }
    return count > 3 || (count == 3 && are_steps(section->document, node))
               ? read_list(section, node, data)
               : read_span(section, node, data);
}

status io_config_read_steps(const io_section *section, const io_key *key, void *structure)
{
    io_data_config *data = structure;
    io_document *document = section->document;
    const int node = io_section_value(section, key->name);
    const int list = io_document_value(document, node, "list");
    const char *text = io_section_text(section, key->name);
    int64_t number = 0;
    if (text != NULL && strcmp(text, "all") == 0) {
        data->all_steps = true;
        return STATUS_OK;
    }
    if (text != NULL && (strcmp(text, "first") == 0 || strcmp(text, "last") == 0 ||
                         io_scalar_integer(text, &number))) {
        return read_single(section, node, data);
    }
    if (io_document_is_sequence(document, node) &&
        io_document_count(document, node) > 0) {
        return read_brackets(section, node, data);
    }
    if (io_document_is_sequence(document, list) &&
        io_document_count(document, list) > 0 && io_document_count(document, node) == 1) {
        return read_list(section, list, data);
    }
    return io_section_fail_type(
        section, key->name,
        "all, first, last, a step's number, [first, last], [first, last, stride] or "
        "{list: [3, 7]}");
}

void io_config_release_steps(void *structure)
{
    io_data_config *data = structure;
    free(data->steps);
    data->steps = NULL;
    data->nsteps = 0;
}

/* ---- data.fields ---- */

/* Reads one pair. Names and paths are checked later. */
static status read_field(io_document *document, int fields, int index,
                         io_data_config *data)
{
    yaml_node_pair_t pair = io_document_pair(document, fields, index);
    const char *name = io_document_text(document, pair.key);
    const char *path = io_document_text(document, pair.value);
    for (int i = 0; i < index; i++) {
        if (strcmp(data->fields[i].name, name) == 0) {
            return io_document_fail(document, pair.key,
                                    "the key '%.60s' is there twice in data.fields",
                                    name);
        }
    }
    if (path == NULL || io_document_is_null(document, pair.value)) {
        return io_document_fail_type(document, pair.value, "data.fields",
                                     "the path of a data set");
    }
    data->nfields = index + 1;
    data->fields[index] = (io_field_path){strdup(name), strdup(path)};
    return data->fields[index].name != NULL && data->fields[index].path != NULL
               ? STATUS_OK
               : fail_memory();
}

status io_config_read_fields(const io_section *section, const io_key *key,
                             void *structure)
{
    io_data_config *data = structure;
    const int fields = io_section_value(section, key->name);
    const int count = io_document_count(section->document, fields);
    if (!io_document_is_mapping(section->document, fields)) {
        return io_section_fail_type(section, key->name,
                                    "a mapping such as {density: /flow/density}");
    }
    if (count == 0) {
        return io_section_fail(section, key->name, "must not be empty");
    }
    data->fields = calloc((size_t)count, sizeof *data->fields);
    status s = data->fields != NULL ? STATUS_OK : fail_memory();
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        s = read_field(section->document, fields, i, data);
    }
    return s;
}

void io_config_release_fields(void *structure)
{
    io_data_config *data = structure;
    for (int i = 0; i < data->nfields; i++) {
        free(data->fields[i].name);
        free(data->fields[i].path);
    }
    free(data->fields);
    data->fields = NULL;
    data->nfields = 0;
}

/* ---- derive ---- */

/* Checks the expression of a field. */
static status check_text(io_document *document, int value, const grid_definition *d)
{
    char title[GRID_NAME_SIZE + 16];
    expression *tree = NULL;
    snprintf(title, sizeof title, "derive.%s", d->name);
    status s = expression_parse(title, d->text, &tree);
    expression_destroy(&tree);
    if (s == STATUS_USAGE) {
        char reason[1000];
        snprintf(reason, sizeof reason, "%s", base_fail_message());
        base_fail_set_message("");
        s = io_document_fail(document, value, "%s", reason);
    }
    return s;
}

/* Reads one pair. */
static status read_definition(io_document *document, int fields, int index,
                              grid_definition *d)
{
    yaml_node_pair_t pair = io_document_pair(document, fields, index);
    const char *name = io_document_text(document, pair.key);
    const char *text = io_document_text(document, pair.value);
    if (!name || name[0] == '\0' || strlen(name) >= GRID_NAME_SIZE) {
        return io_document_fail(document, pair.key,
                                "a key of derive is the name of a field, of 63 bytes at "
                                "most");
    }
    if (!text || io_document_is_null(document, pair.value)) {
        return io_document_fail_type(document, pair.value, "derive",
                                     "an expression such as \"pressure / density\"");
    }
    d->name = strdup(name);
    d->text = strdup(text);
    return d->name && d->text ? check_text(document, pair.value, d)
                              : base_fail_memory(strlen(text), "the config");
}

/* Whether an earlier definition has this name. */
static bool is_twice(const grid_definition *all, int count)
{
    for (int n = 0; n < count; n++) {
        if (strcmp(all[n].name, all[count].name) == 0) {
            return true;
        }
    }
    return false;
}

status io_config_read_definitions(const io_section *section, const io_key *key,
                                  void *structure)
{
    io_config *config = structure;
    io_document *document = section->document;
    grid_terms *terms = &config->data.terms;
    const int fields = io_section_value(section, key->name);
    const int count = io_document_count(document, fields);
    if (!io_document_is_mapping(document, fields) || count == 0) {
        return io_section_fail_type(section, key->name,
                                    "a mapping such as {entropy: \"log(pressure / "
                                    "density^gamma)\"}");
    }
    grid_definition *all = calloc((size_t)count, sizeof *all);
    terms->definitions = all;
    status s =
        all ? STATUS_OK : base_fail_memory((size_t)count * sizeof *all, "the config");
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        terms->ndefinitions = n + 1;
        s = read_definition(document, fields, n, &all[n]);
        if (s == STATUS_OK && is_twice(all, n)) {
            s = io_document_fail(document, io_document_pair(document, fields, n).key,
                                 "the key '%.60s' is there twice in derive", all[n].name);
        }
    }
    return s;
}

void io_config_release_definitions(void *structure)
{
    io_config *config = structure;
    grid_terms_clear(&config->data.terms);
}

/* ---- levels of a contour ---- */

enum { MAX_LEVELS = 256 };

static status read_values(const io_section *section, const io_key *key, int levels,
                          io_tool_config *tool)
{
    io_document *document = section->document;
    const int count = io_document_count(document, levels);
    if (count < 1 || count > IO_MAX_VALUES) {
        return io_section_fail(section, key->name, "must be 1 to %d values, has %d",
                               IO_MAX_VALUES, count);
    }
    tool->nvalues = count;
    for (int i = 0; i < count; i++) {
        io_section item = io_section_item(section, key->name, i);
        const char *text = io_document_text(document, item.node);
        if (text == NULL || !io_scalar_number(text, &tool->values[i])) {
            return io_section_fail_type(&item, NULL, "a finite number");
        }
    }
    return STATUS_OK;
}

status io_config_read_levels(const io_section *section, const io_key *key,
                             void *structure)
{
    io_tool_config *tool = structure;
    const int levels = io_section_value(section, key->name);
    const char *text = io_section_text(section, key->name);
    int64_t count = 0;
    if (io_document_is_sequence(section->document, levels)) {
        return read_values(section, key, levels, tool);
    }
    if (text == NULL || !io_scalar_integer(text, &count)) {
        return io_section_fail_type(section, key->name,
                                    "a number of levels or a list of values");
    }
    if (count < 1 || count > MAX_LEVELS) {
        return io_section_fail(section, key->name,
                               "must be 1 to %d, or a list of values, is %s", MAX_LEVELS,
                               text);
    }
    tool->nlevels = (int)count;
    return STATUS_OK;
}

/* ---- annotations.time ---- */

status io_config_read_time(const io_section *section, const io_key *key, void *structure)
{
    io_annotations_config *annotations = structure;
    const char *text = io_section_text(section, key->name);
    const int node = io_section_value(section, key->name);
    if (text == NULL || io_document_is_null(section->document, node)) {
        return io_section_fail_type(section, key->name, "a text");
    }
    if (text[0] == '\0') {
        return io_section_fail(section, key->name, "must not be empty");
    }
    if (strcmp(text, "true") == 0) {
        text = "step {step}, t = {time}";
    }
    if (!io_config_is_time_text(text)) {
        return io_section_fail(section, key->name,
                               "may hold {step}, {time} and {time:.3f} (or e, g), and {{ "
                               "and }} for braces, is '%.80s'",
                               text);
    }
    annotations->time_text = strdup(text);
    return annotations->time_text != NULL ? STATUS_OK : fail_memory();
}

void io_config_release_time(void *structure)
{
    io_annotations_config *annotations = structure;
    free(annotations->time_text);
    annotations->time_text = NULL;
}

/* ---- format of a scalar bar ---- */

/* Reads "%.2f": whether that is all of the text. */
static bool read_number_format(const char *text, io_bar_config *bar)
{
    const int most = 17; /* digits of a double */
    const char *at = text;
    bar->format_digits = 6; /* as printf has it */
    if (*at++ != '%') {
        return false;
    }
    if (*at == '.') {
        const size_t length = strspn(++at, "0123456789");
        bar->format_digits = length > 0 && length < 3 ? atoi(at) : most + 1;
        at += length;
    }
    bar->format_letter = *at;
    return *at != '\0' && strchr("efg", *at) != NULL && at[1] == '\0' &&
           bar->format_digits <= most;
}

status io_config_read_format(const io_section *section, const io_key *key,
                             void *structure)
{
    const char *text = io_section_text(section, key->name);
    if (text == NULL || !read_number_format(text, structure)) {
        return io_section_fail(
            section, key->name,
            "must be '%%.Ne', '%%.Nf' or '%%.Ng' in quotes, with 0 to 17 "
            "for N, is '%.40s'",
            text != NULL ? text : "no text");
    }
    return STATUS_OK;
}

void io_config_release_format(void *structure)
{
    (void)structure;
}

/* ---- memory ---- */

/* Finds the unit in "4 GiB". The text before it is copied to `number` ([size]). */
static const char *find_unit(const char *text, size_t size, char *number)
{
    size_t length = strcspn(text, " KMGT");
    if (length == 0 || length >= size) {
        return NULL;
    }
    memcpy(number, text, length);
    number[length] = '\0';
    return text + length + strspn(text + length, " ");
}

/* The number of bytes in a text; -1 if it is no amount of memory. */
static int64_t count_bytes(const char *text)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    const double most = 9e18; /* limit of 63 bits */
    char number[32];
    double count = 0.0, bytes = 1.0;
    const char *unit = find_unit(text, sizeof number, number);
    if (unit == NULL || !io_scalar_number(number, &count)) {
        return -1;
    }
    for (int n = 0; n < 4; n++) {
        bytes *= 1024.0;
        if (strcmp(unit, units[n]) == 0) {
            bytes *= count;
            return bytes >= 1.0 && bytes < most ? (int64_t)bytes : -1;
        }
    }
    return -1;
}

status io_config_read_memory(const io_section *section, const io_key *key,
                             void *structure)
{
    io_config *config = structure;
    const char *text = io_section_text(section, key->name);
    const int node = io_section_value(section, key->name);
    if (text == NULL || io_document_is_null(section->document, node)) {
        return io_section_fail_type(section, key->name, "a text");
    }
    config->memory = count_bytes(text);
    if (config->memory > 0) {
        return STATUS_OK;
    }
    return io_section_fail(section, key->name,
                           "must be a number above 0 with KiB, MiB, GiB or TiB, such as "
                           "4 GiB, is '%.60s'",
                           text);
}
