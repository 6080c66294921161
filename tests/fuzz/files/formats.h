/* The formats of fuzz_files: each writes a damaged file and reads it. */
#ifndef TESTS_FUZZ_FILES_FORMATS_H
#define TESTS_FUZZ_FILES_FORMATS_H

#include "base/status.h"
#include "io/source.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fuzz_format {
    const char *name;
    status (*run)(
        uint64_t *state); /* writes and reads a file; the random state of the case */
    bool is_hdf5;
} fuzz_format;

extern const fuzz_format fuzz_plot3d, fuzz_cgns, fuzz_adf, fuzz_own, fuzz_hdf5,
    fuzz_netcdf, fuzz_ensight, fuzz_xml, fuzz_plt, fuzz_classic, fuzz_legacy,
    fuzz_tecplot;

/* Opens the source and reads boxes of its arrays; makes its layout if it is small. */
status fuzz_read(const io_data_config *config, uint64_t *state);

/* Changes bytes of a file, or cuts it. */
void fuzz_damage_bytes(const char *path, bool is_text, uint64_t *state);

/* Whether bytes of HDF5 files are damaged, too: the library itself may die of it. */
extern bool fuzz_with_bytes;

#endif
