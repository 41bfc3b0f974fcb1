import type { Decision } from '../../decisions/decisions.schema.js';
import type { FaultDocument } from '../../decisions/faults.js';
import { operations, type ImportReport } from './operations.js';
import type { Reply, Service } from './service.js';

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
  /** Called for each model that is on its way. */
  readonly onSent?: () => void;
}

/** Sends models to be imported, all or none. Their texts go as they are, with all digits of their numbers. */
export async function importCandidates(
  service: Service,
  candidates: readonly Model[],
  { onSent, ...settings }: ImportSettings,
): Promise<ImportReport> {
  return (await service.send(operations.importDecisions, { body: bodyOf(candidates, settings), onSent })).body;
}

/** Stores models one by one as working copies, whatever faults they have. */
export async function storeWithFaults(service: Service, candidates: readonly Model[]): Promise<ImportReport> {
  const decisions = [];
  for (const { key, document } of candidates) {
    const found = (await service.send(operations.listDecisions, { query: { key } })).body.data[0];
    const content = `"content":${document.text}`;
    const query = { force: 'true' };
    const { body }: Reply<Decision> =
      found === undefined
        ? await service.send(operations.createDecision, { query, body: `{"key":${JSON.stringify(key)},${content}}` })
        : await service.send(operations.updateDecision, { params: { id: found.id }, query, body: `{${content}}` });
    const change = found === undefined ? 'created' : found.contentHash === body.contentHash ? 'unchanged' : 'updated';
    decisions.push({ id: body.id, key, version: 0, change } as const);
  }
  return { revision: await revisionOf(service), decisions, faults: await validate(service, candidates) };
}

/** The present revision of the workspace: it moves with everything that is written of its decisions. */
export async function revisionOf(service: Service): Promise<number> {
  const { headers } = await service.send(operations.listDecisions, { query: { size: 1 } });
  return Number(headers.get('X-Workspace-Revision'));
}

/** All faults of models, without storing them. Sub-decisions are looked for among them and in the workspace. */
export async function validate(
  service: Service,
  models: readonly Model[],
  onSent?: () => void,
): Promise<readonly FaultDocument[]> {
  return (await service.send(operations.validateDecisions, { body: bodyOf(models, {}), onSent })).body.faults;
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
