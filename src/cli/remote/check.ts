import type { Decision } from '../../decisions/decisions.schema.js';
import { formatJson } from '../../exactJson.js';
import { exitCodes } from '../exitCodes.js';
import { countedFaults, counted, drawFaults, placedFault } from '../faults.js';
import { printable } from '../printable.js';
import type { Session } from '../session.js';
import { cell } from '../table.js';
import { findDecision } from './find.js';
import { validate, type Model } from './import.js';
import { operations, type TestReport } from './operations.js';
import type { Service } from './service.js';
import type { ConnectionOptions } from './connection.js';

/** Validates stored working copies and prints their faults. @param names keys or ids; all decisions where there are none */
export async function validateStored(
  session: Session,
  names: readonly string[],
  options: ConnectionOptions,
): Promise<void> {
  const service = session.service(options);
  const decisions = await named(service, names);
  const progress = session.progress('reading', decisions.length);
  const models: Model[] = [];
  try {
    for (const { id, key } of decisions) {
      const { body } = await service.send(operations.getVersion, { params: { id, version: 0 } });
      models.push({ key, document: { text: formatJson(body.content) } });
      progress.advance();
    }
  } finally {
    progress.end();
  }
  const found = models.length === 0 ? [] : await validate(service, models);
  const faults = found.map((fault) => placedFault(fault.key, fault));
  const valid = !found.some(({ severity }) => severity === 'error');
  const documents = found.map((fault) => ({ place: fault.key, ...fault }));
  session.print({ valid, checked: models.length, faults: documents }, () => {
    const summary = `${counted(models.length, 'model')}, ${countedFaults(faults)}`;
    return faults.length === 0 ? summary : `${drawFaults(faults)}\n\n${summary}`;
  });
  if (!valid) session.endWith(exitCodes.refused);
}

interface Tested extends TestReport {
  readonly place: string;
}

/** Runs the tests that stored decisions carry. @param version of each; 0 is the working copy */
export async function testStored(
  session: Session,
  names: readonly string[],
  { version, ...options }: ConnectionOptions & { readonly version: number },
): Promise<void> {
  const service = session.service(options);
  const decisions = await named(service, names);
  const progress = session.progress('testing', decisions.length);
  const models: Tested[] = [];
  try {
    for (const { id, key } of decisions) {
      const body = JSON.stringify({ version });
      models.push({ place: key, ...(await service.send(operations.testDecision, { params: { id }, body })).body });
      progress.advance();
    }
  } finally {
    progress.end();
  }
  const passed = models.reduce((sum, report) => sum + report.passed, 0);
  const failed = models.reduce((sum, report) => sum + report.failed, 0);
  session.print({ passed, failed, models }, () =>
    [...models.flatMap(drawReport), '', `${passed} passed, ${failed} failed`].join('\n'),
  );
  if (failed > 0) session.endWith(exitCodes.refused);
}

function drawReport({ place, passed, tests, coverage }: Tested): string[] {
  const unreached = [...coverage.nodes, ...coverage.rules].filter(({ hits }) => hits === 0);
  const missing =
    tests.length === 0 || unreached.length === 0 ? '' : `; never reached: ${counted(unreached.length, 'place')}`;
  return [
    `${printable(place)}: ${tests.length === 0 ? 'no tests' : `${passed} of ${tests.length} passed`}${missing}`,
    ...tests
      .filter((test) => !test.passed)
      .flatMap(({ name, differences }) => [
        `  ✗ ${printable(name)}`,
        ...differences.map(
          ({ pointer, expected, actual }) =>
            `      ${pointer === '' ? 'the result' : printable(pointer)}: expected ${shown(expected)}, got ${shown(actual)}`,
        ),
      ]),
  ];
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : cell(formatJson(value)));

async function named(service: Service, names: readonly string[]): Promise<Decision[]> {
  if (names.length === 0) {
    const all = await service.all(operations.listDecisions);
    return all.sort((one, other) => (one.key < other.key ? -1 : 1));
  }
  const found: Decision[] = [];
  for (const name of names) found.push(await findDecision(service, name));
  return found;
}
