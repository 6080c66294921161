/* Text in roff, the language of man pages. */
#ifndef BASE_USAGE_ROFF_H
#define BASE_USAGE_ROFF_H

#include <stdio.h>

/* Prints text (UTF-8), escaped for roff. begins: the text begins a line of roff input. */
void usage_roff_text(const char *text, int begins, FILE *stream);

/* Prints paragraphs. Lines are filled, except those that begin with a blank. */
void usage_roff_paragraphs(const char *text, FILE *stream);

/* Prints the title line of a manual page: ".TH NAME 1 ...". */
void usage_roff_title(const char *name, int section, FILE *stream);

/* Prints each page named in text, such as "karman(1) karman-config(5)", as
 * "\fBkarman\fR(1)", with commas between. */
void usage_roff_pages(const char *text, FILE *stream);

#endif
