// Functions of ranks_mpi.c that exchange_mpi.c also needs.
#ifndef FEWEST_GEN_MPI_STATE_H
#define FEWEST_GEN_MPI_STATE_H

#include <mpi.h>
#include <stdbool.h>

// The communicator for the messages of a search.
MPI_Comm mpi_messages(void);

// Only one thread may be in MPI at a time.
void mpi_lock(void);
bool mpi_try_lock(void);
void mpi_unlock(void);

// Checks the return code of an MPI call. If the call failed, for example because a rank died, notes
// that and returns false. The caller then calls mpi_wait until it returns false, too.
bool mpi_succeeded(int code);

// Gives the processor to others for a moment. `turns` counts the calls of a caller that waits; at
// first it is 0. Returns false if a rank died.
bool mpi_wait(unsigned *turns);

#endif
