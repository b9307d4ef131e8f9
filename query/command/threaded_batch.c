// Answers the lines of a batch in several threads.
//
// The main thread reads pieces of the input and prints their answers in order. Workers answer the
// pieces. A query of a searched puzzle takes milliseconds, so each of its lines is a piece. Any
// other piece has many lines. The main thread waits for input only if no piece is left to print, so
// that a program that asks line by line gets each answer.
#include "pass.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECES_A_THREAD = 4,    // of the ring
    SEARCHES_A_THREAD = 32, // likewise, for searched puzzles
    SMALL_PIECE = 4096,     // bytes of its lines
};

// A line that can't be answered.
struct failure {
    unsigned long line; // of the piece, from 1
    size_t at;          // the length of the answers before it, in its part
    struct fewest_error error;
};

// The answers to some lines of a piece. A piece whose lines take long has several parts.
struct part {
    struct part *next;
    FILE *out;     // writes `answers`
    char *answers; // of all lines but those that failed
    size_t answers_length;
    struct failure *failures;
    unsigned failure_count;
    bool out_of_memory;
};

struct piece {
    char *copy;  // of the lines; a later piece uses it again
    size_t room; // bytes of `copy`
    struct input_text lines;
    unsigned long count;
    struct part *parts; // that are not printed yet
    struct part **last; // where the next part goes
    bool out_of_memory;
    bool answered;
};

// Pieces are numbered from 0. The ring holds those from `printed` to `read`-1. Nobody has begun to
// answer those from `taken` on.
struct flow {
    const struct line_answerer *answerer;
    struct input *input;
    struct piece *ring;
    unsigned room;              // pieces of the ring
    struct fewest_query *queue; // of the main thread, for the pieces that it answers
    unsigned long lines;        // in the pieces that were printed
    enum exit_status worst;
    bool input_ended;
    int wake[2]; // a pipe: a worker writes a byte to wake the main thread
    // Protects the fields below, and the parts and `answered` of each piece. The main thread reads
    // `read` and `printed` without it, because no other thread changes them.
    pthread_mutex_t lock;
    pthread_cond_t more; // a piece was read, or `ended` was set
    uint64_t read;
    uint64_t taken;
    uint64_t printed;
    struct part *spare; // parts that were printed, to be used again
    unsigned sleepers;  // workers that wait for `more`
    bool waits;         // the main thread waits until the first piece of the ring is answered
    bool ended;         // workers take no more pieces
    atomic_bool cut;    // the table was cut short
};

static struct piece *piece_at(const struct flow *flow, uint64_t number)
{
    return &flow->ring[number % flow->room];
}

// ---- Answers in order --------------------------------------------------------------------------

static enum exit_status complain_memory(void)
{
    command_complain(PROGRAM, "not enough memory for the answers");
    return STATUS_SYSTEM;
}

// Prints a part, up to an error that ends the batch.
static enum exit_status print_part(struct flow *flow, const struct part *part)
{
    enum exit_status worst = STATUS_ANSWERED;
    size_t printed = 0;
    if (part->out_of_memory) {
        return complain_memory();
    }
    for (unsigned f = 0; f < part->failure_count; f++) {
        const struct failure *failure = &part->failures[f];
        fwrite(part->answers + printed, 1, failure->at - printed, stdout);
        printed = failure->at;
        flow->input->line = flow->lines + failure->line;
        enum exit_status status = pass_report(flow->input, flow->answerer, &failure->error);
        worst = status > worst ? status : worst;
    }
    if (worst <= STATUS_USAGE) {
        fwrite(part->answers + printed, 1, part->answers_length - printed, stdout);
    }
    return worst;
}

static void free_parts(struct part *part)
{
    for (struct part *next; part; part = next) {
        next = part->next;
        fclose(part->out);
        free(part->answers);
        free(part->failures);
        free(part);
    }
}

// Keeps a part that was printed: a C library may give large memory back to the system whenever it
// is freed, which takes long.
static void spare_part(struct flow *flow, struct part *part)
{
    rewind(part->out);
    part->failure_count = 0;
    part->out_of_memory = false;
    pthread_mutex_lock(&flow->lock);
    part->next = flow->spare;
    flow->spare = part;
    pthread_mutex_unlock(&flow->lock);
}

