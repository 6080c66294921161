/* Rows of vertices for any processor. */
#define KERNEL derive_row_plain
#include "rows_kernel.h"
