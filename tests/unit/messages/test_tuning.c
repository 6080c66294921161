/* Tuning files: what is written is read; broken and foreign files; two writers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs those above. */
#include <cmocka.h>

#include "messages/simulate/tuned_machine.h"
#include "support/scratch.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const frame_signature here = {"a processor", "an MPI", "UCX_TLS=tcp", "0.1.0"};
static const frame_signature elsewhere = {"a processor", "an MPI", "UCX_TLS=rc", "0.1.0"};

static frame_tuned make_rule(int ranks, int64_t pixels, double activity)
{
    return (frame_tuned){
        .crowd = {ranks, 2, ranks / 2},
        .rule = {.target = COMPOSITE_FLOATS,
                 .pixels = pixels,
                 .activity = activity,
                 .choice = {.algorithm = composite_algorithm_find("radix-k"),
                            .params = {.nfactors = 2, .factors = {4, 2}},
                            .by_nodes = true,
                            .segment = 8192,
                            .encoding = COMPOSITE_ENCODING_RAW},
                 .reason = COMPOSITE_TUNED},
        .seconds = 0.01,
        .usual_seconds = 0.02,
        .spread = 0.05};
}

static void add_rule(const char *path, const frame_signature *signature, frame_tuned rule)
{
    const frame_tuned_list list = {1, &rule};
    if (frame_tuning_add(path, signature, &list) != STATUS_OK) {
        fail_msg("%s", base_fail_message());
    }
}

/* Reads the rules of a signature; the caller clears the list. */
static frame_tuned_list read_all(const char *path, const frame_signature *signature,
                                 bool expects_others)
{
    frame_tuned_list list = {0};
    bool others;
    if (frame_tuning_read(path, signature, &list, &others) != STATUS_OK) {
        fail_msg("%s", base_fail_message());
    }
    assert_int_equal(others, expects_others);
    return list;
}

static void a_rule_is_read_as_it_was_written(void **state)
{
    (void)state;
    const char *path = scratch_path("new/folder/tuning.json");
    const frame_tuned rule = make_rule(8, 1 << 20, 0.25);
    const frame_tuned usual = {.crowd = {4, 1, 4},
                               .rule = {.target = COMPOSITE_BYTES,
                                        .pixels = 7,
                                        .activity = 1,
                                        .choice = {.encoding = COMPOSITE_ENCODING_RAW},
                                        .reason = COMPOSITE_TUNED}};
    add_rule(path, &here, rule);
    add_rule(path, &here, usual);
    frame_tuned_list list = read_all(path, &here, false);
    assert_int_equal(list.count, 2);
    assert_memory_equal(&list.items[0].crowd, &rule.crowd, sizeof rule.crowd);
    assert_int_equal(list.items[0].rule.target, COMPOSITE_FLOATS);
    assert_int_equal(list.items[0].rule.pixels, 1 << 20);
    assert_true(list.items[0].rule.activity == 0.25);
    assert_memory_equal(&list.items[0].rule.choice.params, &rule.rule.choice.params,
                        sizeof rule.rule.choice.params);
    assert_ptr_equal(list.items[0].rule.choice.algorithm, rule.rule.choice.algorithm);
    assert_true(list.items[0].rule.choice.by_nodes);
    assert_int_equal(list.items[0].rule.choice.segment, 8192);
    assert_int_equal(list.items[0].rule.choice.encoding, COMPOSITE_ENCODING_RAW);
    assert_true(list.items[0].usual_seconds == 0.02 && list.items[0].spread == 0.05);
    assert_null(list.items[1].rule.choice.algorithm);
    assert_int_equal(list.items[1].rule.choice.encoding, COMPOSITE_ENCODING_RAW);
    frame_tuned_list_clear(&list);
}

/* Writes a file with one rule, whose text ends as given. */
static void write_rule(const char *path, const char *end)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"karman_tuning\": 1, \"machines\": [{\"signature\": {\"processor\": \"a "
             "processor\", \"mpi\": \"an MPI\", \"transport\": \"UCX_TLS=tcp\", "
             "\"karman\": \"0.1.0\"}, \"rules\": [{\"ranks\": 8, \"nodes\": 2, "
             "\"ranks_a_node\": 4, \"target\": \"floats\", \"pixels\": 100, "
             "\"activity\": 1, \"algorithm\": \"tree\", \"factors\": [], \"group\": 0, "
             "\"fan_in\": 0, \"by_nodes\": false, \"segment\": 0, \"seconds\": 1, "
             "\"auto_seconds\": 1, \"spread\": 0%s}]}]}",
             end);
    scratch_write(path, text, strlen(text));
}

