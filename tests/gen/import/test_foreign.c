// Tests of files of other programs: which are known by their first lines.
#include "gen/import/foreign.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(foreign, files_of_other_programs_are_known_by_their_first_lines)
{
    // A text, and what it is; NULL: perhaps a definition.
    static const char *const TEXTS[][2] = {
        {"M:=(1,2,3);", "a GAP file"},
        {"\xEF\xBB\xBF\r\n # a\r a := (1,2) ;", "a GAP file"},
        {"gap> 1;", "a GAP file"},
        {"LoadPackage(\"a\");\n# b\nb:=\n(1,2);", "a GAP file"},
        {"Group((1,2));", "a GAP file"},
        {"Read(\"a\");\n# b:=1", NULL},
        {"# M:=1\nSet A 1 1", NULL},
        {"Set A 1 1;", NULL},
        {"Name a:=b", NULL},
        {"Set A:=1 1 1", NULL},
        {"puzzle_type,allowed_moves\n", "a CSV file"},
        {"id,puzzle_type,solution_state,initial_state,num_wildcards", "a CSV file"},
        {"id, movesOf 2", NULL},
        {"id,", NULL},
        {"id", NULL},
        {"a,1", NULL},
        {"Set,A,4,1", NULL},
        {"{'f0': [0]}", "a dictionary of Python"},
        {" {\n\n 'f0': [0]}", "a dictionary of Python"},
        {"cube_2/2/2,\"{'f0': [0]}\"", NULL},
        {"{", "JSON"},
        {" \r\n\t{}", "JSON"},
        {"\xEF\xBB\xBF {", "JSON"},
        {"{\"orbits\": []}", "JSON"},
        {"[[0, 1]]", "a list of JSON"},
        {"Name {", NULL},
        {"# {", NULL},
        {"", NULL},
        {"#", NULL},
        {"'", NULL},
        {";", NULL},
        {"\xEF\xBB{", NULL},
        {"\xEF\xBB\xBF", NULL},
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        struct fewest_error error = {.status = FEWEST_BAD_INPUT, .text = "the old error"};
        size_t length = strlen(TEXTS[i][0]);
        char *text = malloc(length > 0 ? length : 1); // without a NUL
        memcpy(text, TEXTS[i][0], length);
        const char *kind = foreign_find_kind(text, length);
        cr_expect(kind == TEXTS[i][1] || (kind && TEXTS[i][1] && strcmp(kind, TEXTS[i][1]) == 0),
                  "%s: %s", TEXTS[i][0], kind ? kind : "NULL");
        cr_expect_not(foreign_explain(text, length, &error));
        cr_expect(strstr(error.text, TEXTS[i][1] ? TEXTS[i][1] : "the old error"), "%s",
                  error.text);
        error = (struct fewest_error){.status = FEWEST_SYSTEM, .text = "no memory"};
        cr_expect_not(foreign_explain(text, length, &error));
        cr_expect_str_eq(error.text, "no memory");
        free(text);
    }
}
