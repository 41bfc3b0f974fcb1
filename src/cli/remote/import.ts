import type { FaultDocument } from '../../decisions/diagnostics.js';
import type { ImportReport } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import type { Candidates } from '../sources/candidates.js';
import { countedDiagnostics, drawDiagnostics, locatedDiagnostic, type LocatedDiagnostic } from '../diagnostics.js';
import { Refusal } from '../failures.js';
import type { Session } from '../session.js';
import { ServiceRefusal, type Service } from './service.js';

/** A model and its text, which is sent as it is. */
export interface Model {
  readonly key: string;
  readonly document: { readonly text: string };
}

export interface ImportSettings {
  readonly save: boolean;
  readonly message?: string | undefined;
  /** The revision of the workspace that this is made from; refused where it is another by now. */
  readonly base?: number | undefined;
  readonly dryRun?: boolean;
  /** Store models with errors as well, as working copies. */
  readonly force?: boolean;
  /** Called for each model that is on its way. */
  readonly onSent?: () => void;
}

/** Sends models to be imported, all or none. Their texts go as they are, with all digits of their numbers. */
export async function importCandidates(
  service: Service,
  candidates: readonly Model[],
  { onSent, force = false, ...settings }: ImportSettings,
): Promise<ImportReport> {
  const query = { force: force ? 'true' : undefined };
  return (await service.send(operations.importModels, { query, body: bodyOf(candidates, settings), onSent })).body;
}

/** The present revision of the workspace: it moves with everything that is written of its decisions. */
export async function revisionOf(service: Service): Promise<number> {
  const { headers } = await service.send(operations.listDecisions, { query: { size: 1 } });
  return Number(headers.get('X-Workspace-Revision'));
}

/** All diagnostics of models, without storing them. Sub-decisions are looked for among them and in the workspace. */
export async function validate(service: Service, models: readonly Model[]): Promise<readonly FaultDocument[]> {
  return (await service.send(operations.validateModels, { body: bodyOf(models, {}) })).body.faults;
}

/** A piece for each model, and the settings in the last one. */
function bodyOf(models: readonly Model[], settings: object): string[] {
  const pieces = models.map(
    ({ key, document: { text } }, index) =>
      `${index === 0 ? '{"decisions":[' : ','}{"key":${JSON.stringify(key)},"content":${text}}`,
  );
  const rest = JSON.stringify(settings).slice(1);
  return [...pieces, `]${rest === '}' ? '' : ','}${rest}`];
}

/** @throws Refusal where files hold no models */
export function refuseUnreadable(headline: string, diagnostics: Candidates['diagnostics']): void {
  const unreadable = diagnostics.map(({ path, ...diagnostic }) => ({ ...diagnostic, place: path }));
  if (unreadable.length > 0) throw refusal(headline, unreadable);
}

/** The files of keys; of those that have none, the key itself is told. */
type Files = ReadonlyMap<string, string>;

const located = (faults: readonly FaultDocument[], files: Files): LocatedDiagnostic[] =>
  faults.map((fault) => locatedDiagnostic(files.get(fault.key) ?? fault.key, fault));

/** Throws what a request was refused with; where models have faults, with each of them and the file that it is in. */
export function refuseFaults(headline: string, error: unknown, files: Files = new Map()): never {
  if (!(error instanceof ServiceRefusal && error.code === 'model_has_faults')) throw error;
  throw refusal(headline, located(error.faults, files));
}

/** Says what is wrong with models that were stored. @param told makes the headline of how much it is */
export function noteFaults(
  session: Session,
  faults: readonly FaultDocument[],
  told: (counted: string) => string,
  files: Files = new Map(),
): void {
  if (faults.length === 0) return;
  const diagnostics = located(faults, files);
  session.note(`${told(countedDiagnostics(diagnostics))}:\n\n${drawDiagnostics(diagnostics)}\n`);
}

const refusal = (headline: string, diagnostics: readonly LocatedDiagnostic[]): Refusal =>
  new Refusal(`${headline} (${countedDiagnostics(diagnostics)}).\n\n${drawDiagnostics(diagnostics)}`);
