/*
 * Every number by which work is paced and shared, with what it trades. They were measured on two cores, which the load
 * shared; change one with `make bench`, `make bench-flood`, `make bench-batch` and `make bench-replay` beside it.
 */

// The fair queue

/** Workspaces without waiting work whose used time is remembered: memory for not forgetting who has just had much. */
export const maxRemembered = 1000;
/** Items of one workspace among which one is looked for that may be taken: processor time for overtaking. */
export const maxSearched = 64;

// Bulk work beside live work

/** How a kind of bulk work gives way to the single executions of other workspaces. */
export interface BulkKind {
  /** For so many milliseconds after an execution of others more of them are expected. Longer: less bulk work is done. */
  readonly liveMs: number;
  /** How many times as long as a piece took nothing is begun after it. More: a better p99 of live work, and less bulk work. */
  readonly restFactor: number;
  /** A piece that has waited for so long begins without a slot; null where it is refused after POOL_MAX_WAIT_MS. */
  readonly maxWaitMs: number | null;
}
/** A new body, of which nothing was done yet: a ninth of one processor, with the next kind. */
export const newBody = { liveMs: 1000, restFactor: 8, maxWaitMs: null } as const satisfies BulkKind;
/** Part of a request that has begun, whose memory is held meanwhile: a record, an answer, a piece of an import. */
export const partOfRequest = { liveMs: 1000, restFactor: 8, maxWaitMs: 5000 } as const satisfies BulkKind;
/** A chunk of a batch, which is short and one of many: a third of the machine. */
export const chunkOfBatch = { liveMs: 50, restFactor: 2, maxWaitMs: 30_000 } as const satisfies BulkKind;
/**
 * A piece keeps its slot for so many milliseconds, and no more of it counts for the rest after it: what takes longer
 * waits for something. Longer: a slow piece of one workspace holds up the others' more.
 */
export const maxPieceMs = 100;
/** How often what waits is looked at, in milliseconds: timers for waits that are over sooner. */
export const lookMs = 5;
/** How much more than others a workspace of bulk work has used at most, as it counts: some rests of the longest pieces. */
export const maxBulkLeadMs = 10_000;
/** The same of the main thread's slices: a hundred slices. */
export const maxSliceLeadMs = 50;

// Threads

/** Runs of one workspace that are sent to a thread together at most, */
export const maxBatch = 64;
/** and that all workspaces which wait have sent, each once. More: fewer messages, and longer waits for others. */
export const maxRound = 16;
/** Milliseconds that runs which are sent together may take, as estimated from recent runs; the same trade. */
export const batchMs = 1;
/**
 * Milliseconds of work below which another thread is not used. The way to a thread and back takes 0.05, but waking one
 * also takes time from whatever runs on its core: measured on 2 cores, 0.5 takes a tenth less processor time and gives
 * 6 % more executions than 0.05.
 */
export const worthMs = 0.5;
/** Milliseconds from their start within which short runs are likely to end soon, so that another waits for them: latency for wakes. */
export const joinMs = 2;
/** Milliseconds after the start of a quick run during which one serving thread is kept for the next: a thread for latency. */
export const quickLatelyMs = 1000;
/** How much more than others a workspace has used of the threads at most, as it counts: half of the usual longest wait. */
export const maxThreadLeadMs = 1000;
/** Milliseconds of computing from which on a run is slow; 64 of the quickest take one. Less: more are held apart. */
export const slowRunMs = 200;
/** A program is quick where its runs take less than this on average on their thread, and the last one was not slow. */
export const quickProgramMs = 5;
/** What a slow workspace owes at most, in milliseconds of computing: its last run of a minute is not held against it longer. */
export const maxDebtMs = 60_000;
/** Weight of the newest run in an exponential moving average: about the last forty runs count. */
export const newestWeight = 0.05;
/** Workspaces, and programs of each, whose runs are remembered; what is evicted is learnt again. */
export const maxAccounts = 1000;
export const maxPaces = 1000;
/** How long a refusal of a slow workspace is delayed, in milliseconds, and how many at once: sockets for a flood's speed. */
export const holdBackMs = 100;
export const maxHeldBack = 1000;
/** How often deadlines and waits are checked, in milliseconds: one timer for all runs. */
export const tickMs = 25;
/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
export const graceMs = 250;
/** Milliseconds after which runs that were sent together are stuck in one, and the others are recalled: ten times what is usual. */
export const recallMs = 20;
/** Most milliseconds of one program's compilation before its first run; the largest take less than a tenth of it. */
export const maxPreparationMs = 2000;
/** Threads beyond the maximum stay for so long after their last need; starting one costs a tenth of a second of a core. */
export const overflowMs = 10_000;
/** Waits before another thread is started in place of one that died before it was ready, first and at most. */
export const firstRetryMs = 100;
export const lastRetryMs = 5_000;

// Background work

/** A live run within so many milliseconds means that more are likely. */
export const backgroundLiveMs = 50;
/** Beside live runs, how many times as long as a piece held its thread none is begun after it: p99 1.8 times without it, 1.0 with. */
export const backgroundRestFactor = 20;
/** How much more than others a workspace has used in the background at most, as it counts: some pieces that pass all limits. */
export const maxBackgroundLeadMs = 60_000;

// Batches

/** Chunks of a batch that are under way at once, from their reading to the last byte of their answers: memory for speed. */
export const chunksAtOnce = 16;
/**
 * Milliseconds that the runs of a chunk take together. A chunk is read, recorded and answered as one; threads get a
 * millisecond of it at a time, so that others wait no longer for it: measured, 3 give a third more executions than 1. One with
 * keys has a transaction of its own, which costs more than most runs.
 */
export const chunkMs = 3;
export const keyedChunkMs = 10;
/** How long a chunk waits at first for a thread, memory or the database, at most at once, and all in all. */
export const firstRetryWaitMs = 5;
export const longestRetryWaitMs = 250;
export const maxRetryMs = 30_000;

/** Milliseconds for which a loop may block the event loop before others are let in. */
export const loopMs = 3;
