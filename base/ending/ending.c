#include "ending.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t is_asked, grace_seconds;
static bool left_work;

static void note(int number)
{
    (void)number;
    is_asked = 1;
    alarm((unsigned)grace_seconds);
}

/* SIGTERM has its default action again since the first one came. */
static void end(int number)
{
    (void)number;
    raise(SIGTERM);
}

static void take(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler,
                               .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void base_ending_catch(int grace)
{
    grace_seconds = grace;
    take(SIGALRM, end);
    take(SIGTERM, note);
}

bool base_ending_is_asked(void)
{
    return is_asked != 0;
}

void base_ending_leave_work(void)
{
    left_work = true;
}

bool base_ending_left_work(void)
{
    return left_work;
}
