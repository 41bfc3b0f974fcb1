import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatJson } from '../../workers/json/index.js';
import { counted } from './diagnostics.js';
import { junitText } from './junit.js';
import { printable } from './printable.js';
import type { TestReport } from '#openapi/types.gen.js';
import type { Session } from './session.js';
import { cell } from './tableOf.js';

/** What the tests of one model gave, and how people find it again: its file, or its key. */
export interface LocatedReport extends TestReport {
  readonly place: string;
}

/** What the tests of models gave. */
export interface Tested {
  readonly passed: number;
  readonly failed: number;
  readonly models: readonly LocatedReport[];
}

/** Counts them, and writes them to the file `junit` where one is named. */
export async function countTests(
  session: Session,
  models: readonly LocatedReport[],
  junit: string | undefined,
): Promise<Tested> {
  if (junit !== undefined) await writeFile(resolve(session.directory, junit), junitText(models));
  const passed = models.reduce((sum, report) => sum + report.passed, 0);
  const failed = models.reduce((sum, report) => sum + report.failed, 0);
  return { passed, failed, models };
}

export const testsText = ({ passed, failed, models }: Tested): string =>
  [...models.flatMap(drawn), '', `${passed} passed, ${failed} failed`].join('\n');

function drawn({ place, passed, tests, coverage }: LocatedReport): string[] {
  const missing = tests.length === 0 ? '' : unreached(coverage);
  return [
    `${printable(place)}: ${tests.length === 0 ? 'no tests' : `${passed} of ${tests.length} passed`}${missing}`,
    ...tests
      .filter((test) => !test.passed)
      .flatMap(({ name, differences }) => [
        `  ✗ ${printable(name)}`,
        ...differences.map((each) => `      ${printable(pathOf(each.pointer))}: ${compared(each)}`),
      ]),
  ];
}

function unreached({ nodes, rules }: TestReport['coverage']): string {
  const never = (parts: readonly { readonly hits: number }[]): number => parts.filter(({ hits }) => hits === 0).length;
  const parts = [
    ...(never(nodes) > 0 ? [counted(never(nodes), 'node')] : []),
    ...(never(rules) > 0 ? [counted(never(rules), 'rule')] : []),
  ];
  return parts.length === 0 ? '' : `; never reached: ${parts.join(', ')}`;
}

const compared = ({ expected, actual }: { readonly expected?: unknown; readonly actual?: unknown }): string =>
  `expected ${shown(expected)}, got ${shown(actual)}`;

const maxShown = 200;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = cell(formatJson(value));
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** `/fees/0/amount` as people write it: `fees[0].amount`. */
function pathOf(pointer: string): string {
  if (pointer === '') return 'the result';
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
