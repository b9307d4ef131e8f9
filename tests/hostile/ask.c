// Questions for any puzzle, drawn through the public interface alone; what the intact table answers to them, and the
// judge of what a spoilt one does.
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- Drawing -------------------------------------------------------------------------------------------------------

static void solved_state(const struct fewest *table, uint8_t *state)
{
    struct fewest_error error;
    if (!fewest_read_moves(table, NULL, "", 0, state, &error)) {
        memset(state, 0, FEWEST_CELLS_MOST);
    }
}

// Returns how many moves could be made: of some puzzles a state does not tell what a move makes of it.
static unsigned walk(const struct fewest *table, unsigned length, uint8_t *state)
{
    uint8_t moved[FEWEST_CELLS_MOST];
    unsigned made = 0;
    for (unsigned i = 0; i < length; i++) {
        if (fewest_apply(table, support_random_below(fewest_move_count(table)), state, moved)) {
            memcpy(state, moved, fewest_cell_count(table));
            made++;
        }
    }
    return made;
}

// Exchanges cells, and copies one to another, where that leaves a state. Not all of these can be reached.
static void jumble(const struct fewest *table, uint8_t *state)
{
    unsigned cells = fewest_cell_count(table);
    for (unsigned i = 0; i < 2 * cells; i++) {
        uint8_t other[FEWEST_CELLS_MOST];
        struct fewest_error error;
        unsigned a = support_random_below(cells);
        unsigned b = support_random_below(cells);
        memcpy(other, state, sizeof other);
        other[a] = state[b];
        other[b] = support_random_below(3) == 0 ? state[b] : state[a];
        if (fewest_check_state(table, "STATE", false, other, &error)) {
            memcpy(state, other, sizeof other);
        }
    }
}

static void draw_state(const struct fewest *table, const uint8_t *farthest, bool searched, uint8_t *state)
{
    enum { EASY = 14, LONG = 60 };
    solved_state(table, state);
    if (searched) {
        walk(table, support_random_below(EASY), state);
        return;
    }
    if (farthest && support_random_below(2) == 0) {
        memcpy(state, farthest, fewest_cell_count(table));
    }
    unsigned made = walk(table, 1 + support_random_below(support_random_below(2) ? LONG : 6), state);
    if (made == 0 || support_random_below(4) == 0) {
        jumble(table, state);
    }
}

// A start that every table answers from: the solved state or, on a board, one with its blank in another cell.
static void draw_start(const struct fewest *table, bool searched, uint8_t *state)
{
    char text[8];
    struct fewest_error error;
    snprintf(text, sizeof text, "%u", 1 + support_random_below(fewest_cell_count(table)));
    if (searched || !fewest_read_start(table, text, state, &error)) {
        solved_state(table, state);
    }
}

static void draw_question(const struct fewest *table, const uint8_t *farthest, struct fewest_query *question)
{
    enum { WILD_FEW = 4 };
    bool searched = fewest_is_searched(table);
    unsigned cells = fewest_cell_count(table);
    *question = (struct fewest_query){.has_target = support_random_below(4) > 0};
    if (support_random_below(2)) {
        draw_start(table, searched, question->start);
    } else {
        draw_state(table, farthest, searched, question->start);
    }
    if (!question->has_target) {
        return;
    }
    draw_state(table, farthest, searched, question->target);
    if (!searched && support_random_below(2)) {
        unsigned wild = 1 + support_random_below(support_random_below(2) && cells <= 9 ? cells : WILD_FEW);
        for (; wild > 0; wild--) {
            question->target[support_random_below(cells)] = FEWEST_WILD;
        }
    }
}

// ---- Asking --------------------------------------------------------------------------------------------------------

