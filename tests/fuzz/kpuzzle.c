// Fuzz target: any bytes as a KPuzzle definition, or as a file of another program. After a NUL, the
// bytes are those of a goal. A definition that can be translated is compiled, and its error is
// given JSON paths.
#include "gen/import/kpuzzle.h"
#include "gen/import/foreign.h"
#include "tables/families/compile.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *all = (const char *)bytes;
    const char *nul = length > 0 ? memchr(all, '\0', length) : NULL;
    size_t before = nul ? (size_t)(nul - all) : length;
    struct kpuzzle_file file = {"definition", all, before};
    struct kpuzzle_file goal = {"goal", nul ? nul + 1 : NULL, nul ? length - before - 1 : 0};
    struct kpuzzle_text text;
    struct puzzle puzzle;
    struct fewest_error error = {.status = FEWEST_BAD_INPUT};
    (void)kpuzzle_is_json(all, before);
    foreign_explain(all, before, &error);
    if (!kpuzzle_translate(&file, nul ? &goal : NULL, &text, &error)) {
        return 0;
    }
    if (strlen(text.text) != text.length) {
        abort(); // no name may bring a NUL into the text
    }
    if (puzzle_compile(&puzzle, text.text, text.length, METRIC_POWERS, &error)) {
        puzzle_free(&puzzle);
    } else {
        error_name_line(&error, 0, kpuzzle_find_place(&text, error.lines[0].number));
        error_name_line(&error, 1, kpuzzle_find_place(&text, error.lines[1].number));
        if (strlen(error.text) >= sizeof error.text) {
            abort();
        }
    }
    kpuzzle_free(&text);
    return 0;
}
