import type { Knex } from 'knex';
import type { Connection } from './database.js';

// Leases and windows of time begin and end by the database's clock, so that servers whose clocks differ agree on them.

/** SQL of the present moment. */
export const now = 'UTC_TIMESTAMP(3)';

/** The moment that is some milliseconds away, as a value; negative: in the past. */
export const inMs = (connection: Connection, ms: number): Knex.Raw =>
  connection.raw(`TIMESTAMPADD(MICROSECOND, ?, ${now})`, [Math.round(ms) * 1000]);
