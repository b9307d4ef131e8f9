// Maps the file of a table, or reads it into memory.
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A mapping of a file. All are in a list, which only grows, so that a signal handler can walk it at
// any time. Its fields are atomic, because threads open and close tables meanwhile. One that has
// ended has no bytes, and is used again.
struct mapped {
    const uint8_t *_Atomic bytes; // NULL: nothing is mapped
    _Atomic size_t length;
    atomic_bool taken; // by a storage
    struct mapped *next;
};

static struct mapped *_Atomic all_mapped;

// Returns an entry of the list that no storage uses: an old one, or a new one. NULL without memory.
static struct mapped *take_mapped(void)
{
    for (struct mapped *m = all_mapped; m; m = m->next) {
        if (!atomic_exchange(&m->taken, true)) {
            return m;
        }
    }
    struct mapped *made = calloc(1, sizeof *made);
    if (made) {
        made->taken = true;
        made->next = all_mapped;
        // If another thread was faster, this sets made->next to its entry, and tries again.
        while (!atomic_compare_exchange_weak(&all_mapped, &made->next, made)) {
        }
    }
    return made;
}

bool storage_is_mapped(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (const struct mapped *m = all_mapped; m; m = m->next) {
        uintptr_t first = (uintptr_t)m->bytes;
        if (first != 0 && at >= first && at - first < m->length) {
            return true;
        }
    }
    return false;
}

bool storage_read_file(int file, uint64_t offset, void *to, size_t length)
{
    uint8_t *at = to;
    while (length > 0) {
        ssize_t done = pread(file, at, length, (off_t)offset);
        if (done == 0) { // the end of the file
            errno = ENODATA;
            return false;
        }
        if (done < 0 && errno == EINTR) { // a signal came first
            continue;
        }
        if (done < 0) {
            return false;
        }
        at += done;
        offset += (uint64_t)done;
        length -= (size_t)done;
    }
    return true;
}

// Maps the file, of storage->length bytes. Returns false without an error if that is not possible:
// then the caller reads the file.
static bool map_file(struct storage *storage, int file)
{
    size_t length = (size_t)storage->length;
    struct mapped *mapped = take_mapped();
    if (!mapped) {
        return false;
    }
    void *bytes = mmap(NULL, length, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) {
        mapped->taken = false;
        return false;
    }
    mapped->length = length; // before `bytes`: a signal handler may come between
    mapped->bytes = bytes;
    storage->file = mapped;
    storage->bytes = bytes;
    return true;
}

// Reads the whole file, of storage->length bytes, into memory that storage_close frees.
static bool read_file(struct storage *storage, int file, struct fewest_error *error)
{
    size_t length = (size_t)storage->length;
    storage->own = malloc(length);
    if (!storage->own) {
        return error_set(error, FEWEST_SYSTEM,
                         "the file can't be mapped, and there is not enough memory to read it");
    }
    if (!storage_read_file(file, 0, storage->own, length)) {
        error_write(error, FEWEST_SYSTEM, "can't read the file: %s", strerror(errno));
        free(storage->own);
        return false;
    }
    storage->bytes = storage->own;
    return true;
}

bool storage_of_file(struct storage *storage, int file, struct fewest_error *error)
{
    struct stat status;
    *storage = (struct storage){.length = 0};
    if (fstat(file, &status) != 0) {
        return error_set(error, FEWEST_MISSING, "%s", strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return error_set(error, FEWEST_MISSING, "not a regular file");
    }
    if (status.st_size == 0) {
        return error_set(error, FEWEST_DAMAGED, "the file is empty");
    }
    storage->length = (uint64_t)status.st_size;
    if (storage->length > SIZE_MAX / 2) {
        return error_set(error, FEWEST_BEYOND,
                         "the table has %llu bytes, more than this program can address",
                         (unsigned long long)storage->length);
    }
    return map_file(storage, file) || read_file(storage, file, error);
}

bool storage_open(struct storage *storage, const char *path, struct fewest_error *error)
{
    // O_NONBLOCK: opening a pipe that nobody writes to must not wait.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return error_set(error, FEWEST_MISSING, "%s", strerror(errno));
    }
    bool opened = storage_of_file(storage, file, error);
    close(file);
    return opened;
}

void storage_close(struct storage *storage)
{
    if (storage->file) {
        storage->file->bytes = NULL; // before the mapping ends: see storage_is_mapped
        munmap((void *)storage->bytes, (size_t)storage->length);
        storage->file->taken = false;
    }
    free(storage->own);
}
