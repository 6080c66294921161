/* What the page asks for again and again: small, and enough to know what has changed.
 * Inside live/ only. */
#ifndef APP_LIVE_STATE_H
#define APP_LIVE_STATE_H

#include "site.h"

/*
 * The state of a run, a new reference; NULL for want of memory:
 *   {"run": {…} or null, "status": {…} or null,      run.json, status.json
 *    "alive": true, false, or null,                   whether the program runs; null:
 * none "files": {"frames": {"id": "…", "size": 123}, …},  the files of lines, as they are
 *    "parameters": "…",                              another text where they have changed
 *    "now": 1.5e9, "host": "…", "port": 8080, "folder": "…"}
 * An id is another one where a file has been replaced.
 */
json_t *live_state_describe(const live_site *site);

/* The file of the run directory with the lines `name`: frames, monitors, timings, log.
 * NULL for everything else. */
const char *live_state_file(const char *name);

#endif
