/* The name of a session within karman; its inside is state.h. */
#ifndef APP_INSITU_SESSION_H
#define APP_INSITU_SESSION_H

#include "karman.h"

typedef struct karman_session app_insitu;

#endif
