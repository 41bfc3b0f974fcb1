import type { Decision } from '../../decisions/routes/decisions.schema.js';
import { faultDocument, type FaultDocument } from '../../decisions/diagnostics.js';
import { formatJson } from '../../../workers/json/index.js';
import type { Validated } from '../checkFiles.js';
import type { Call } from '../command.js';
import { locatedDiagnostic } from '../diagnostics.js';
import type { Session } from '../session.js';
import type { LocatedReport } from '../testReports.js';
import { findDecision } from './named.js';
import { validate, type Model } from './import.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from './service.js';
import { eachWorkingCopy } from './workingCopies.js';

/** Validates stored working copies. @param names keys or ids; all decisions where there are none */
export async function validateStored({ session, service }: Call, names: readonly string[]): Promise<Validated> {
  const decisions = await named(service, names);
  const { models, unreadable } = await readModels(session, service, decisions);
  const found = [...unreadable, ...(models.length === 0 ? [] : await validate(service, models))];
  return {
    valid: found.every(({ severity }) => severity === 'warning'),
    checked: decisions.length,
    faults: found.map((fault) => ({ place: fault.key, ...fault })),
    diagnostics: found.map((fault) => locatedDiagnostic(fault.key, fault)),
  };
}

/** The working copies, by key, and a diagnostic for each that is stored as no JSON. */
async function readModels(
  session: Session,
  service: Service,
  decisions: readonly Decision[],
): Promise<{ models: Model[]; unreadable: FaultDocument[] }> {
  const texts = new Map<string, string>();
  const unreadable: FaultDocument[] = [];
  await session.during('reading', decisions.length, (advance) =>
    eachWorkingCopy(
      service,
      decisions,
      ({ key }, content) => {
        texts.set(key, formatJson(content));
        advance();
      },
      ({ key }) => {
        unreadable.push(faultDocument({ key, diagnostic: notJson }));
        advance();
      },
    ),
  );
  const models = decisions.flatMap(({ key }) => {
    const text = texts.get(key);
    return text === undefined ? [] : [{ key, document: { text } }];
  });
  return { models, unreadable };
}

const notJson = {
  code: 'model_invalid',
  message: 'The stored content is no JSON.',
  hint: 'Import the model again.',
} as const;

/** Runs the tests that stored decisions carry. @param version of each; 0 is the working copy */
export async function testStored(
  { session, service, ask }: Call,
  names: readonly string[],
  version: number,
): Promise<readonly LocatedReport[]> {
  const decisions = await named(service, names);
  return session.during('testing', decisions.length, async (advance) => {
    const reports: LocatedReport[] = [];
    for (const { id, key } of decisions) {
      reports.push({ place: key, ...(await ask(operations.testDecision, { id, version })).body });
      advance();
    }
    return reports;
  });
}

async function named(service: Service, names: readonly string[]): Promise<Decision[]> {
  if (names.length === 0) {
    const all = await service.all(operations.listDecisions);
    return all.sort((one, other) => (one.key < other.key ? -1 : 1));
  }
  const found: Decision[] = [];
  for (const name of names) found.push(await findDecision(service, name));
  return found;
}
