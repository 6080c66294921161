/* The version of karman. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

/* "1.2.3"; never NULL. Local. */
const char *base_version(void);

#endif
