/* The small state that the page polls; it shows which files have changed. Inside live/
 * only. */
#ifndef RUN_LIVE_STATE_H
#define RUN_LIVE_STATE_H

#include "site.h"

/*
 * The state of a run, a new reference; NULL without memory:
 *
 *   {"run": {…} or null, "status": {…} or null,       run.json, status.json
 *    "alive": true, false, or null,                   the program runs; null: no run.json
 *    "files": {"frames": {"id": "…", "size": 123}, …},
 *    "parameters": "…",                               changes with parameters.json
 *    "now": 1.5e9, "host": "…", "port": 8080, "folder": "…"}
 *
 * "files" has the files of lines. The id of a file changes if the file is replaced.
 */
json_t *live_state_describe(const live_site *site);

/* The file of lines called `name`: frames, monitors, timings or log. NULL for any other
 * name. */
const char *live_state_file(const char *name);

#endif
