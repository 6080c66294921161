/* The type of a session within karman. state.h defines its members. */
#ifndef APP_INSITU_SESSION_H
#define APP_INSITU_SESSION_H

#include "karman.h"

typedef struct karman_session app_insitu;

#endif
