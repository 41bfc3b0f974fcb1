import type { Decision } from '../../decisions/routes/decisions.schema.js';
import { faultDocument, type FaultDocument } from '../../decisions/diagnostics.js';
import { formatJson } from '../../../workers/json/index.js';
import { exitCodes } from '../exitCodes.js';
import { countedDiagnostics, counted, drawDiagnostics, locatedDiagnostic } from '../diagnostics.js';
import type { Session } from '../session.js';
import { printReports, type LocatedReport } from '../testReports.js';
import { findDecision } from './find.js';
import { validate, type Model } from './import.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from './service.js';
import type { ConnectionOptions } from './connection.js';
import { eachWorkingCopy } from './workingCopies.js';

/** Validates stored working copies and prints their diagnostics. @param names keys or ids; all decisions where there are none */
export async function validateStored(
  session: Session,
  names: readonly string[],
  options: ConnectionOptions,
): Promise<void> {
  const service = session.service(options);
  const decisions = await named(service, names);
  const { models, unreadable } = await readModels(session, service, decisions);
  const found = [...unreadable, ...(models.length === 0 ? [] : await validate(service, models))];
  const diagnostics = found.map((fault) => locatedDiagnostic(fault.key, fault));
  const valid = !found.some(({ severity }) => severity === 'error');
  const documents = found.map((fault) => ({ place: fault.key, ...fault }));
  session.print({ valid, checked: decisions.length, faults: documents }, () => {
    const summary = `${counted(decisions.length, 'model')}, ${countedDiagnostics(diagnostics)}`;
    return diagnostics.length === 0 ? summary : `${drawDiagnostics(diagnostics)}\n\n${summary}`;
  });
  if (!valid) session.endWith(exitCodes.refused);
}

/** The working copies, by key, and a diagnostic for each that is stored as no JSON. */
async function readModels(
  session: Session,
  service: Service,
  decisions: readonly Decision[],
): Promise<{ models: Model[]; unreadable: FaultDocument[] }> {
  const progress = session.progress('reading', decisions.length);
  const texts = new Map<string, string>();
  const unreadable: FaultDocument[] = [];
  try {
    await eachWorkingCopy(
      service,
      decisions,
      ({ key }, content) => {
        texts.set(key, formatJson(content));
        progress.advance();
      },
      ({ key }) => {
        unreadable.push(faultDocument({ key, diagnostic: notJson }));
        progress.advance();
      },
    );
  } finally {
    progress.end();
  }
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
  session: Session,
  names: readonly string[],
  { version, ...options }: ConnectionOptions & { readonly version: number; readonly junit?: string },
): Promise<void> {
  const service = session.service(options);
  const decisions = await named(service, names);
  const progress = session.progress('testing', decisions.length);
  const reports: LocatedReport[] = [];
  try {
    for (const { id, key } of decisions) {
      const body = JSON.stringify({ version });
      reports.push({ place: key, ...(await service.send(operations.testDecision, { params: { id }, body })).body });
      progress.advance();
    }
  } finally {
    progress.end();
  }
  await printReports(session, reports, options);
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
