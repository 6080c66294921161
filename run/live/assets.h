/* The files of the page, embedded into the program at build time (cmake/embed.cmake). */
#ifndef RUN_LIVE_ASSETS_H
#define RUN_LIVE_ASSETS_H

#include <stddef.h>

typedef struct live_asset {
    const char *path; /* of its URL; "/" is the page itself; NULL ends the table */
    const char *type;
    const unsigned char *bytes;
    size_t size;
} live_asset;

extern const live_asset live_assets[];

#endif
