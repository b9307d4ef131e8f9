// Runs a fuzz target without libFuzzer, on the files of a folder and on variants of each: every
// prefix, and a few changes of each byte. Hides the messages that almost every input causes.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { LONGEST = 1 << 16 };

static void run_variants(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length + 1);
    if (!copy) {
        abort();
    }
    LLVMFuzzerTestOneInput(bytes, length);
    for (size_t i = 0; i < length; i++) {
        memcpy(copy, bytes, length);
        LLVMFuzzerTestOneInput(copy, i);
        for (unsigned change = 1; change < 256; change *= 3) {
            copy[i] = (uint8_t)(bytes[i] + change);
            LLVMFuzzerTestOneInput(copy, length);
        }
    }
    free(copy);
}

static void run_file(const char *path)
{
    uint8_t *bytes = malloc(LONGEST);
    FILE *file = fopen(path, "rb");
    if (!file || !bytes) {
        perror(path);
        exit(1);
    }
    size_t length = fread(bytes, 1, LONGEST, file);
    fclose(file);
    run_variants(bytes, length);
    free(bytes);
}

// A sanitizer defines this function. It sets where the sanitizer reports.
void __sanitizer_set_report_fd(void *file) __attribute__((weak)); // NOLINT: its own name

static FILE *silence(void)
{
    FILE *own = fdopen(dup(STDOUT_FILENO), "w");
    if (__sanitizer_set_report_fd) {
        __sanitizer_set_report_fd((void *)(intptr_t)dup(STDERR_FILENO));
    }
    if (!own || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) {
        exit(1);
    }
    return own;
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: fuzz_replay FOLDER\n");
        return 2;
    }
    FILE *own = silence();
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
            run_file(path);
            count++;
        }
    }
    closedir(folder);
    fprintf(own, "PROGRAM PASSED: %u files with their variants\n", count);
    fclose(own);
    return count > 0 ? 0 : 1; // an empty folder is a failure
}
