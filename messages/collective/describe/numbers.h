/* Costs and times as text. Private to messages/collective/describe. */
#ifndef MESSAGES_COLLECTIVE_DESCRIBE_NUMBERS_H
#define MESSAGES_COLLECTIVE_DESCRIBE_NUMBERS_H

#include "messages/collective/walk.h"

#include <stddef.h>

enum { NUMBERS_COST = 96, NUMBERS_TIME = 24 };

/* "3α + 24β"; "0" if nothing is paid for. */
void numbers_cost(collective_cost cost, char text[NUMBERS_COST]);

/* "91.6 us". */
void numbers_time(double seconds, char text[NUMBERS_TIME]);

/* The same with the messages within nodes: "3α + 24β + 2α′ + 16β′". */
void numbers_walk(const collective_times *times, char text[NUMBERS_COST]);

double numbers_seconds(collective_cost cost, const collective_machine *machine);

/* The seconds of the messages of a path, without waits. */
double numbers_walk_seconds(const collective_times *times,
                            const collective_machine *machine);

/* Prints a text, with blanks up to so many columns; letters of UTF-8 take one each. */
void numbers_print(const char *text, int columns);

/*
 * The ratio α/β at which two costs are equal, as a fraction in lowest terms, "10/3".
 * False: there is none, or combining costs a different time. Local.
 */
bool numbers_crossover(collective_cost a, collective_cost b, char text[NUMBERS_TIME]);

#endif
