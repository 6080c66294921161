/* Replaces the reader in builds without libxml2. */
#include "read.h"

status xdmf_describe(const char *path, io_array_builder *builder)
{
    return io_array_builder_finish(
        builder,
        base_fail(STATUS_INPUT,
                  "XDMF file '%s' is XML, and this karman was built without libxml2: "
                  "install it (Debian: libxml2-dev) and build anew",
                  path));
}

status xdmf_decode(const char *path, const io_array_place *place, void **values,
                   int64_t *bytes)
{
    (void)place, (void)values, (void)bytes;
    return base_fail(STATUS_INPUT, "XDMF file '%s' cannot be read without libxml2", path);
}