/* A rule of an earlier version has no encoding. One that is no word of ours is told. */
static void a_rule_may_have_an_encoding(void **state)
{
    (void)state;
    static const struct {
        const char *end;
        int encoding; /* -1: refused */
    } rules[] = {{"", COMPOSITE_ENCODING_AUTO},
                 {", \"encoding\": \"auto\"", COMPOSITE_ENCODING_AUTO},
                 {", \"encoding\": \"raw\"", COMPOSITE_ENCODING_RAW},
                 {", \"encoding\": \"zip\"", -1},
                 {", \"encoding\": 1", -1},
                 {", \"encoding\": null", -1}};
    for (size_t n = 0; n < sizeof rules / sizeof rules[0]; n++) {
        const char *path = scratch_path("encoding.json");
        frame_tuned_list list = {0};
        bool others;
        write_rule(path, rules[n].end);
        const status s = frame_tuning_read(path, &here, &list, &others);
        if (rules[n].encoding >= 0) {
            assert_int_equal(s, STATUS_OK);
            assert_int_equal(list.count, 1);
            assert_int_equal(list.items[0].rule.choice.encoding, rules[n].encoding);
        } else {
            assert_int_equal(s, STATUS_INPUT);
            assert_non_null(strstr(base_fail_message(),
                                   "'encoding' of rule 1 has an impossible value"));
            base_fail_set_message("");
        }
        frame_tuned_list_clear(&list);
    }
}

static void machines_share_a_file_and_cases_are_replaced(void **state)
{
    (void)state;
    const char *path = scratch_path("shared.json");
    add_rule(path, &here, make_rule(8, 1000, 0.5));
    add_rule(path, &elsewhere, make_rule(8, 1000, 0.5));
    add_rule(path, &here, make_rule(8, 2000, 0.5));
    frame_tuned again = make_rule(8, 1000, 0.5);
    again.rule.choice.segment = 4096;
    add_rule(path, &here, again);
    frame_tuned_list list = read_all(path, &here, true);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].rule.choice.segment, 4096);
    assert_int_equal(list.items[1].rule.pixels, 2000);
    frame_tuned_list_clear(&list);
    list = read_all(path, &elsewhere, true);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].rule.choice.segment, 8192);
    frame_tuned_list_clear(&list);
    const frame_signature third = {"another processor", "an MPI", "UCX_TLS=tcp", "0.1.0"};
    list = read_all(path, &third, true);
    assert_int_equal(list.count, 0);
    frame_tuned_list_clear(&list);
}

/* Files that are refused with a sentence, by reading and by adding, and stay. */
static void broken_files_are_refused_and_stay(void **state)
{
    (void)state;
    static const char rule[] = "{\"karman_tuning\": 1, \"machines\": [{\"signature\": "
                               "{\"processor\": \"a processor\", \"mpi\": \"an MPI\", "
                               "\"transport\": \"UCX_TLS=tcp\", \"karman\": \"0.1.0\"}, "
                               "\"rules\": [{\"ranks\": 0}]}]}";
    static const struct {
        const char *text, *sentence;
        bool may_be_added_to; /* its rules are no concern of a writer */
    } files[] = {
        {"", "cannot be read as a tuning file", false},
        {"{\"karman_tuning\": 1, \"mach", "cannot be read as a tuning file", false},
        {"[1, 2]", "is no tuning file", false},
        {"{\"karman_machine\": 1}", "is no tuning file", false},
        {"{\"karman_tuning\": 0, \"machines\": []}", "of format 0", false},
        {rule, "'ranks' of rule 1 has an impossible value", true}};
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        const char *path = scratch_path("broken.json");
        scratch_write(path, files[n].text, strlen(files[n].text));
        frame_tuned_list list = {0};
        frame_tuned one = make_rule(8, 1000, 0.5);
        const frame_tuned_list ones = {1, &one};
        bool others;
        base_fail_set_message("");
        assert_int_equal(frame_tuning_read(path, &here, &list, &others), STATUS_INPUT);
        if (!strstr(base_fail_message(), files[n].sentence)) {
            fail_msg("expected '%s', got '%s'", files[n].sentence, base_fail_message());
        }
        assert_int_equal(list.count, 0);
        if (!files[n].may_be_added_to) {
            assert_int_equal(frame_tuning_add(path, &here, &ones), STATUS_INPUT);
            assert_int_equal(frame_tuning_try(path), STATUS_INPUT);
            FILE *file = fopen(path, "r");
            char text[512] = "";
            assert_non_null(file);
            const size_t size = fread(text, 1, sizeof text - 1, file);
            assert_int_equal(size, strlen(files[n].text));
            fclose(file);
        }
        frame_tuned_list_clear(&list);
    }
}