static void ask(struct fewest *table, const struct fewest_query *question, struct reply *reply,
                struct fewest_error *error)
{
    unsigned moves[FEWEST_PATH_MOST];
    char reason[FEWEST_ERROR_SIZE];
    *reply = (struct reply){.steps_status = FEWEST_OK};
    if (!fewest_steps(table, question, &reply->steps, error)) {
        reply->steps_status = error->status;
        reply->steps = 0;
    }
    if (!fewest_path(table, question, moves, &reply->path_steps, error)) {
        reply->path_status = error->status;
        reply->path_steps = 0;
    } else if (reply->path_steps > 0 && reply->path_steps <= FEWEST_PATH_MOST) {
        reply->path_hash = format_hash(moves, (size_t)reply->path_steps * sizeof *moves);
    }
    if (!fewest_parity(table, question, &reply->reachable, reason, error)) {
        reply->parity_status = error->status;
        reply->reachable = false;
    } else {
        reply->reason_hash = format_hash(reason, strlen(reason));
    }
}

static void ask_whole(struct fewest *table, struct whole *whole)
{
    struct fewest_error error;
    *whole = (struct whole){.stats_status = FEWEST_OK};
    if (!fewest_get_stats(table, NULL, &whole->stats, &error)) {
        whole->stats_status = error.status;
        whole->stats = (struct fewest_stats){.states = 0};
    }
    if (!support_farthest(table, NULL, whole->farthest, &error)) {
        whole->farthest_status = error.status;
    }
}

// ---- Judging -------------------------------------------------------------------------------------------------------

// Of one answer: as recorded, refused because of the damage, or neither.
static enum verdict judge_part(enum fewest_status status, enum fewest_status expected, bool same)
{
    if (status == expected && (same || status != FEWEST_OK)) {
        return VERDICT_RIGHT;
    }
    return status == FEWEST_DAMAGED ? VERDICT_REFUSED : VERDICT_WRONG;
}

static enum verdict worse(enum verdict a, enum verdict b)
{
    return a > b ? a : b;
}

enum verdict judge_record(struct fewest *table, const struct record *record, char why[WHY_SIZE])
{
    struct fewest_error error = {FEWEST_OK, ""};
    const struct reply *expected = &record->reply;
    struct reply reply;
    char text[FEWEST_TEXT_SIZE];
    ask(table, &record->question, &reply, &error);
    enum verdict steps = judge_part(reply.steps_status, expected->steps_status, reply.steps == expected->steps);
    enum verdict path = judge_part(reply.path_status, expected->path_status,
                                   reply.path_steps == expected->path_steps && reply.path_hash == expected->path_hash);
    enum verdict parity =
        judge_part(reply.parity_status, expected->parity_status,
                   reply.reachable == expected->reachable && reply.reason_hash == expected->reason_hash);
    enum verdict verdict = worse(steps, worse(path, parity));
    if (verdict == VERDICT_WRONG) {
        fewest_write_state(table, record->question.start, text);
        snprintf(why, WHY_SIZE, "from %.80s: the %s is wrong: steps %d, not %d, path of %d, not %d; last error '%.80s'",
                 text,
                 steps == VERDICT_WRONG  ? "number"
                 : path == VERDICT_WRONG ? "path"
                                         : "parity",
                 reply.steps, expected->steps, reply.path_steps, expected->path_steps, error.text);
    } else if (verdict == VERDICT_REFUSED) {
        snprintf(why, WHY_SIZE, "%s", error.text);
    }
    return verdict;
}

static bool same_stats(const struct fewest_stats *a, const struct fewest_stats *b)
{
    return a->states == b->states && a->reachable == b->reachable && a->largest == b->largest && a->mean == b->mean &&
           memcmp(a->count, b->count, sizeof a->count) == 0;
}

