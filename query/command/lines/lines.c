// Answers the items of an input in order, in one thread or several.
#include "lines.h"
#include "query/command/print/print.h"
#include "query/command/request/messages.h"
#include "query/command/request/operands.h"
#include "query/command/request/watch.h"
#include "tables/base/parallel.h"

#include <errno.h>
#include <limits.h>
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
    REPORT_LONGEST = 4096,  // bytes that a report prints on stdout: a JSON object with an error
    WAITING_MOST = 1 << 24, // bytes of answers in a piece without the turn
};

// A piece of the input, with some items, and its answers.
struct piece {
    char *bytes; // that were read
    size_t length;
    size_t room;   // for bytes
    FILE *out;     // writes `answers`
    char *answers; // that are not printed yet
    size_t answers_length;
    uint64_t before; // items of the input before the piece
    bool answered;
};

// Pieces are numbered from 0. The ring holds those from `printed` to `read`-1. Nobody has begun to
// answer those from `taken` on. The piece `printed` has the turn.
struct lines {
    const struct line_job *job;
    struct input *input;
    struct piece *ring;
    unsigned room; // pieces of the ring
    struct pass *passes;
    unsigned workers;
    struct piece *open; // the piece that is read, or NULL
    bool out_of_memory; // while reading
    int wake[2];        // a pipe: what ends the run writes a byte to wake the main thread
    atomic_bool ended;  // nothing more is read or printed; set with the lock
    pthread_mutex_t lock;
    pthread_cond_t more; // to take, or no more to come
    pthread_cond_t turn; // `printed` has changed
    pthread_cond_t half; // of the ring, or less, is not printed
    uint64_t read;       // changed by the main thread alone
    uint64_t taken;
    uint64_t printed;
    uint64_t added; // items that were read; changed by the main thread alone
    size_t waiting; // bytes in the buffer of stdout, at most
    bool all_read;
    bool holds;              // the open piece ends with a part of an item
    enum exit_status status; // the worst so far
    int write_error;         // errno of a failed write to stdout, or 0
};

// The place in the ring of the piece with this number.
static struct piece *piece_at(const struct lines *lines, uint64_t number)
{
    return &lines->ring[number % lines->room];
}

// ---- Answers in order: call these with the lock -------------------------------------------------

// Ends the run with this status: wakes all threads, and the main thread also from its wait for
// input.
static void end_run(struct lines *lines, enum exit_status status)
{
    lines->status = status;
    atomic_store(&lines->ended, true);
    pthread_cond_broadcast(&lines->more);
    pthread_cond_broadcast(&lines->turn);
    pthread_cond_signal(&lines->half);
    (void)!write(lines->wake[1], "", 1);
}

// May this thread print, because its piece is the next one? Never after the run has ended.
static bool has_turn(const struct pass *pass)
{
    return pass->number == pass->lines->printed && !atomic_load(&pass->lines->ended);
}

// Waits until this thread's piece has the turn, or until the run has ended.
static void wait_for_turn(const struct pass *pass)
{
    while (pass->number != pass->lines->printed && !atomic_load(&pass->lines->ended)) {
        pthread_cond_wait(&pass->lines->turn, &pass->lines->lock);
    }
}

// Ends the run after a failed write to stdout. The reason is in errno of this thread alone.
static void check_output(struct lines *lines)
{
    if (ferror(stdout) && lines->write_error == 0) {
        lines->write_error = errno;
        end_run(lines, STATUS_SYSTEM);
    }
}

// Flushes stdout. Ends the run if that fails.
static void flush_output(struct lines *lines)
{
    (void)fflush(stdout);
    lines->waiting = 0;
    check_output(lines);
}

// Makes room in the buffer of stdout for more bytes, and counts them as waiting. So only whole
// lines are written: if a table is cut short, the program ends at once (main.c).
static void make_room(struct lines *lines, size_t length)
{
    if (lines->waiting + length > OUTPUT_BUFFER) {
        flush_output(lines);
    }
    lines->waiting += length;
}

// Prints the answers of the piece that has the turn, as far as they are known, and empties its
// memory for more. Ends the run if answers were lost or stdout does not take them.
static void print_piece(struct lines *lines, struct piece *piece)
{
    if (fflush(piece->out) != 0 || output_was_lost()) {
        end_run(lines, complain(STATUS_SYSTEM, "not enough memory for the answers"));
        return;
    }
    size_t length = (size_t)ftell(piece->out);
    make_room(lines, length);
    fwrite(piece->answers, 1, length, stdout);
    rewind(piece->out);
    if (length > OUTPUT_BUFFER) {
        flush_output(lines);
    }
    check_output(lines);
}

// ---- A pass through a piece ---------------------------------------------------------------------

