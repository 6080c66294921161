/* The keys of a config, as a man page and as words for completion. */
#ifndef APP_VERSION_CONFIG_KEYS_H
#define APP_VERSION_CONFIG_KEYS_H

#include "base/status.h"

/* Writes karman-config.5 into an existing folder. Local. Errors: STATUS_OUTPUT. */
status about_config_page(const char *folder);

/* Lists all keys that --set takes as "camera.fov= image.width=", with 0 as the index of a
 * list. malloc'ed, or NULL if memory is short. Local. */
char *about_config_words(void);

#endif
