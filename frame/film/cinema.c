/*
 * Cinema databases, specification D of the Cinema project (Woodring, Ahrens et al. 2017,
 * https://cinemascience.github.io): a folder of pictures, and data.csv with a row for
 * each, whose last column is its file.
 */
#include "film.h"
#include "frames.h"
#include "io/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct frame_job frame_job;

/* Adds numbers and words of a value; those of lists get names with their indices. */
static void flatten(json_t *row, const char *name, json_t *value)
{
    for (size_t n = 0; n < json_array_size(value); n++) {
        char below[256];
        snprintf(below, sizeof below, "%s.%zu", name, n);
        flatten(row, below, json_array_get(value, n));
    }
    if (!json_is_array(value) && !json_is_object(value)) {
        json_object_set(row, name, value);
    }
}

/* The parameters of a frame, and its file. A new reference. */
static json_t *make_row(const frame_job *job, int frame)
{
    const io_output_config *output = job->film
                                         ? &frame_film_base(job->film, frame)->output
                                         : &job->scene.config->output;
    const io_step *step =
        &io_source_steps(job->scene.source)[frame_film_step_index(job, frame)];
    json_t *row =
        json_pack("{s:I, s:f}", "step", (json_int_t)step->number, "time", step->time);
    json_t *values = job->film ? frame_film_values(job->film, frame) : NULL;
    const char *key;
    json_t *value;
    json_object_foreach(values, key, value)
    {
        flatten(row, key, value);
    }
    char *path = io_config_expand(output->frames, frame_film_file_number(job, frame));
    const size_t folder = strlen(output->cinema) + 1;
    json_object_set_new(row, "FILE",
                        json_string(path && strlen(path) > folder ? path + folder : ""));
    free(path);
    json_decref(values);
    return row;
}

static void print_cell(FILE *file, const char *text)
{
    const bool is_quoted = strpbrk(text, ",\"\n") != NULL;
    if (!is_quoted) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const char *c = text; *c != '\0'; c++) {
        fputs(*c == '"' ? "\"\"" : (char[]){*c, '\0'}, file);
    }
    fputc('"', file);
}

static void print_value(FILE *file, const json_t *value)
{
    if (json_is_string(value)) {
        print_cell(file, json_string_value(value));
    } else if (json_is_real(value)) {
        fprintf(file, "%.12g", json_real_value(value));
    } else if (json_is_integer(value)) {
        fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else {
        fputs(json_is_true(value) ? "true" : "false", file);
    }
}

static void print_row(FILE *file, json_t *row, bool is_header)
{
    const char *key, *before = "";
    json_t *value;
    json_object_foreach(row, key, value)
    {
        fputs(before, file);
        if (is_header) {
            print_cell(file, key);
        } else {
            print_value(file, value);
        }
        before = ",";
    }
    fputc('\n', file);
}

/* io_file_contents */
static bool write_table(FILE *file, const void *context)
{
    const frame_job *job = context;
    bool works = true;
    for (int n = 0; n < frame_film_frames(job) && works; n++) {
        json_t *row = make_row(job, n);
        works = row != NULL;
        if (works && n == 0) {
            print_row(file, row, true);
        }
        if (works) {
            print_row(file, row, false);
        }
        json_decref(row);
    }
    return works && !ferror(file);
}

status frame_film_write_cinema(const frame_job *job)
{
    const char *folder = job->scene.config->output.cinema;
    const size_t size = folder ? strlen(folder) + 16 : 0;
    if (!folder) {
        return STATUS_OK;
    }
    char *path = malloc(size);
    if (!path) {
        return base_fail_memory(size, "a path");
    }
    snprintf(path, size, "%s/data.csv", folder);
    const status s = io_file_make(path, write_table, job);
    free(path);
    return s;
}