enum { UNKNOWN = INT_MIN }; // instead of a distance

static _Thread_local struct pass *current; // of this thread; NULL between pieces

// Prints the answers of this thread's piece and flushes stdout, if the piece has the turn. Does so
// only if a tenth of a second has passed since this thread last looked, or if there are many
// answers. If they take much memory, waits for the turn.
static void flush_if_due(struct pass *pass)
{
    if (is_due(&pass->due) || ftell(pass->out) >= OUTPUT_BUFFER / 2) {
        pthread_mutex_lock(&pass->lines->lock);
        if (ftell(pass->out) >= WAITING_MOST) {
            wait_for_turn(pass);
        }
        if (has_turn(pass)) {
            print_piece(pass->lines, pass->piece);
            flush_output(pass->lines);
        }
        pthread_mutex_unlock(&pass->lines->lock);
    }
}

// Prints the distances of the queue that are known and not printed yet, up to the first unknown
// one.
static void print_known(struct pass *pass)
{
    unsigned known = pass->printed;
    while (known < pass->queued && pass->steps[known] != UNKNOWN) {
        known++;
    }
    if (known > pass->printed) {
        hide_search();
        pass->job->print(pass, pass->printed, known);
        pass->printed = known;
    }
}

// A watcher of queries: prints the finished answers of this thread, if that is due (flush_if_due).
// Then calls watch_progress.
static bool watch_lines(void *context, const struct fewest_progress *progress)
{
    if (current) {
        print_known(current);
        flush_if_due(current);
    }
    return watch_progress(context, progress);
}

// Reports an item without an answer: waits for the turn, prints the answers before it, and lets the
// job report it. `place` is its number in the piece, from 1. If the status is worse than the job
// tolerates, ends the run. Returns false if the run has ended.
static bool report_item(struct pass *pass, uint64_t place, const struct fewest_error *error)
{
    struct lines *lines = pass->lines;
    pthread_mutex_lock(&lines->lock);
    wait_for_turn(pass);
    if (has_turn(pass)) {
        hide_search();
        print_piece(lines, pass->piece);
    }
    if (has_turn(pass)) { // unless print_piece has ended the run
        make_room(lines, REPORT_LONGEST);
        enum exit_status status = pass->job->report(pass, place, error);
        lines->status = status > lines->status ? status : lines->status;
        if (status > pass->job->tolerated) {
            end_run(lines, lines->status);
        }
    }
    pthread_mutex_unlock(&lines->lock);
    return !atomic_load(&lines->ended);
}

// Looks up the distances of the queue, prints or reports each in its order, and empties the queue.
// Returns false if the run has ended. Looks at the clock only now and then: reading it takes as
// long as an answer. If a query is slow, its watcher looks.
static bool answer_queue(struct pass *pass)
{
    enum { SELDOM = 1024 }; // items, a multiple of QUEUE_MOST
    bool going = true;
    for (unsigned i = 0; i < pass->queued; i++) {
        pass->steps[i] = UNKNOWN;
    }
    pass->printed = 0;
    while (going && pass->printed < pass->queued) {
        struct fewest_error error;
        unsigned first = pass->printed;
        size_t row = (size_t)first * pass->cells; // where its rows begin
        size_t answered =
            fewest_steps_many(pass->job->table, pass->starts + row, pass->targets + row,
                              pass->queued - first, pass->steps + first, &error);
        print_known(pass);
        if (first + answered < pass->queued) { // the next query has failed
            going = report_item(pass, pass->place[pass->printed++], &error);
        }
    }
    pass->queued = 0;
    pass->printed = 0;
    if (pass->items % SELDOM < QUEUE_MOST) { // once in about SELDOM items
        flush_if_due(pass);
    }
    return going;
}

// Answers the items of a piece, one after the other. Some only join the queue, which is answered
// when it is full, before a report, and at the end. Stops if the run has ended.
static void answer_items(struct pass *pass)
{
    bool going = true;
    do { // an empty piece is one item
        struct fewest_error error;
        pass->place[pass->queued] = ++pass->items;
        if (!pass->job->answer(pass, &error)) {
            uint64_t place = pass->items;
            going = answer_queue(pass) && report_item(pass, place, &error);
        } else if (pass->queued == QUEUE_MOST) {
            going = answer_queue(pass);
        } else if (pass->queued == 0 && pass->items % QUEUE_MOST == 0) {
            flush_if_due(pass);
        }
    } while (going && pass->next < pass->end);
    if (going) {
        answer_queue(pass);
    }
}

