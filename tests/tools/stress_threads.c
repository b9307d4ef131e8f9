// Many threads ask one table whose blocks are not unpacked yet, so that they unpack the same blocks
// at once. Each answer must be the one that a single thread got. The program has its own main,
// because ThreadSanitizer can't start under Criterion.
//
//     stress_threads TABLE...
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, QUERIES = 48, WALK_MOST = 24, WALK_SEARCHED = 12 };

struct asked {
    struct query query;
    struct fewest_path path;
};

struct stress {
    struct fewest *table;
    const struct asked *asked;
    pthread_barrier_t *start;
    unsigned first; // index of its first query, the same for two threads
    unsigned wrong;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static struct fewest *open_cold(const char *path, uint64_t cache)
{
    struct fewest_error error;
    struct fewest *table = fewest_open(path, &error);
    if (!table) {
        die(path, error.text);
    }
    support_set(table, (struct fewest_options){.cache = cache});
    return table;
}

// Makes some random moves on a state. Leaves out moves that are not possible.
static void walk(const struct fewest *table, uint8_t *state)
{
    struct fewest_error error;
    unsigned length =
        support_random_below(fewest_info(table)->is_searched ? WALK_SEARCHED : WALK_MOST);
    for (unsigned i = 0; i < length; i++) {
        fewest_apply(table, support_random_below(fewest_info(table)->move_count), state, state,
                     &error);
    }
}

static bool answer(struct fewest *table, const struct query *query, struct fewest_path *path)
{
    struct fewest_error error;
    int steps;
    return fewest_steps(table, query->start, query->target, &steps, &error) &&
           fewest_path(table, query->start, query->target, path, &error) && path->steps == steps;
}

// Asks queries in one thread, and records the answers. Half of them have a TARGET, with up to three
// wildcards unless the board is searched. Drops queries that the table can't answer.
static unsigned ask_alone(const char *path, struct asked *asked)
{
    struct fewest *table = open_cold(path, 0);
    struct fewest_error error;
    unsigned count = 0;
    for (unsigned i = 0; i < QUERIES; i++) {
        struct asked *one = &asked[count];
        if (!fewest_read_moves(table, NULL, "", 0, one->query.start, &error)) {
            die(path, error.text);
        }
        memcpy(one->query.target, one->query.start, sizeof one->query.target);
        walk(table, one->query.start);
        for (unsigned w = i % 4; w > 0 && !fewest_info(table)->is_searched; w--) {
            one->query.target[support_random_below(fewest_info(table)->cell_count)] = FEWEST_WILD;
        }
        if (i % 2 == 0) {
            one->query.target[0] = FEWEST_GOALS;
        }
        count += answer(table, &one->query, &one->path) ? 1 : 0;
    }
    fewest_close(table);
    return count;
}

static bool is_right(struct fewest *table, const struct asked *asked)
{
    struct fewest_path path;
    return answer(table, &asked->query, &path) && path.steps == asked->path.steps &&
           (path.steps < 0 ||
            memcmp(path.moves, asked->path.moves, (size_t)path.steps * sizeof *path.moves) == 0);
}

static unsigned query_count; // recorded queries of the current table

static void *ask_among_others(void *argument)
{
    struct stress *stress = argument;
    pthread_barrier_wait(stress->start);
    for (unsigned i = 0; i < query_count; i++) {
        stress->wrong +=
            !is_right(stress->table, &stress->asked[(stress->first + i) % query_count]);
    }
    return NULL;
}

// Returns the number of wrong answers.
static unsigned ask_together(const char *path, const struct asked *asked, uint64_t cache)
{
    struct stress stresses[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    unsigned wrong = 0;
    struct fewest *table = open_cold(path, cache);
    pthread_barrier_init(&start, NULL, THREADS);
    for (unsigned t = 0; t < THREADS; t++) {
        stresses[t] = (struct stress){table, asked, &start, t / 2 * query_count / THREADS, 0};
        if (pthread_create(&threads[t], NULL, ask_among_others, &stresses[t]) != 0) {
            die(path, "no thread");
        }
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        wrong += stresses[t].wrong;
    }
    pthread_barrier_destroy(&start);
    fewest_close(table);
    return wrong;
}

// Negative control: if a recorded answer is wrong, each thread must count one wrong answer.
static void prove_that_it_can_fail(const char *path, struct asked *asked)
{
    asked[0].path.steps++;
    if (ask_together(path, asked, 0) != THREADS) {
        die(path, "a wrong answer was not noticed");
    }
    asked[0].path.steps--;
}

int main(int argc, char **argv)
{
    static const uint64_t CACHES[] = {0, 0, 0, 1}; // 0: default; 1: sixteen blocks of each section
    static struct asked asked[QUERIES];
    unsigned long answers = 0;
    unsigned wrong = 0;
    for (int i = 1; i < argc; i++) {
        query_count = ask_alone(argv[i], asked);
        if (query_count < QUERIES / 4) {
            die(argv[i], "too few of the queries have an answer");
        }
        prove_that_it_can_fail(argv[i], asked);
        for (size_t c = 0; c < sizeof CACHES / sizeof *CACHES; c++) {
            wrong += ask_together(argv[i], asked, CACHES[c]);
            answers += (unsigned long)THREADS * query_count;
        }
    }
    if (wrong > 0 || answers == 0) {
        printf("%u of %lu answers were wrong\n", wrong, answers);
        return 1;
    }
    printf("PROGRAM PASSED: %lu answers to %d threads on one table\n", answers, THREADS);
    return 0;
}
