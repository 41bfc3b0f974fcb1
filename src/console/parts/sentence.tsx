import type { ComponentChildren } from 'preact';
import type { AuditEntry } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { Link } from '../shell/address.js';
import { kinds, verbs } from './auditWords.js';
import { versionName } from './small.js';
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
      return <DecisionSentence {...{ entry, verb }} name={after === null ? key : decision(id)} />;
    case 'version':
      return (
        <>
          saved <Link to={`/decisions/${id}?version=${version ?? 0}`}>{versionName(version)}</Link> of {decision(id)}
          {text('message') !== undefined && <>: {text('message')}</>}
          {version !== null && version > 1 && (
            <>
              {' '}
              (<Link to={`/decisions/${id}/compare?from=${version - 1}&to=${version}`}>what it changes</Link>)
            </>
          )}
        </>
      );
    case 'deployment': {
      if (verb !== 'create') break;
      const [what, where] = [decision(text('decisionId') ?? ''), environment(text('environmentId') ?? '')];
      return ['deployed ', versionName(version), ' of ', what, ' to ', where];
    }
    case 'routing': {
      const put = ['put ', after === null ? 'nothing' : versionName(version), ' of ', decision(second)];
      const before = entry.before?.['version'];
      const instead = typeof before === 'number' ? ` in place of ${versionName(before)}` : '';
      return [put, ' in force in ', environment(first), instead];
    }
    case 'environment':
      return [done, ' the environment ', after === null ? text('name') : environment(id)];
    case 'hosts':
    case 'protection':
    case 'retention':
      return [done, ' ', kind, ' of ', environment(id)];
    case 'variable':
      return [done, ' the variable ', <b key="name">{key ?? second}</b>, ' of ', environment(first)];
    case 'measured':
      return [done, ' what is measured of ', decision(id)];
    case 'change_request':
      return [done, ' the request ', <Link key="request" to={`/requests/${id}`} name={text('title') ?? id} />];
    default:
  }
  const name = text('name') ?? text('title') ?? key;
  const shown = name === undefined ? null : <b>{name}</b>;
  const isLinked = type === 'replay' && after !== null;
  return [done, ' ', kind, ' ', isLinked ? <Link to={`/replays/${id}`}>{shown ?? 'which is here'}</Link> : shown];
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

interface DecisionSentenceProps extends Pick<SentenceProps, 'entry'> {
  readonly verb: string;
  readonly name: ComponentChildren;
}

function DecisionSentence({ entry: { before, after }, verb, name }: DecisionSentenceProps) {
  const [was, is] = [textIn(before?.['key']), textIn(after?.['key'])];
  if (verb === 'update' && was !== is)
    return (
      <>
        renamed {was} to {name}
      </>
    );
  return (
    <>
      {verb === 'update' ? 'changed the working copy of' : (verbs[verb] ?? verb)} {name}
    </>
  );
}
