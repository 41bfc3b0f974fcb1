import type { Knex } from 'knex';
import { createWorkspaceReader } from '../../src/decisions/workspaceReader.js';
import { createReadBundle } from '../../src/decisions/programs/bundles.js';
import { Programs } from '../../src/decisions/programs/programs.js';
import { ByteBudget } from '../../src/admission/byteBudget.js';

/** Programs of a database, as a server with its usual budget reads them. */
export const testPrograms = (database: Knex, options: { readonly maxAgeMs?: number } = {}): Programs =>
  new Programs({
    database,
    workingCopies: createWorkspaceReader(database),
    maxAgeMs: 900,
    readBundle: createReadBundle({ database, budget: new ByteBudget(256 * 1024 * 1024) }),
    ...options,
  });
