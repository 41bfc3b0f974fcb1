import { decisionName } from '../../decisions/decisionName.js';
import type { ComponentChildren } from 'preact';
import type { AuditEntry } from '../api/types.js';
import { allOf, isObject } from '../graph/fields.js';
import { Link } from '../shell/address.js';
import { kinds, verbs } from './auditWords.js';
import { Principal } from './principals.js';
import { count, versionName } from './small.js';
import type { Names } from './useNames.js';

interface SentenceProps {
  readonly entry: AuditEntry;
  readonly names: Pick<Names, 'keyOf' | 'environmentOf'>;
}

/** What happened, without who: “deployed v2 of *rates* to Production”, with links to what there is. */
export function Sentence({ entry, names }: SentenceProps): ComponentChildren {
  const { action, resource, before, after } = entry;
  const { type, id, key } = resource;
  const verb = action.slice(action.indexOf('.') + 1);
  const state = { ...before, ...after };
  const text = (name: string): string | undefined => textIn(state[name]);
  const decision = (decisionId: string): ComponentChildren => (
    <Link to={`/decisions/${decisionId}`}>{key === undefined ? names.keyOf(decisionId) : decisionName(key)}</Link>
  );
  const environment = (environmentId: string): ComponentChildren => (
    <Link to={`/environments/${environmentId}`}>{names.environmentOf(environmentId)?.name ?? 'an environment'}</Link>
  );
  const version = typeof state['version'] === 'number' ? state['version'] : null;
  const [first = '', second = ''] = id.split('/');
  const done = verbs[verb] ?? verb.replaceAll('_', ' ');
  const kind = kinds[type] ?? type.replaceAll('_', ' ');
  switch (type) {
    case 'decision':
      return ofDecision(entry, verb, after === null ? key : decision(id));
    case 'version':
      return (
        <>
          saved <Link to={`/decisions/${id}?version=${version ?? 0}`}>{versionName(version)}</Link> of {decision(id)}
          {text('message') !== undefined && `: ${text('message') ?? ''}`}
          {version !== null &&
            version > 1 && [
              ' (',
              <Link
                key="changes"
                to={`/decisions/${id}/compare?from=${version - 1}&to=${version}`}
                name="what it changes"
              />,
              ')',
            ]}
        </>
      );
    case 'deployment': {
      const [what, where] = [decision(text('decisionId') ?? ''), environment(text('environmentId') ?? '')];
      if (verb === 'create') return ['deployed ', versionName(version), ' of ', what, ' to ', where];
      if (verb !== 'rollback') return [done, ' the deployment of ', what, ' in ', where];
      const from = before?.['version'];
      const instead = typeof from === 'number' ? ` from ${versionName(from)}` : '';
      return ['rolled ', what, ' in ', where, ` back${instead} to `, versionName(version)];
    }
    case 'client':
      if (verb === 'grant') return ['gave ', <Principal key="whom" id={`client:${id}`} />, ' access to this workspace'];
      if (verb === 'revoke') return ['took access from ', <Principal key="whom" id={`client:${id}`} />];
      break;
    case 'routing': {
      const put = ['put ', after === null ? 'nothing' : versionName(version), ' of ', decision(second)];
      const before = entry.before?.['version'];
      const instead = typeof before === 'number' ? ` in place of ${versionName(before)}` : '';
      return [put, ' in force in ', environment(first), instead];
    }
    case 'replay': {
      const of = isObject(state['request']) ? textIn(state['request']['decisionId']) : undefined;
      const replay = after === null ? 'a replay' : <Link key="replay" to={`/replays/${id}`} name="a replay" />;
      return [verb === 'create' ? 'started' : done, ' ', replay, ...(of === undefined ? [] : [' of ', decision(of)])];
    }
    case 'shadow': {
      const [of, where] = [text('decisionId'), text('environmentId')];
      if (of === undefined || where === undefined) break;
      return [done, ' a shadow of ', decision(of), ' in ', environment(where)];
    }
    case 'environment':
      return [done, ' the environment ', after === null ? text('name') : environment(id)];
    case 'protection':
      if (verb === 'update') return ['changed the protection of ', environment(id)];
      return verb === 'create' ? ['protected ', environment(id)] : ['took the protection from ', environment(id)];
    case 'hosts':
    case 'retention':
      return ['changed ', kind, ' of ', environment(id)];
    case 'variable':
      return [done, ' the variable ', <b key="name">{key ?? second}</b>, ' of ', environment(first)];
    case 'measured':
      return [done, ' what is measured of ', decision(id)];
    case 'change_request':
      // Nobody changes a request: what it would replace, or its environment's protection, was changed.
      return [
        verb === 'update' ? 'updated the checks of' : done,
        ' the request ',
        <Link key="request" to={`/requests/${id}`} name={text('title') ?? id} />,
      ];
    default:
  }
  const name = text('name') ?? text('title') ?? key;
  const shown = name === undefined ? null : <b>{name}</b>;
  return [done, ' ', kind, ' ', shown];
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What happened to a decision. */
function ofDecision({ before, after }: AuditEntry, verb: string, name: ComponentChildren): ComponentChildren {
  if (verb !== 'update') return [verbs[verb] ?? verb, ' ', name];
  const [was, is] = [textIn(before?.['key']), textIn(after?.['key'])];
  if (was !== is) return ['renamed ', was, ' to ', name];
  const changed = changedIn(after?.['changes']);
  return ['changed ', changed === '' ? 'the working copy of' : `${changed} in`, ' ', name];
}

/** `3 cells of Rates (2 rows added) and Score`; empty where the entry does not tell. */
function changedIn(changes: unknown): string {
  const told: readonly unknown[] = Array.isArray(changes) ? changes : [];
  const parts = told.flatMap((each) => {
    const { node, cells, added, removed } = isObject(each) ? each : {};
    if (typeof node !== 'string' || typeof cells !== 'number') return [];
    // So the service calls what belongs to no node.
    const rows = Object.entries({ added, removed }).flatMap(([what, rows]) =>
      typeof rows === 'number' ? [`${count(rows, 'row')} ${what}`] : [],
    );
    const name = node === 'The model' && cells === 0 ? 'tests or settings' : node;
    return [
      `${cells > 0 ? `${count(cells, 'cell')} of ` : ''}${name}${rows.length === 0 ? '' : ` (${rows.join(', ')})`}`,
    ];
  });
  return parts.length > mostNamed ? `${parts.slice(0, mostNamed).join(', ')} and more` : allOf(parts);
}

/** Nodes whose names stand in a sentence. */
const mostNamed = 3;
