/* Paths that lead from the folder of a config. */
#define _XOPEN_SOURCE 700 /* mkdtemp, symlink */
#include "base/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of its own for the test, which becomes the working directory:
 * configs/deep, elsewhere/real and the link `link` to the latter. */
static int make_folders(void **state)
{
    static char folder[] = "test_path_XXXXXX";
    *state = folder;
    return mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("configs", 0755) != 0 ||
           mkdir("configs/deep", 0755) != 0 || mkdir("50%d", 0755) != 0 ||
           mkdir("elsewhere", 0755) != 0 || mkdir("elsewhere/real", 0755) != 0 ||
           symlink("elsewhere/real", "link") != 0;
}

static int remove_folders(void **state)
{
    return unlink("link") != 0 || rmdir("elsewhere/real") != 0 ||
           rmdir("elsewhere") != 0 || rmdir("50%d") != 0 || rmdir("configs/deep") != 0 ||
           rmdir("configs") != 0 || chdir("..") != 0 || rmdir(*state) != 0;
}

typedef struct path_case {
    const char *folder, *path, *joined;
} path_case;

static void expect_joined(size_t count, const path_case *cases)
{
    int wrong = 0;
    for (size_t n = 0; n < count; n++) {
        char *joined = base_path_join(cases[n].folder, cases[n].path);
        assert_non_null(joined);
        if (strcmp(joined, cases[n].joined) != 0) {
            print_error("'%s' and '%s': expected '%s', got '%s'\n", cases[n].folder,
                        cases[n].path, cases[n].joined, joined);
            wrong++;
        }
        free(joined);
    }
    assert_int_equal(wrong, 0);
}

#define EXPECT_JOINED(cases) expect_joined(sizeof(cases) / sizeof((cases)[0]), (cases))

static void paths_lead_from_the_folder(void **state)
{
    (void)state;
    static const path_case cases[] = {
        {"", "out/a.png", "out/a.png"},
        {"", "../a.png", "../a.png"},
        {"configs", "out/a.png", "configs/out/a.png"},
        {"configs", "/out/a.png", "/out/a.png"},
        {"/", "a.png", "/a.png"},
        {"configs", "..a.png", "configs/..a.png"},
    };
    EXPECT_JOINED(cases);
}

static void parents_take_names_off_the_folder(void **state)
{
    (void)state;
    static const path_case cases[] = {
        {"configs", "../out/a.png", "out/a.png"},
        {"configs/", "../out/a.png", "out/a.png"},
        {"./configs", "../out/a.png", "out/a.png"},
        {"configs/.", "..//out/a.png", "out/a.png"},
        {"configs/deep", "../out/a.png", "configs/out/a.png"},
        {"configs/deep", "../../out/a.png", "out/a.png"},
        {"configs/deep", "../../../out/a.png", "../out/a.png"},
        {".", "../a.png", "../a.png"},
        {"..", "../a.png", "../../a.png"},
        {"50%d", "../a_%04d.png", "a_%04d.png"},
        {"/dev", "../a.png", "/a.png"},
    };
    EXPECT_JOINED(cases);
}

static void links_and_folders_that_are_not_there_stay(void **state)
{
    (void)state;
    static const path_case cases[] = {
        {"link", "../out/a.png", "link/../out/a.png"},
        {"nowhere", "../out/a.png", "nowhere/../out/a.png"},
        {"configs/nowhere", "../out/a.png", "configs/nowhere/../out/a.png"},
    };
    EXPECT_JOINED(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_lead_from_the_folder),
        cmocka_unit_test(parents_take_names_off_the_folder),
        cmocka_unit_test(links_and_folders_that_are_not_there_stay),
    };
    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