/* A machine stays beside the rules of its signature, and the last one counts. */
static void a_machine_is_read_as_it_was_written(void **state)
{
    const char *path = scratch_path("machine.json");
    simulate_machine machine = simulate_machine_usual(), read;
    int nodes = -1;
    (void)state;
    add_rule(path, &here, make_rule(8, 1 << 20, 1.0));
    assert_int_equal(messages_tuning_machine(path, &here, &read, &nodes), STATUS_OK);
    assert_int_equal(nodes, 0);
    for (int n = 1; n <= 2; n++) {
        json_t *about = json_pack("{s:i}", "nodes", 2 * n);
        machine.between.latency = 1e-5 * n;
        machine.ports = n;
        assert_int_equal(messages_tuning_add_machine(path, &here, &machine, about),
                         STATUS_OK);
        json_decref(about);
    }
    assert_int_equal(messages_tuning_machine(path, &here, &read, &nodes), STATUS_OK);
    assert_int_equal(nodes, 4);
    assert_int_equal(read.ports, 2);
    assert_true(read.between.latency == 2e-5);
    assert_int_equal(messages_tuning_machine(path, &elsewhere, &read, &nodes), STATUS_OK);
    assert_int_equal(nodes, 0);
    frame_tuned_list rules = read_all(path, &here, false);
    assert_int_equal(rules.count, 1);
    frame_tuned_list_clear(&rules);
    machine.ports = 0;
    json_t *about = json_pack("{s:i}", "nodes", 2);
    assert_int_equal(messages_tuning_add_machine(path, &here, &machine, about),
                     STATUS_OK);
    json_decref(about);
    assert_int_equal(messages_tuning_machine(path, &here, &read, &nodes), STATUS_USAGE);
    assert_int_equal(nodes, 0);
}

static void two_writers_lose_nothing(void **state)
{
    (void)state;
    enum { WRITERS = 3, RULES = 20 };
    const char *path = scratch_path("writers.json");
    pid_t writers[WRITERS];
    for (int w = 0; w < WRITERS; w++) {
        writers[w] = fork();
        assert_true(writers[w] >= 0);
        if (writers[w] == 0) {
            status s = STATUS_OK;
            for (int n = 0; n < RULES && s == STATUS_OK; n++) {
                frame_tuned rule = make_rule(2 + w, 1000 + n, 0.5);
                const frame_tuned_list list = {1, &rule};
                s = frame_tuning_add(path, w == 0 ? &elsewhere : &here, &list);
            }
            _exit(s == STATUS_OK ? 0 : 1);
        }
    }
    for (int w = 0; w < WRITERS; w++) {
        int code;
        assert_int_equal(waitpid(writers[w], &code, 0), writers[w]);
        assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
    }
    frame_tuned_list list = read_all(path, &here, true);
    assert_int_equal(list.count, (WRITERS - 1) * RULES);
    frame_tuned_list_clear(&list);
    list = read_all(path, &elsewhere, true);
    assert_int_equal(list.count, RULES);
    frame_tuned_list_clear(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_is_read_as_it_was_written),
        cmocka_unit_test(a_rule_may_have_an_encoding),
        cmocka_unit_test(machines_share_a_file_and_cases_are_replaced),
        cmocka_unit_test(broken_files_are_refused_and_stay),
        cmocka_unit_test(a_machine_is_read_as_it_was_written),
        cmocka_unit_test(two_writers_lose_nothing),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