// Has the first piece of the ring a part to print, or is it answered? If not, and if `waits`, a
// worker will wake the main thread.
static bool has_answers(struct flow *flow, bool waits)
{
    pthread_mutex_lock(&flow->lock);
    const struct piece *piece = flow->printed < flow->read ? piece_at(flow, flow->printed) : NULL;
    bool has = piece && (piece->parts || piece->answered);
    flow->waits = waits && !has;
    pthread_mutex_unlock(&flow->lock);
    return has;
}

// Takes the next part of the first piece. If it has no more, ends the piece.
static struct part *take_part(struct flow *flow)
{
    struct piece *piece = piece_at(flow, flow->printed);
    pthread_mutex_lock(&flow->lock);
    struct part *part = piece->parts;
    if (part) {
        piece->parts = part->next;
        piece->last = piece->parts ? piece->last : &piece->parts;
    } else {
        flow->lines += piece->count;
        flow->printed++;
    }
    pthread_mutex_unlock(&flow->lock);
    return part;
}

// Prints answers in order, up to the first line that is not answered or that ends the batch.
static void print_answers(struct flow *flow)
{
    while (flow->worst <= STATUS_USAGE && has_answers(flow, false)) {
        enum exit_status status = STATUS_ANSWERED;
        bool lost = piece_at(flow, flow->printed)->out_of_memory;
        struct part *part = take_part(flow);
        if (part) {
            status = print_part(flow, part);
            spare_part(flow, part);
        } else if (lost) {
            status = complain_memory();
        }
        flow->worst = status > flow->worst ? status : flow->worst;
    }
}

// ---- Workers ------------------------------------------------------------------------------------

// Does an error end the batch?
static bool ends_batch(const struct fewest_error *error)
{
    return exit_status_of(error->status) > STATUS_USAGE;
}

static struct failure *add_failure(struct part *part)
{
    size_t count = part->failure_count;
    if ((count & (count - 1)) == 0) { // a power of two: the list is full
        size_t room = count > 0 ? 2 * count : 1;
        struct failure *larger = realloc(part->failures, room * sizeof *larger);
        if (!larger) {
            return NULL;
        }
        part->failures = larger;
    }
    return &part->failures[part->failure_count++];
}

// The piece that a thread answers.
struct answering {
    struct flow *flow;
    struct piece *piece;
    uint64_t number;   // of the piece
    struct part *part; // its newest
};

static bool keep_failure(struct pass *pass, unsigned long line, const struct fewest_error *error)
{
    struct answering *answering = pass->context;
    struct failure *failure = add_failure(answering->part);
    answering->part->out_of_memory |= !failure;
    if (failure) {
        *failure = (struct failure){line, (size_t)ftell(pass->out), *error};
    }
    return failure && !ends_batch(error);
}

// NULL without memory.
static struct part *make_part(struct flow *flow)
{
    pthread_mutex_lock(&flow->lock);
    struct part *part = flow->spare;
    flow->spare = part ? part->next : NULL;
    pthread_mutex_unlock(&flow->lock);
    if (part) {
        part->next = NULL;
        return part;
    }
    part = calloc(1, sizeof *part);
    if (part) {
        part->out = open_memstream(&part->answers, &part->answers_length);
    }
    if (!part || !part->out) {
        free(part);
        return NULL;
    }
    return part;
}

// Gives the newest part to the main thread. `answered`: it is the last of the piece.
static void hand_over(struct answering *answering, bool answered)
{
    struct flow *flow = answering->flow;
    struct piece *piece = answering->piece;
    struct part *part = answering->part;
    if (part) {
        part->out_of_memory |= fflush(part->out) != 0 || output_was_lost();
        part->answers_length = (size_t)ftell(part->out);
    }
    pthread_mutex_lock(&flow->lock);
    *piece->last = part;
    piece->last = part ? &part->next : piece->last;
    piece->out_of_memory = !part;
    piece->answered = answered;
    bool wakes = flow->waits && answering->number == flow->printed;
    flow->waits = flow->waits && !wakes;
    pthread_mutex_unlock(&flow->lock);
    while (wakes && write(flow->wake[1], "", 1) < 0 && errno == EINTR) {
    }
}

