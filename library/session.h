/* The type of a session within karman. state.h defines its members. */
#ifndef LIBRARY_SESSION_H
#define LIBRARY_SESSION_H

#include "karman.h"

typedef struct karman_session insitu_session;

#endif
