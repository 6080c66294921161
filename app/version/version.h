/* The version of the program and its components. */
#ifndef APP_VERSION_VERSION_H
#define APP_VERSION_VERSION_H

#include <stdio.h>

/*
 * Prints "NAME VERSION", then one line each for the commit, the MPI and HDF5 libraries,
 * OpenMP, the optional parts of this build, the instruction set of the ray caster on this
 * processor, and the compiler. MPI need not be initialised. Local.
 */
void about_version_print(const char *name, FILE *stream);

/* Prints the same in three lines. Local. */
void about_version_print_short(FILE *stream);

#endif
