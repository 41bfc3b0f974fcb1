import { exceedsRuns, formatJson, isRecord, parseExactly } from '../../workers/json/index.js';
import { maxValueLength } from '../environments/variableRules.js';
import type { Violation } from '../errors.js';
import { parseHost } from '../formats.js';
import { broken } from '../http/body/violations.js';
import type { CreateChangeRequest, WriteChange } from './changes.schema.js';

/** One change, by its type. */
export type ReadChange =
  | { readonly type: 'deploy'; readonly decisionId: string; readonly version: number }
  | { readonly type: 'variable'; readonly name: string; readonly value: unknown; readonly secret: boolean }
  | { readonly type: 'variable.delete'; readonly name: string }
  | { readonly type: 'hosts'; readonly hosts: readonly string[] };

/** What is stored of a change beside a variable's value. */
export type Detail =
  | Exclude<ReadChange, { readonly type: 'variable' }>
  | Omit<Extract<ReadChange, { readonly type: 'variable' }>, 'value'>;

const fieldsOf: Readonly<Record<WriteChange['type'], { required: readonly string[]; optional: readonly string[] }>> = {
  deploy: { required: ['decisionId', 'version'], optional: [] },
  variable: { required: ['name', 'value'], optional: ['secret'] },
  'variable.delete': { required: ['name'], optional: [] },
  hosts: { required: ['hosts'], optional: [] },
};

const fieldsOfAll: ReadonlySet<string> = new Set(
  Object.values(fieldsOf).flatMap(({ required, optional }) => [...required, ...optional]),
);

/** What is wrong with the changes of a request by their types. What is a field of none is told by the schema. */
export function findChangeViolations({ changes }: Readonly<Record<string, unknown>>): readonly Violation[] {
  const errors: Violation[] = [];
  const blame = (pointer: string, message: string): void => void errors.push({ in: 'body', pointer, message });
  const targets = new Set<string>();
  (Array.isArray(changes) ? changes : []).forEach((change: unknown, index) => {
    if (!isChange(change)) return;
    const at = `/changes/${index}`;
    const { required, optional } = fieldsOf[change.type];
    for (const name of required) if (!(name in change)) blame(`${at}/${name}`, 'is required');
    for (const name of Object.keys(change)) {
      if (fieldsOfAll.has(name) && ![...required, ...optional].includes(name))
        blame(`${at}/${name}`, `is no field of ${change.type}`);
    }
    if (targets.has(targetOf(change))) blame(at, 'changes what an earlier one of the request changes');
    targets.add(targetOf(change));
    if ('value' in change && formatJson(change.value).length > maxValueLength) {
      blame(`${at}/value`, `must have at most ${maxValueLength} characters as JSON`);
    }
  });
  return errors;
}

const isChange = (value: unknown): value is WriteChange =>
  isRecord(value) && typeof value['type'] === 'string' && Object.hasOwn(fieldsOf, value['type']);

/** The changes of a request, each with the fields of its type. @throws Problem `validation_failed` */
export function readChanges({ bodyText, body }: { bodyText: string; body: CreateChangeRequest }): ReadChange[] {
  const { changes } = parseExactly(bodyText, body) as CreateChangeRequest;
  const message = 'must not hold a number of more than 28 digits, as runs have; send it as a text';
  const errors = changes.flatMap(({ value }, index): Violation[] =>
    value !== undefined && exceedsRuns(formatJson(value))
      ? [{ in: 'body', pointer: `/changes/${index}/value`, message }]
      : [],
  );
  if (errors.length > 0) throw broken(errors);
  return changes.map(readChange);
}

/** What a change is of. A variable is set or deleted, not both. */
const targetOf = ({ type, decisionId, name }: WriteChange): string =>
  type === 'deploy' ? `deploy ${String(decisionId).toLowerCase()}` : type === 'hosts' ? type : `variable ${name}`;

/** Its fields are there. */
function readChange({ type, decisionId = '', version = 0, name = '', ...rest }: WriteChange): ReadChange {
  switch (type) {
    case 'deploy':
      return { type, decisionId: decisionId.toLowerCase(), version };
    case 'variable':
      return { type, name, value: rest.value, secret: rest.secret ?? false };
    case 'variable.delete':
      return { type, name };
    case 'hosts':
      return { type, hosts: [...new Set((rest.hosts ?? []).map((host) => parseHost(host) ?? host))] };
  }
}