// Notes that a piece is answered. If it has the turn, prints it and those after it that are
// answered, and gives the turn to the next one.
static void finish_piece(struct lines *lines, struct piece *piece)
{
    pthread_mutex_lock(&lines->lock);
    piece->answered = true;
    while (!atomic_load(&lines->ended) && lines->printed < lines->read) {
        struct piece *next = piece_at(lines, lines->printed);
        if (!next->answered) {
            break;
        }
        print_piece(lines, next);
        lines->printed++;
    }
    if (lines->workers > 0 && lines->printed == lines->read) { // the main thread may wait for input
        flush_output(lines);
    }
    pthread_cond_broadcast(&lines->turn);
    if (lines->read - lines->printed <= lines->room / 2) {
        pthread_cond_signal(&lines->half);
    }
    pthread_mutex_unlock(&lines->lock);
}

// Answers the piece that a thread has taken, and prints it if it has the turn.
static void answer_piece(struct pass *pass)
{
    struct lines *lines = pass->lines;
    struct piece *piece = pass->piece;
    pass->bytes = piece->bytes;
    pass->next = piece->bytes;
    pass->end = piece->bytes + piece->length;
    pass->out = piece->out;
    pass->items = 0;
    pass->before = piece->before;
    pass->queued = 0;
    flush_if_due(pass);
    current = pass;
    answer_items(pass);
    current = NULL;
    finish_piece(lines, piece);
}

// Waits for a piece that nobody answers, and takes it. Returns false at the end of the input or the
// run.
static bool take_piece(struct pass *pass)
{
    struct lines *lines = pass->lines;
    pthread_mutex_lock(&lines->lock);
    while (lines->taken == lines->read && !lines->all_read && !atomic_load(&lines->ended)) {
        pthread_cond_wait(&lines->more, &lines->lock);
    }
    bool takes = lines->taken < lines->read && !atomic_load(&lines->ended);
    if (takes) {
        pass->number = lines->taken++;
        pass->piece = piece_at(lines, pass->number);
    }
    pthread_mutex_unlock(&lines->lock);
    return takes;
}

// A worker: answers pieces until the end.
static void *run_worker(void *pass)
{
    while (take_piece(pass)) {
        answer_piece(pass);
    }
    return NULL;
}

// ---- The main thread ----------------------------------------------------------------------------

// Begins to read a piece: makes lines->open an empty one. If the ring is full, first waits until
// half of it is printed: to wake up for each piece would take longer than an easy search. Returns
// false if the run has ended or if memory runs out.
static bool open_piece(struct lines *lines)
{
    pthread_mutex_lock(&lines->lock);
    if (lines->read - lines->printed == lines->room) {
        while (lines->read - lines->printed > lines->room / 2 && !atomic_load(&lines->ended)) {
            pthread_cond_wait(&lines->half, &lines->lock);
        }
    }
    pthread_mutex_unlock(&lines->lock);
    if (atomic_load(&lines->ended)) {
        return false;
    }
    struct piece *piece = piece_at(lines, lines->read);
    piece->length = 0;
    piece->before = lines->added;
    piece->answered = false;
    if (!piece->out) { // the first time that this place of the ring is used
        piece->out = open_memstream(&piece->answers, &piece->answers_length);
    }
    if (!piece->out) {
        lines->out_of_memory = true;
        return false;
    }
    lines->open = piece;
    return true;
}

bool lines_add(struct lines *lines, const void *bytes, size_t length, uint64_t items)
{
    if (!lines->open && !open_piece(lines)) {
        return false;
    }
    struct piece *piece = lines->open;
    if (piece->room - piece->length <= length) {
        size_t room = 2 * (piece->length + length) + 1;
        char *larger = realloc(piece->bytes, room);
        if (!larger) {
            lines->open = piece->length > 0 ? piece : NULL; // what it has is answered
            lines->out_of_memory = true;
            return false;
        }
        piece->bytes = larger;
        piece->room = room;
    }
    memcpy(piece->bytes + piece->length, bytes, length);
    piece->length += length;
    lines->added += items;
    return true;
}

// Ends the piece that was read, and lets a worker answer it. Without workers, answers it here.
static void close_piece(struct lines *lines)
{
    pthread_mutex_lock(&lines->lock);
    lines->open = NULL;
    lines->read++;
    pthread_cond_signal(&lines->more);
    pthread_mutex_unlock(&lines->lock);
    if (lines->workers == 0 && take_piece(lines->passes)) {
        answer_piece(lines->passes);
    }
}

void lines_hold(struct lines *lines, bool holds)
{
    if (lines->open && holds) {
        close_piece(lines);
    }
    lines->holds = holds;
}

