#include "ending.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t is_asked;
static bool left_work;

static void note(int number)
{
    (void)number;
    is_asked = 1;
}

void base_ending_catch(void)
{
    struct sigaction action = {.sa_handler = note,
                               .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
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
