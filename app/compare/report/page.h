/* The parts of the report's page, put into the program when it is built (embed.cmake). */
#ifndef APP_COMPARE_REPORT_PAGE_H
#define APP_COMPARE_REPORT_PAGE_H

/* Texts that end with a zero. The page has the marks @STYLE@, @SCRIPT@, @DATA@ and
 * @PICTURES@, once each, where the others and two documents of JSON belong. */
extern const unsigned char report_page_html[];
extern const unsigned char report_page_css[];
extern const unsigned char report_page_js[];
extern const unsigned char report_map_js[]; /* of the script, too, before page_js */

#endif
