/* The version of the program, and all that it is made of. */
#ifndef APP_ABOUT_VERSION_H
#define APP_ABOUT_VERSION_H

#include <stdio.h>

/*
 * Prints "NAME VERSION" and, a line each, the commit, the MPI and HDF5 libraries, OpenMP,
 * the parts that are built in, the instruction set of the ray caster on this processor,
 * and the compiler. MPI need not be initialised. Local.
 */
void about_version_print(const char *name, FILE *stream);

#endif
