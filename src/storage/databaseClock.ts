import type { Knex } from 'knex';
import type { Connection } from './database.js';

// Leases and windows of time begin and end by the database's clock, so that servers whose clocks differ agree on them.

/** SQL of the present moment. */
export const now = 'UTC_TIMESTAMP(3)';
/** SQL of a moment that is a number of microseconds away. */
export const fromNow = `TIMESTAMPADD(MICROSECOND, ?, ${now})`;
export const microseconds = (ms: number): number => Math.round(ms) * 1000;

/** The moment that is some milliseconds away, as a value; negative: in the past. */
export const inMs = (connection: Connection, ms: number): Knex.Raw => connection.raw(fromNow, [microseconds(ms)]);