// Hands over what is answered, and goes on in a new part if there is memory for one.
static void publish_part(struct pass *pass)
{
    struct answering *answering = pass->context;
    struct part *next = make_part(answering->flow);
    if (next) {
        hand_over(answering, false);
        answering->part = next;
        pass->out = next->out;
    }
    if (pass->queue == answering->flow->queue) { // in the main thread
        print_answers(answering->flow);
        (void)fflush(stdout);
    }
}

// Lets the main thread print what is answered, and end the program. It has a second for that: it
// may wait for a lock that this thread holds.
static void cut_part(struct pass *pass)
{
    struct flow *flow = ((struct answering *)pass->context)->flow;
    if (pass->queue != flow->queue) { // in a worker
        atomic_store(&flow->cut, true);
        (void)!write(flow->wake[1], "", 1);
        sleep(1);
    }
}

// `queue` may be NULL, for lack of memory.
static void answer_piece(struct flow *flow, struct fewest_query *queue, struct piece *piece,
                         uint64_t number)
{
    struct answering answering = {flow, piece, number, queue ? make_part(flow) : NULL};
    struct pass pass = {.answerer = flow->answerer,
                        .publish = publish_part,
                        .cut = cut_part,
                        .report = keep_failure,
                        .queue = queue,
                        .context = &answering};
    if (answering.part) {
        pass.out = answering.part->out;
        pass_answer(&pass, &piece->lines);
        piece->count = pass.lines;
    }
    hand_over(&answering, true);
}

// Waits for a piece to answer. Returns NULL at the end.
static struct piece *take_piece(struct flow *flow, uint64_t *number)
{
    pthread_mutex_lock(&flow->lock);
    flow->sleepers++;
    while (flow->taken == flow->read && !flow->ended) {
        pthread_cond_wait(&flow->more, &flow->lock);
    }
    flow->sleepers--;
    *number = flow->taken;
    struct piece *piece = flow->ended ? NULL : piece_at(flow, flow->taken++);
    pthread_mutex_unlock(&flow->lock);
    return piece;
}

static void *work(void *argument)
{
    struct flow *flow = argument;
    struct fewest_query *queue = malloc(QUEUE_MOST * sizeof *queue);
    struct piece *piece;
    uint64_t number;
    while ((piece = take_piece(flow, &number))) {
        answer_piece(flow, queue, piece, number);
    }
    free(queue);
    return NULL;
}

// ---- The main thread ----------------------------------------------------------------------------

// Fills a piece with a copy of the lines. Returns false if memory runs out.
static bool fill_piece(struct piece *piece, const struct input_text *lines)
{
    *piece = (struct piece){.copy = piece->copy, .room = piece->room};
    if (piece->room <= lines->length) {
        free(piece->copy);
        piece->copy = malloc(lines->length + 1);
        piece->room = piece->copy ? lines->length + 1 : 0;
    }
    if (!piece->copy) {
        return false;
    }
    memcpy(piece->copy, lines->text, lines->length);
    piece->lines = (struct input_text){piece->copy, lines->length, lines->cut};
    piece->last = &piece->parts;
    return true;
}

static void read_piece(struct flow *flow)
{
    struct piece *piece = piece_at(flow, flow->read);
    struct input_text lines;
    bool searched = fewest_is_searched(flow->answerer->table);
    if (!(searched ? input_line(flow->input, &lines) : input_lines(flow->input, &lines))) {
        flow->input_ended = true;
        return;
    }
    if (!fill_piece(piece, &lines)) {
        command_complain(PROGRAM, "not enough memory for the input lines");
        flow->worst = STATUS_SYSTEM;
        return;
    }
    // A worker would take longer to wake up than a small piece takes. While the main thread answers
    // a large one, the next piece could arrive.
    bool alone =
        flow->read == flow->printed && lines.length <= SMALL_PIECE && !input_is_ready(flow->input);
    pthread_mutex_lock(&flow->lock);
    uint64_t number = flow->read++;
    flow->taken += alone;
    if (!alone && flow->sleepers > 0) {
        pthread_cond_signal(&flow->more);
    }
    pthread_mutex_unlock(&flow->lock);
    if (alone) {
        answer_piece(flow, flow->queue, piece, number);
    }
}

