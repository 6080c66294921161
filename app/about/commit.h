/* The commit that this is built from. */
#ifndef APP_ABOUT_COMMIT_H
#define APP_ABOUT_COMMIT_H

/* "211e0818b15f", with ", changed" where files that git tracks differ from it; "unknown"
 * where the source is no checkout. Local. */
const char *about_commit(void);

#endif
