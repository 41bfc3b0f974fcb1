import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';
import type { Model } from './models.js';

/** The demo's model of loans (a switch, a table, tests), with this rate for middling scores and one test. */
export function loan(rate: number): Model {
  const text = readFileSync(join(projectRoot, 'db/seeds/demo/loan-eligibility.json'), 'utf8').replace(
    '"5.4"',
    `"${rate}"`,
  );
  const model = JSON.parse(text) as Model & { tests: { name: string }[] };
  return { ...model, tests: model.tests.filter(({ name }) => name === 'under age') };
}