enum verdict judge_whole(struct fewest *table, const struct whole *expected, char why[WHY_SIZE])
{
    struct whole whole;
    ask_whole(table, &whole);
    enum verdict stats =
        judge_part(whole.stats_status, expected->stats_status, same_stats(&whole.stats, &expected->stats));
    enum verdict farthest = judge_part(whole.farthest_status, expected->farthest_status,
                                       memcmp(whole.farthest, expected->farthest, fewest_cell_count(table)) == 0);
    if (worse(stats, farthest) == VERDICT_WRONG) {
        snprintf(why, WHY_SIZE, "the %s wrong", stats == VERDICT_WRONG ? "counts are" : "farthest state is");
    }
    return worse(stats, farthest);
}

// ---- Forged tables -------------------------------------------------------------------------------------------------

static bool stop_late(void *context, int bound)
{
    const struct timespec *begin = context;
    struct timespec now;
    (void)bound;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - begin->tv_sec < 2;
}

// A lie, or an error, but one that is possible.
static bool interrogate_once(struct fewest *table, const struct fewest_query *question, struct reply *reply,
                             char why[WHY_SIZE])
{
    struct fewest_error error = {FEWEST_OK, ""};
    struct timespec begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    fewest_watch(table, stop_late, &begin); // a lying database may make a search long, which its watcher can end
    ask(table, question, reply, &error);
    const enum fewest_status statuses[] = {reply->steps_status, reply->path_status, reply->parity_status};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        bool stopped = statuses[i] == FEWEST_STOPPED && fewest_is_searched(table);
        if (statuses[i] != FEWEST_OK && statuses[i] != FEWEST_DAMAGED && statuses[i] != FEWEST_BEYOND && !stopped) {
            snprintf(why, WHY_SIZE, "an unexpected error: %s: %.200s", "status", error.text);
            return false;
        }
    }
    if (reply->steps < FEWEST_UNREACHABLE || reply->steps > FEWEST_PATH_MOST ||
        reply->path_steps < FEWEST_UNREACHABLE || reply->path_steps > FEWEST_PATH_MOST) {
        snprintf(why, WHY_SIZE, "impossible: %d steps, a path of %d", reply->steps, reply->path_steps);
        return false;
    }
    return true;
}

// A question of the true table may be none of the forged one.
static bool is_question(const struct fewest *table, struct fewest_query *question)
{
    struct fewest_error error;
    return fewest_check_state(table, "START", false, question->start, &error) &&
           (!question->has_target || fewest_check_state(table, "TARGET", true, question->target, &error));
}

static void count_reply(const struct reply *reply, const struct reply *expected, struct inquiry *inquiry)
{
    enum verdict steps = judge_part(reply->steps_status, expected->steps_status, reply->steps == expected->steps);
    enum verdict path = judge_part(reply->path_status, expected->path_status, reply->path_hash == expected->path_hash);
    inquiry->refused += steps == VERDICT_REFUSED || path == VERDICT_REFUSED;
    inquiry->lied += steps == VERDICT_WRONG || path == VERDICT_WRONG;
}

bool interrogate(struct fewest *table, const struct book *book, bool whole, struct inquiry *inquiry, char why[WHY_SIZE])
{
    const unsigned asked = book->searched ? 2 : 4; // each may prepare a search anew
    struct whole told;
    struct reply reply;
    *inquiry = (struct inquiry){0};
    for (unsigned i = 0; i < asked; i++) {
        const struct record *record = &book->records[support_random_below(book->count)];
        struct fewest_query question = record->question;
        if (!is_question(table, &question)) {
            inquiry->lied++;
        } else if (interrogate_once(table, &question, &reply, why)) {
            count_reply(&reply, &record->reply, inquiry);
        } else {
            return false;
        }
    }
    for (unsigned i = 0; i < asked; i++) {
        struct fewest_query question;
        draw_question(table, NULL, &question);
        if (is_question(table, &question) && !interrogate_once(table, &question, &reply, why)) {
            return false;
        }
    }
    if (whole) {
        ask_whole(table, &told);
        inquiry->refused += told.farthest_status == FEWEST_DAMAGED;
    }
    return true;
}

// ---- The book ------------------------------------------------------------------------------------------------------