// Waits until the first piece of the ring has answers. If `reads`, it also stops waiting when input
// is ready.
static void wait_for_piece(struct flow *flow, bool reads)
{
    struct pollfd files[] = {{.fd = flow->wake[0], .events = POLLIN},
                             {.fd = flow->input->file, .events = POLLIN}};
    char byte;
    if (fflush(stdout) != 0 || has_answers(flow, true)) {
        return;
    }
    if (poll(files, reads ? 2 : 1, -1) < 0 && was_interrupted()) {
        flow->input->failed = true;
        flow->input_ended = true;
    }
    while (files[0].revents & POLLIN && read(flow->wake[0], &byte, 1) < 0 && errno == EINTR) {
    }
}

static void run(struct flow *flow)
{
    for (;;) {
        bool cut = atomic_load(&flow->cut);
        print_answers(flow);
        if (cut) {
            end_cut();
        }
        uint64_t pieces = flow->read - flow->printed;
        bool reads = !flow->input_ended && pieces < flow->room;
        if (flow->worst > STATUS_USAGE || ferror(stdout) || (pieces == 0 && !reads)) {
            return;
        }
        if (reads && (pieces == 0 || input_has_line(flow->input))) {
            read_piece(flow);
        } else if (reads && input_is_ready(flow->input)) {
            input_fill(flow->input);
        } else {
            wait_for_piece(flow, reads);
        }
    }
}

// Starts up to `count` workers. Ctrl-C is for the main thread. Returns how many were started.
static unsigned start_workers(struct flow *flow, pthread_t *workers, unsigned count)
{
    unsigned started = 0;
    sigset_t interrupt;
    sigset_t before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    while (started < count && pthread_create(&workers[started], NULL, work, flow) == 0) {
        started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void end_workers(struct flow *flow, const pthread_t *workers, unsigned count)
{
    pthread_mutex_lock(&flow->lock);
    flow->ended = true;
    pthread_cond_broadcast(&flow->more);
    pthread_mutex_unlock(&flow->lock);
    while (count > 0) {
        pthread_join(workers[--count], NULL);
    }
}

static void free_ring(struct flow *flow)
{
    for (uint64_t number = flow->printed; number < flow->read; number++) {
        free_parts(piece_at(flow, number)->parts);
    }
    free_parts(flow->spare);
    for (unsigned i = 0; i < flow->room && flow->ring; i++) {
        free(flow->ring[i].copy);
    }
    free(flow->ring);
}

bool batch_answer_threaded(const struct line_answerer *answerer, struct input *input,
                           unsigned threads, enum exit_status *status)
{
    struct flow flow = {.answerer = answerer,
                        .input = input,
                        .worst = STATUS_ANSWERED,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .more = PTHREAD_COND_INITIALIZER};
    unsigned started = 0;
    if (pipe(flow.wake) != 0) {
        return false;
    }
    flow.room =
        threads * (fewest_is_searched(answerer->table) ? SEARCHES_A_THREAD : PIECES_A_THREAD);
    flow.ring = calloc(flow.room, sizeof *flow.ring);
    flow.queue = malloc(QUEUE_MOST * sizeof *flow.queue);
    pthread_t *workers = malloc(threads * sizeof *workers);
    if (flow.ring && flow.queue && workers) {
        started = start_workers(&flow, workers, threads);
    }
    if (started > 0) {
        run(&flow);
        end_workers(&flow, workers, started);
    }
    free(workers);
    free(flow.queue);
    free_ring(&flow);
    close(flow.wake[0]);
    close(flow.wake[1]);
    *status = flow.worst <= STATUS_USAGE && (input->failed || ferror(stdout))
                  ? complain_failed(input)
                  : flow.worst;
    return started > 0;
}
