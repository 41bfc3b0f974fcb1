import type { Knex } from 'knex';
import { createReadBundle } from '../../src/decisions/programs/bundles.js';
import { createPrograms, type Programs } from '../../src/decisions/programs/programs.js';
import { ByteBudget } from '../../src/http/body/byteBudget.js';

/** Programs of a database, as a server with its usual budget reads them. */
export const testPrograms = (database: Knex, options: { readonly maxAgeMs?: number } = {}): Programs =>
  createPrograms({
    database,
    readBundle: createReadBundle({ database, budget: new ByteBudget(256 * 1024 * 1024) }),
    ...options,
  });
