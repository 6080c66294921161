#include "formats.h"

#include "io/gzip/unpacked.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define FORMAT(kind) &(kind),
static const io_source_kind *const formats[] = {IO_SOURCES(FORMAT)};
enum { FORMATS = sizeof formats / sizeof formats[0] };

const io_source_kind *io_formats_at(int number)
{
    return number < 0 ? &io_source_hdf5 : formats[number];
}

status io_formats_find(const char *path, FILE *stream, int *number)
{
    *number = -1;
    clearerr(stream); /* formats go back by fseek: rewind would forget a failed read */
    for (int n = 0; n < FORMATS && *number < 0 && !ferror(stream); n++) {
        *number = formats[n]->takes && formats[n]->takes(path, stream) ? n : -1;
    }
    return ferror(stream) ? base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", path,
                                      strerror(errno))
                          : STATUS_OK;
}

int io_formats_find_wanted(const io_data_config *config)
{
    for (int n = 0; n < FORMATS; n++) {
        if (formats[n]->wants && formats[n]->wants(config)) {
            return n;
        }
    }
    return -1;
}

/* io_formats_find of a regular file; opening a pipe could wait for ever. One that is not
 * there is of no format. */
static status find_taking(const char *path, int *number)
{
    struct stat about;
    *number = -1;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return STATUS_OK;
    }
    FILE *stream = io_unpacked_stream(path);
    if (!stream) {
        return errno == EBADMSG
                   ? base_fail(STATUS_INPUT,
                               "file '%s' is compressed by gzip and damaged, or cut off: "
                               "copy it again",
                               path)
                   : base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                               strerror(errno));
    }
    const status s = io_formats_find(path, stream, number);
    fclose(stream);
    return s;
}

status io_formats_choose(const io_data_config *config, int *number)
{
    *number = io_formats_find_wanted(config);
    status s = *number < 0 ? find_taking(config->file, number) : STATUS_OK;
    if (s == STATUS_OK && config->base && !io_formats_at(*number)->has_bases) {
        s = base_fail(STATUS_INPUT,
                      "data.base: '%s' is no CGNS file with structured zones, and other "
                      "files have no bases",
                      config->file);
    }
    return s;
}

status io_formats_find_data(const char *path, int *number)
{
    status s = find_taking(path, number);
    if (*number >= 0 && formats[*number]->leads && !formats[*number]->leads(path)) {
        *number = -1;
    }
    return s;
}
