/* Opens the data of a config, and tells data from configs. */
#include "base/parallel/parallel.h"
#include "copies/copies.h"
#include "energy.h"
#include "formats.h"
#include "io/gzip/unpacked.h"
#include "other.h"
#include "series/series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static status open_one(MPI_Comm comm, const io_data_config *config, io_source **out)
{
    io_source *source = NULL;
    status s = config->ncopies > 0 ? copies_open(comm, config, &source)
                                   : series_open(comm, false, config, &source);
    s = s == STATUS_OK ? parallel_agree(comm, io_energy_check(source)) : s;
    if (s != STATUS_OK) {
        io_source_close(&source);
        return s;
    }
    *out = source;
    return STATUS_OK;
}

status io_source_open(MPI_Comm comm, const io_data_config *config, io_source **out)
{
    io_source *source = NULL, *other = NULL;
    status s = open_one(comm, config, &source);
    if (s == STATUS_OK && config->other) {
        io_data_config theirs = *config;
        theirs.file = config->other->file ? config->other->file : config->file;
        theirs.nfiles = config->other->file ? 0 : config->nfiles;
        s = open_one(comm, &theirs, &other);
        if (s != STATUS_OK) {
            char message[2048];
            snprintf(message, sizeof message, "data.other: %s", base_fail_message());
            base_fail_set_message(message);
        }
        s = s == STATUS_OK ? io_other_take(source, &other, config->other) : s;
    }
    if (s != STATUS_OK) {
        io_source_close(&source);
        return s;
    }
    *out = source;
    return STATUS_OK;
}

status io_source_list(const char *path, struct io_listing **out)
{
    return series_list(path, out);
}

/* Whether a file begins unlike any YAML: with bytes that are not text, or as XML. */
static bool is_no_text(FILE *stream)
{
    unsigned char bytes[512];
    fseek(stream, 0, SEEK_SET);
    const size_t count = fread(bytes, 1, sizeof bytes, stream);
    for (size_t n = 0; n < count; n++) {
        if (bytes[n] < '\t') {
            return true;
        }
    }
    return count > 0 && bytes[0] == '<';
}

/* Whether the name of a file ends in one of `extensions` ([count]), in any case. */
static bool ends_in(const char *path, size_t count, const char *const *extensions)
{
    const char *dot = strrchr(path, '.');
    bool does = false;
    for (size_t n = 0; n < count && dot; n++) {
        does = does || strcasecmp(dot, extensions[n]) == 0;
    }
    return does;
}

/* Whether a path alone names data, as that of a folder does. */
static bool is_wanted_at(const char *path)
{
    char *copy = strdup(path);
    const io_data_config config = {.file = copy};
    const bool is =
        copy && (series_is_wanted(&config) || io_formats_find_wanted(&config) >= 0);
    free(copy);
    return is;
}

bool io_source_is_data(const char *path)
{
    static const char *const of_configs[] = {".yaml", ".yml", ".json"};
    static const char *const of_data[] = {".h5", ".hdf5", ".hdf", ".nc"};
    if (ends_in(path, 3, of_configs)) {
        return false;
    }
    if (is_wanted_at(path)) {
        return true;
    }
    FILE *stream = ends_in(path, 4, of_data) ? NULL : io_unpacked_stream(path);
    if (!stream) {
        return true;
    }
    int number = -1;
    const bool is_unknown = io_formats_find(path, stream, &number) != STATUS_OK;
    if (is_unknown) {
        base_fail_set_message(""); /* the source says it again, or reads it */
    }
    const bool is_data = is_unknown || number >= 0 || is_no_text(stream);
    fclose(stream);
    return is_data;
}
