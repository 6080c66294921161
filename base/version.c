#include "version.h"

const char *base_version(void)
{
    return KARMAN_VERSION;
}
