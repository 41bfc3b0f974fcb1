/*
 * The numbers by which work is paced and shared, each with what it trades. They were measured on two cores, which the load shared;
 * change one with `make bench`, `make bench-flood`, `make bench-batch` and `make bench-replay` beside it. What is written as a
 * multiple of one of them, where it is used, changes with it.
 */

/** Who is remembered without having any work: tenants, workspaces, and programs of each. More: memory, and nobody's recent use is forgotten. */
export const maxRemembered = 1000;
/** Most runs of one workspace that are sent to a thread together. More: fewer messages, and longer waits for others. */
export const maxTogether = 64;
/**
 * Milliseconds of a thread that one message brings, as estimated from recent runs. Longer: fewer messages, and longer waits for others.
 * Half of it is worth another thread: waking one takes time from what runs on its core, so that 0.5 ms give 6 % more executions
 * than 0.05. A chunk of a batch is three of it, or ten where it has a transaction of its own.
 */
export const messageMs = 1;
/** How often deadlines, waits and recalls are looked at: one timer for all runs. Shorter: processor time, and limits that hold more exactly. */
export const tickMs = 25;
/**
 * Milliseconds of computing from which on a run is slow. Shorter: more workspaces are held apart. Half of it is what a piece of bulk
 * work, or the refusal of a slow workspace, may take at most.
 */
export const slowMs = 200;
/**
 * For so long after an execution the next one is expected. Longer: a thread is kept free for it, and less bulk work is done. Also what
 * one workspace may be ahead of others on threads.
 */
export const liveMs = 1000;
/** The rest after a piece beside live work, as a multiple of the time that it took. More: a better p99 of live work, and less is done. */
export const rests = { bulk: 8, chunk: 2, background: 20 } as const;
/** How long what has begun, and what has many pieces, waits for its next piece. Longer: memory is held, and less is refused. */
export const patienceMs = { begun: 5000, batch: 30_000 } as const;
/** How long an unneeded thread stays: starting one takes a tenth of a second of a core. Also the lead of one workspace in bulk work. */
export const spareMs = 10_000;
/** The most that a workspace owes, or is ahead of others in the background, in milliseconds: a run of a minute counts for a minute at most. */
export const maxDebtMs = 60_000;
/** Weight of the newest run in an exponential moving average: about the last forty runs count. More: quicker to learn, and to forget. */
export const newestWeight = 0.05;
/**
 * The part of the main thread's time that background work has: half of what it is idle beyond a fifth, since one that is hardly idle only
 * waits for MySQL and the threads; a hundredth at least. More: it catches up sooner, and executions wait for it.
 */
export const background = { ofIdle: 0.5, spare: 0.2, least: 0.01 } as const;
