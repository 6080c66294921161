/* The parts of the report's page, embedded into the program at build time
 * (cmake/embed.cmake). */
#ifndef MESSAGES_COMPARE_REPORT_PAGE_H
#define MESSAGES_COMPARE_REPORT_PAGE_H

/* Texts that end with a zero. The page has the marks @STYLE@, @SCRIPT@, @DATA@,
 * @PICTURES@, @PLAYER@ and @MESSAGES@, once each: for the other parts and for four JSON
 * documents. */
extern const unsigned char report_page_html[];
extern const unsigned char report_common_css[]; /* of all pages, before page_css */
extern const unsigned char report_common_js[];  /* of all pages, before map_js */
extern const unsigned char report_page_css[];
extern const unsigned char report_page_js[];
extern const unsigned char report_map_js[]; /* a part of the script, before page_js */

#endif
