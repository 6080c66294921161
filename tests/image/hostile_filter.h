/* The filter of hostile_filter.c. */
#ifndef HOSTILE_FILTER_H
#define HOSTILE_FILTER_H

#include <hdf5.h>

enum { HOSTILE_FILTER = 300 };
extern const H5Z_class2_t hostile_filter;

#endif
