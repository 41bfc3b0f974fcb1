/*
 * Every number by which work is paced and shared, with what it trades. They were measured on two cores, which the load
 * shared; change one with `make bench`, `make bench-flood`, `make bench-batch` and `make bench-replay` beside it.
 */

// The fair queue

/**
 * Tenants, and workspaces of each, without waiting work whose used time is remembered; and workspaces that hold nothing and are
 * kept for their next request. More: memory, and nobody's recent use is forgotten.
 */
export const maxRemembered = 1000;
/** How far a workspace's queue is searched for an item that may be taken. More: processor time, and more overtaking. */
export const maxSearched = 64;

// Bulk work beside live work

/** How a kind of bulk work gives way to the single executions of other workspaces. */
export interface BulkKind {
  /** Milliseconds after an execution for which the next one is expected. Longer: less bulk work is done. */
  readonly liveMs: number;
  /** The rest after a piece, as a multiple of the time that it took. More: a better p99 of live work, and less bulk work. */
  readonly restFactor: number;
  /** A piece that has waited for so long begins without a slot; null where it is refused after POOL_MAX_WAIT_MS. */
  readonly maxWaitMs: number | null;
}
/** A new body, with which nothing was done yet. Together with the next kind it gets a ninth of one processor. */
export const newBody = { liveMs: 1000, restFactor: 8, maxWaitMs: null } as const satisfies BulkKind;
/** Part of a request that has begun, whose memory is held meanwhile: a record, an answer, a piece of an import. */
export const partOfRequest = { liveMs: 1000, restFactor: 8, maxWaitMs: 5000 } as const satisfies BulkKind;
/** A chunk of a batch, which is short and one of many: a third of the machine. */
export const chunkOfBatch = { liveMs: 50, restFactor: 2, maxWaitMs: 30_000 } as const satisfies BulkKind;
/**
 * Milliseconds after which a piece loses its slot, and the most that counts for the rest after it: a piece that takes longer
 * waits for something. Longer: a slow piece of one workspace holds up the other workspaces for longer.
 */
export const maxPieceMs = 100;
/** How often waiting pieces are looked at, in milliseconds. Shorter: more timers, and waits that end sooner. */
export const lookMs = 5;
/** The most by which a workspace's bulk work counts as ahead of others', in milliseconds: a few rests of the longest pieces. */
export const maxBulkLeadMs = 10_000;

// Threads

/** Most runs of one workspace that are sent to a thread together. More: fewer messages, and longer waits for others. */
export const maxBatch = 64;
/** The same for the runs of all waiting workspaces together, each of which has one batch sent. */
export const maxRound = 16;
/** Milliseconds that the runs of one batch may take, as estimated from recent runs. The trade is the same. */
export const batchMs = 1;
/**
 * Milliseconds of work below which no further thread is used. The way to a thread and back takes 0.05 ms, but waking a thread
 * also takes time from what runs on its core: measured on 2 cores, 0.5 takes a tenth less processor time and gives
 * 6 % more executions than 0.05.
 */
export const worthMs = 0.5;
/** For so many milliseconds after its start a short run is likely to end soon, so that the next one waits for its thread. */
export const joinMs = 2;
/** For so many milliseconds after a quick run one thread is kept free for the next one: a thread in exchange for latency. */
export const quickLatelyMs = 1000;
/** The most by which a workspace counts as ahead of others on threads: half of the usual longest wait. */
export const maxThreadLeadMs = 1000;
/** Milliseconds of computing from which on a run is slow; 64 of the quickest runs take one. Less: more are held apart. */
export const slowRunMs = 200;
/** A program is quick where its runs take less than this on average on their thread, and the last one was not slow. */
export const quickProgramMs = 5;
/** The most that a slow workspace owes, in milliseconds of computing: a run of a minute counts for a minute at most. */
export const maxDebtMs = 60_000;
/** Weight of the newest run in an exponential moving average: about the last forty runs count. */
export const newestWeight = 0.05;
/** Workspaces, and programs of each, whose pace is remembered. The pace of those that were evicted is learnt again. */
export const maxAccounts = 1000;
export const maxPaces = 1000;
/** How long a refusal of a slow workspace is delayed, in milliseconds, and of how many: sockets slow down a flood. */
export const holdBackMs = 100;
export const maxHeldBack = 1000;
/** How often deadlines and waits are checked, in milliseconds: one timer for all runs. */
export const tickMs = 25;
/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
export const graceMs = 250;
/** Milliseconds after which a batch counts as stuck in one of its runs, and the others are recalled: ten times the usual. */
export const recallMs = 20;
/** Most milliseconds to compile a program before its first run; the largest programs take less than a tenth of that. */
export const maxPreparationMs = 2000;
/** How long an unneeded thread beyond the maximum stays, in milliseconds; starting one takes a tenth of a second of a core. */
export const overflowMs = 10_000;
/** The first and the longest wait before a thread is replaced that died before it was ready, in milliseconds. */
export const firstRetryMs = 100;
export const lastRetryMs = 5_000;

// Background work

/**
 * The part of the time that background work on the main thread has: half of what the event loop was idle beyond `spare`, since one
 * that is hardly idle only waits for MySQL and the threads. More: it catches up sooner, and executions wait for it.
 */
export const background = { mostShare: 0.5, leastShare: 0.01, ofIdle: 0.5, spare: 0.2, readingMs: 500 } as const;

/** For so many milliseconds after a live run more of them are expected. */
export const backgroundLiveMs = 50;
/** The rest of a thread after a background piece beside live runs, as a multiple of the piece: without it p99 is 1.8 times. */
export const backgroundRestFactor = 20;
/** The most by which a workspace's background work counts as ahead of others': some pieces that pass all limits. */
export const maxBackgroundLeadMs = 60_000;

// Batches

/** Chunks of a batch under way at once, from their reading to the last byte of their answers. More: memory, and speed. */
export const chunksAtOnce = 16;
/**
 * Milliseconds that the runs of a chunk take together. A chunk is read, recorded and answered as a whole; threads get a
 * millisecond of it at a time, so that others wait no longer. Measured, 3 ms give a third more executions than 1 ms. A chunk
 * with keys has a transaction of its own, which costs more than most runs.
 */
export const chunkMs = 3;
export const keyedChunkMs = 10;
/** How long work of many pieces waits for a thread, memory or the database, in milliseconds. */
export const maxRetryMs = 30_000;

/** Milliseconds after which a long loop gives way to other events. */
export const loopMs = 3;
