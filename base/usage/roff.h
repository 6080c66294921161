/* Text in the language of man pages. */
#ifndef BASE_USAGE_ROFF_H
#define BASE_USAGE_ROFF_H

#include <stdio.h>

/* Prints text (UTF-8) so that roff shows it as it is; it begins a line of its input where
 * `begins`. */
void usage_roff_text(const char *text, int begins, FILE *stream);

/* Paragraphs: lines that are filled, but those that begin with a blank stay as they are.
 */
void usage_roff_paragraphs(const char *text, FILE *stream);

/* The first line of a page of a section of the manual: ".TH NAME 1 ...". */
void usage_roff_title(const char *name, int section, FILE *stream);

/* "\fBkarman\fR(1)", with commas, of the pages in text: "karman(1) karman-config(5)". */
void usage_roff_pages(const char *text, FILE *stream);

#endif
