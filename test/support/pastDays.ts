import type { Knex } from 'knex';
import { dayMs, definitionOf, readDays } from '../../src/runs/days/days.js';

/** Has so many past days of executions be partitions, as they would be had the database been there then. */
export async function makePastDays(database: Knex, count: number): Promise<void> {
  const [first] = await readDays(database);
  if (first === undefined) throw new Error('executions are not divided');
  const ends = Array.from({ length: count }, (_, back) => new Date(first.until.getTime() - (count - back) * dayMs));
  const parts = [...ends, first.until].map(definitionOf);
  await database.raw(`ALTER TABLE executions REORGANIZE PARTITION ${first.name} INTO (${parts.join(', ')})`);
}
