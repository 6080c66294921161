/* karman convert FILE OUT: writes any data as HDF5 of karman's own layout, or for VTK. */
#include "app/convert/convert.h"
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "frame/entry.h"
#include "run/case/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct convert_arguments {
    app_arguments common;
    const char *file, *output, *steps, *fields;
    bool is_single, replaces;
} convert_arguments;

static const app_option rows[] = {
    {"fields", 'F', "NAMES", "Convert these fields only; names with commas between them",
     APP_TEXT, APP_AT(convert_arguments, fields)},
    {"float32", 's', NULL, "Write float64 values as float32", APP_FLAG,
     APP_AT(convert_arguments, is_single)},
    {"force", 'f', NULL, "Replace files that exist", APP_FLAG,
     APP_AT(convert_arguments, replaces)},
    {"output", 'o', "OUT", "The new file, in place of a second argument", APP_TEXT,
     APP_AT(convert_arguments, output)},
    {"steps", 't', "A:B[:C]",
     "Convert the steps from A to B, both included, in strides of C; also one number, "
     "'first', 'last', or numbers with commas between them",
     APP_TEXT, APP_AT(convert_arguments, steps)},
    {.keep = APP_ARGUMENT, APP_AT(convert_arguments, file)},
    {.keep = APP_ARGUMENT,
     APP_AT(convert_arguments, output),
     .words = {"convert takes a file and the name of a new one",
               "convert needs a data file and the name of a new one"}},
    {0},
};

const app_line cmd_convert_line = {
    .options = rows,
    .arguments = "FILE OUT.h5|OUT.vtm|OUT.pvd",
    .doc = "Writes the data of a file as HDF5 of karman's own layout, on all ranks of "
           "mpiexec, with an XDMF file beside it for ParaView and VisIt. Precision, "
           "cells, blanked points and walls stay as they are. OUT.vtm writes XML files "
           "of VTK instead: a .vts for each block in the folder OUT, and a .pvd of "
           "several steps.\vFILE may be anything that karman reads, or a config (.yaml) "
           "with a data section. Files appear when they are whole; FILE is never written "
           "to.\nExit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

/* ---- The command ------------------------------------------------------------------- */

static status convert(MPI_Comm comm, const convert_arguments *arguments)
{
    char *override = NULL;
    io_config *config = NULL;
    status s = parallel_agree(
        comm, arguments->steps ? case_steps(arguments->steps, &override) : STATUS_OK);
    if (s == STATUS_OK) {
        const char *overrides[] = {override};
        s = case_load(comm, arguments->file, override ? 1 : 0, overrides, &config);
    }
    if (s == STATUS_OK) {
        const app_convert_request request = {.config = config,
                                             .output = arguments->output,
                                             .fields = arguments->fields,
                                             .is_single = arguments->is_single,
                                             .replaces = arguments->replaces};
        s = app_convert(comm, &request);
    }
    if (s != STATUS_OK) {
        case_name_steps(arguments->steps, override);
    }
    io_config_destroy(&config);
    free(override);
    return s;
}

status cmd_convert(MPI_Comm comm, int argc, char **argv)
{
    convert_arguments arguments = {0};
    status s = app_arguments_read(&cmd_convert_line, argc, argv, &arguments.common);
    if (s != STATUS_OK) {
        return s;
    }
    frame_entry entry;
    frame_entry_begin(&entry);
    s = convert(comm, &arguments);
    frame_entry_end(&entry);
    return s;
}
