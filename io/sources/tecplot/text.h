/* Words of a Tecplot file in text. */
#ifndef IO_SOURCES_TECPLOT_TEXT_H
#define IO_SOURCES_TECPLOT_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TECPLOT_WORD = 4096 };

typedef enum tecplot_kind {
    TECPLOT_END,
    TECPLOT_NAME,   /* a word without quotes */
    TECPLOT_STRING, /* in quotes */
    TECPLOT_GROUP,  /* in parentheses or brackets, which are part of it */
    TECPLOT_NUMBER, /* may be repeated: 3*0.5 */
    TECPLOT_EQUALS
} tecplot_kind;

/* A file, and the word that was read last. Zero, but for the stream, at its start. */
typedef struct tecplot_text {
    FILE *stream;
    int64_t at; /* byte behind the word */
    tecplot_kind kind;
    int64_t begin; /* byte where the word begins */
    int length;
    char word[TECPLOT_WORD]; /* longer ones are cut */
    bool is_held;
} tecplot_text;

/* Reads the next word; comments are passed over. Local. */
tecplot_kind tecplot_next(tecplot_text *text);

/* The next word is this one again. Local. */
void tecplot_hold(tecplot_text *text);

/* Moves to a byte, where a word begins. Local. */
bool tecplot_seek(tecplot_text *text, int64_t byte);

/* How often a number that was read stands there; 0: it is none. Local. */
int64_t tecplot_times(const tecplot_text *text);

/* The value of a number; false: it is none. "*****" is NaN. Local. */
bool tecplot_value(const tecplot_text *text, double *out);

#endif