// The input's `before_reading`: reading may take long, so the piece that was read is closed before,
// and is answered meanwhile. With workers, waits until the input is ready or the run has ended.
// Returns false if the run has ended or after Ctrl-C.
static bool prepare_reading(void *context)
{
    struct lines *lines = context;
    struct pollfd files[] = {{.fd = lines->wake[0], .events = POLLIN},
                             {.fd = lines->input->file, .events = POLLIN}};
    if (lines->open && !lines->holds) {
        close_piece(lines);
    }
    bool waits = lines->workers > 0;
    while (waits && !was_interrupted()) {
        waits = poll(files, 2, -1) < 0 && errno == EINTR; // a signal: look again
    }
    return !atomic_load(&lines->ended) && !was_interrupted();
}

// Reads the input piece by piece, until its end or that of the run.
static void read_pieces(struct lines *lines)
{
    const struct line_job *job = lines->job;
    lines->input->before_reading = prepare_reading;
    lines->input->context = lines;
    while (!atomic_load(&lines->ended) && job->read(job->context, lines)) {
        if (lines->open && lines->open->length >= job->full) {
            close_piece(lines);
        }
    }
    if (lines->open && !lines->holds) {
        close_piece(lines);
    }
    lines->input->before_reading = NULL;
}

// Starts up to `count` workers, as many as the system allows, and counts them in lines->workers.
// They do not get Ctrl-C, so that it interrupts the main thread.
static void start_workers(struct lines *lines, pthread_t *workers, unsigned count)
{
    sigset_t interrupt;
    sigset_t before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    while (lines->workers < count && pthread_create(&workers[lines->workers], NULL, run_worker,
                                                    &lines->passes[lines->workers]) == 0) {
        lines->workers++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Answers all of the input: in `threads` workers, or in this thread alone if that is 1.
static void answer_input(struct lines *lines, unsigned threads)
{
    pthread_t workers[PARALLEL_THREADS_MOST] = {0};
    if (threads > 1 && pipe(lines->wake) == 0) {
        start_workers(lines, workers, threads);
    }
    read_pieces(lines);
    pthread_mutex_lock(&lines->lock);
    lines->all_read = true;
    pthread_cond_broadcast(&lines->more);
    pthread_mutex_unlock(&lines->lock);
    for (unsigned i = 0; i < lines->workers; i++) {
        pthread_join(workers[i], NULL);
    }
}

static void free_lines(struct lines *lines)
{
    for (unsigned i = 0; lines->ring && i < lines->room; i++) {
        struct piece *piece = &lines->ring[i];
        if (piece->out) {
            fclose(piece->out);
            free(piece->answers);
        }
        free(piece->bytes);
    }
    free(lines->ring);
    free(lines->passes);
    if (lines->wake[0] >= 0) {
        close(lines->wake[0]);
        close(lines->wake[1]);
    }
}

// Answers all that the job reads from the input. `threads` is 1 to PARALLEL_THREADS_MOST. Returns
// the exit status, after a message if the run fails.
static enum exit_status answer_all(const struct line_job *job, struct input *input,
                                   unsigned threads)
{
    bool searched = lines_take_long(job->table);
    struct lines lines = {.job = job,
                          .input = input,
                          .room = threads * (searched ? SEARCHES_A_THREAD : PIECES_A_THREAD),
                          .wake = {-1, -1},
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .more = PTHREAD_COND_INITIALIZER,
                          .turn = PTHREAD_COND_INITIALIZER,
                          .half = PTHREAD_COND_INITIALIZER};
    lines.ring = calloc(lines.room, sizeof *lines.ring);
    lines.passes = calloc(threads, sizeof *lines.passes);
    lines.out_of_memory = !lines.ring || !lines.passes;
    if (!lines.out_of_memory) {
        for (unsigned i = 0; i < threads; i++) {
            lines.passes[i].job = job;
            lines.passes[i].cells = job->table ? fewest_info(job->table)->cell_count : 0;
            lines.passes[i].lines = &lines;
        }
        answer_input(&lines, threads);
    }
    free_lines(&lines);
    if (lines.write_error) {
        errno = lines.write_error; // for the message about stdout, which main prints
    }
    if (lines.status > job->tolerated) {
        return lines.status;
    }
    if (lines.out_of_memory) {
        return complain(STATUS_SYSTEM, "not enough memory for the input");
    }
    return input->failed ? complain_failed(input) : lines.status;
}

enum exit_status lines_answer_file(const struct line_job *job, struct input *input,
                                   const struct request *request, const char *path)
{
    struct fewest_error error;
    if (!input_open(input, path)) {
        return complain_system(input->name);
    }
    enlarge_output_buffer();
    enum exit_status status;
    if (job->table && !set_options(job->table, request, watch_lines, NULL, &error)) {
        status = complain_error(&error);
    } else if (job->prepare && !job->prepare(job->context, input)) {
        status = complain_system(input->name);
    } else {
        status = answer_all(job, input, request->threads);
    }
    input_close(input);
    return status;
}
