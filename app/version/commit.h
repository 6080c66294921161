/* The commit of this build. */
#ifndef APP_VERSION_COMMIT_H
#define APP_VERSION_COMMIT_H

/* "211e0818b15f", with ", changed" if tracked files differ from it; "unknown" if the
 * source is no checkout. Local. */
const char *about_commit(void);

#endif