static int add_record(struct book *book, struct fewest *table, const struct fewest_query *question)
{
    struct fewest_error error;
    if (book->count == RECORDS_MOST) {
        return -1;
    }
    struct record *record = &book->records[book->count];
    record->question = *question;
    ask(table, question, &record->reply, &error);
    return (int)book->count++;
}

// Keeps a few questions as text: answerable ones, some without a target.
static void add_line(struct book *book, const struct fewest *table, const struct record *record)
{
    if (book->line_count == LINES_MOST || record->reply.steps_status != FEWEST_OK ||
        record->reply.path_status != FEWEST_OK || record->reply.steps < 1) {
        return;
    }
    fewest_write_state(table, record->question.start, book->start[book->line_count]);
    if (record->question.has_target) {
        fewest_write_state(table, record->question.target, book->target[book->line_count]);
    }
    book->line_count++;
}

static void write_general(struct book *book, struct fewest *table, const uint8_t *farthest)
{
    enum { GENERAL = 64, DRAWS = 2000 };
    for (unsigned i = 0; i < DRAWS && book->count < GENERAL; i++) {
        struct fewest_query question;
        draw_question(table, farthest, &question);
        int record = is_question(table, &question) ? add_record(book, table, &question) : -1;
        if (record < 0) {
            continue;
        }
        const struct reply *reply = &book->records[record].reply;
        if (reply->steps_status == FEWEST_BEYOND && support_random_below(8)) {
            book->count--; // a few such will do
        } else {
            add_line(book, table, &book->records[record]);
        }
    }
    book->general = book->count;
}

// Of a table all whose blocks of one section are damaged, a question names the first one that it needs. (A search needs
// all of them, and always names the same.)
static void find_askers(struct book *book, struct lab *lab, struct fewest *table, uint64_t first, uint64_t count,
                        unsigned draws)
{
    struct fewest_error error;
    uint64_t wanted = book->searched ? 1 : count;
    for (uint64_t b = first; b < first + count; b++) {
        lab_flip_block(lab, b, 0);
    }
    struct fewest *damaged = fewest_open_buffer(lab->work.bytes, lab->work.length, &error);
    const uint8_t *farthest = book->whole.farthest_status == FEWEST_OK ? book->whole.farthest : NULL;
    uint64_t found = 0;
    for (uint64_t i = 0; damaged && i < draws * wanted && found < wanted; i++) {
        struct fewest_query question;
        unsigned moves[FEWEST_PATH_MOST];
        int steps;
        draw_question(table, farthest, &question);
        if (!is_question(table, &question) || fewest_path(damaged, &question, moves, &steps, &error)) {
            continue;
        }
        int block = error.status == FEWEST_DAMAGED ? lab_named_block(lab, error.text) : -1;
        if (block >= 0 && book->asker[block] < 0) {
            book->asker[block] = add_record(book, table, &question);
            found++;
        }
    }
    fewest_close(damaged);
    lab_mend(lab, lab->header.length, lab->good.length);
}

void book_write(struct book *book, struct lab *lab, unsigned draws)
{
    struct fewest_error error;
    struct fewest *table = fewest_open_buffer(lab->good.bytes, lab->good.length, &error);
    if (!table) {
        violate("the intact table does not open: %s", error.text);
        return;
    }
    *book = (struct book){.searched = fewest_is_searched(table), .block_count = (unsigned)lab->header.block_count};
    ask_whole(table, &book->whole);
    write_general(book, table, book->whole.farthest_status == FEWEST_OK ? book->whole.farthest : NULL);
    uint64_t first = 0;
    for (uint64_t b = 0; b < lab->header.block_count; b++) {
        book->asker[b] = -1;
    }
    for (unsigned s = 0; s < lab->header.section_count; s++) {
        uint64_t count = section_blocks(&lab->header, &lab->header.sections[s]);
        find_askers(book, lab, table, first, count, draws);
        first += count;
    }
    fewest_close(table);
}
