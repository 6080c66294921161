/* The source of XDMF files. Source: xdmf.org, "XDMF Model and Format", versions 2 and 3,
 * and the readers of VTK and VisIt where it is silent. */
#include "io/source_kind.h"
#include "read.h"

#include <string.h>

static bool xdmf_takes(const char *path, FILE *stream)
{
    char text[4096];
    (void)path;
    fseek(stream, 0, SEEK_SET);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    return strstr(text, "<Xdmf") != NULL;
}

static status xdmf_open(io_source *source, const io_data_config *config)
{
    return io_arrays_open(source, config, &xdmf_format);
}

const io_source_kind io_source_xdmf = {
    .takes = xdmf_takes, .open = xdmf_open, IO_ARRAYS_REST};
