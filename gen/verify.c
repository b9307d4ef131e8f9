#include "verify.h"

#include "format.h"
#include "parallel.h"

#include <stdatomic.h>
#include <stdlib.h>

struct verification {
    const struct header *header;
    const struct section *section;
    const struct block *blocks; // of the section
    const uint8_t *bytes;
    struct fault fault; // of the first block that failed
    _Atomic bool failed;
};

static void verify_part(void *context, uint64_t begin, uint64_t end)
{
    struct verification *verification = context;
    struct fault fault;
    uint8_t *raw = malloc((size_t)1 << verification->header->block_log2);
    bool sound = raw || fault_set(&fault, FAULT_SYSTEM, "not enough memory to verify the table");
    for (uint64_t b = begin; b < end && sound; b++) {
        const struct block *at = &verification->blocks[b];
        sound = block_decode(at, verification->bytes + at->offset, raw,
                             block_bytes(verification->header, verification->section, b), &fault);
    }
    free(raw);
    if (!sound && !atomic_exchange(&verification->failed, true)) {
        verification->fault = fault;
    }
}

bool verify_table(const uint8_t *bytes, size_t length, unsigned threads, struct fault *fault)
{
    enum { GRAIN = 64 };
    struct header header;
    if (!header_decode(&header, bytes, length, fault)) {
        return false;
    }
    struct verification verification = {.header = &header, .blocks = header.blocks, .bytes = bytes};
    for (unsigned s = 0; s < header.section_count && !verification.failed; s++) {
        verification.section = &header.sections[s];
        uint64_t blocks = section_blocks(&header, verification.section);
        parallel_for(threads, blocks, GRAIN, verify_part, &verification);
        verification.blocks += blocks;
    }
    if (verification.failed) {
        *fault = verification.fault;
    }
    header_free(&header);
    return !verification.failed;
}
