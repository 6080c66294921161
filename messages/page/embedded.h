/* The parts of the page, embedded into the program at build time (cmake/embed.cmake). */
#ifndef MESSAGES_PAGE_EMBEDDED_H
#define MESSAGES_PAGE_EMBEDDED_H

#include <stddef.h>

/* Texts that end with a zero. The page has the marks @STYLE@, @SCRIPT@, @DATA@ and
 * @CORE@, once each. */
extern const unsigned char player_page_html[], player_page_css[], player_common_css[],
    player_common_js[]; /* of all pages, before the page's own */

/* The parts of the script, in their order. */
extern const unsigned char player_scene_js[], player_core_js[], player_replay_js[],
    player_memory_js[], player_diagram_js[], player_race_js[], player_panels_js[],
    player_tasks_js[], player_schedule_js[], player_frame_js[], player_window_js[],
    player_page_js[];

/* The collectives as WebAssembly, with PLAYER_HAS_CORE. */
extern const unsigned char player_core_wasm[];

/* Their bytes, without the zero. */
extern const size_t player_page_html_size, player_page_css_size, player_common_css_size,
    player_common_js_size, player_scene_js_size, player_core_js_size,
    player_replay_js_size, player_memory_js_size, player_diagram_js_size,
    player_race_js_size, player_panels_js_size, player_tasks_js_size,
    player_schedule_js_size, player_frame_js_size, player_window_js_size,
    player_page_js_size, player_core_wasm_size;

#endif
