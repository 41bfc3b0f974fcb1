import { formatJson } from '../../workers/json/index.js';
import type { Actor } from '../audit/actor.js';
import type { NewAuditEntry } from '../audit/audit.store.js';
import type { ChangeRequest, Review } from './changes.schema.js';

/** Longest JSON text of a value in an audit entry; a longer one is left out. */
const maxToldLength = 4000;

/** What became of a request. */
export type RequestVerb = 'create' | 'update' | 'delete' | 'close' | 'apply' | 'override' | Review['verdict'];

/** Null where there was none before, or is none after. */
type States =
  | { readonly before: ChangeRequest | null; readonly after: ChangeRequest }
  | { readonly before: ChangeRequest; readonly after: null };

/** The audit entry of a change of a request. */
export function requestEntry(actor: Actor, verb: RequestVerb, { before, after }: States): NewAuditEntry {
  const { workspaceId, id } = after ?? before;
  return {
    actor,
    workspaceId,
    action: `change_request.${verb}`,
    resource: { type: 'change_request', id },
    before: before && audited(before),
    after: after && audited(after),
  };
}

const audited = (request: ChangeRequest): object => ({
  ...request,
  changes: request.changes.map(({ replaces, ...change }) => ({
    ...told(change),
    replaces: replaces && told(replaces),
  })),
});

const told = ({ value, ...rest }: { readonly value?: unknown }): object =>
  value === undefined || formatJson(value).length > maxToldLength ? rest : { ...rest, value };
