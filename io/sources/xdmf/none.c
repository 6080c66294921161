/* Replaces the reader in builds without libxml2. */
#include "read.h"

static status describe(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table)
{
    (void)config, (void)catalog, (void)table;
    return base_fail(STATUS_INPUT,
                     "XDMF file '%s' is XML, and this karman was built without libxml2: "
                     "install it (Debian: libxml2-dev) and build anew",
                     path);
}

const io_array_format xdmf_format = {.describe = describe};
