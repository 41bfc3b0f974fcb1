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
    case 'deployment':
      if (verb === 'create')
        return (
          <>
            deployed {versionName(version)} of {decision(text('decisionId') ?? '')} to{' '}
            {environment(text('environmentId') ?? '')}
          </>
        );
      break;
    case 'routing':
      return (
        <>
          put {after === null ? 'nothing' : versionName(version)} of {decision(second)} in force in {environment(first)}
          {typeof before?.['version'] === 'number' && <> in place of {versionName(before['version'])}</>}
        </>
      );
    case 'environment':
      return (
        <>
          {verbs[verb] ?? verb} the environment {after === null ? text('name') : environment(id)}
        </>
      );
    case 'hosts':
    case 'protection':
    case 'retention':
      return (
        <>
          {verbs[verb] ?? verb} {kinds[type]} of {environment(id)}
        </>
      );
    case 'variable':
      return (
        <>
          {verbs[verb] ?? verb} the variable <b>{key ?? second}</b> of {environment(first)}
        </>
      );
    case 'measured':
      return (
        <>
          {verbs[verb] ?? verb} what is measured of {decision(id)}
        </>
      );
    case 'change_request':
      return (
        <>
          {verbs[verb] ?? verb} the request <Link to={`/requests/${id}`}>{text('title') ?? id}</Link>
        </>
      );
    default:
  }
  const name = text('name') ?? text('title') ?? key;
  const shown = name === undefined ? null : <b>{name}</b>;
  return (
    <>
      {verbs[verb] ?? verb.replaceAll('_', ' ')} {kinds[type] ?? type.replaceAll('_', ' ')}{' '}
      {type === 'replay' && after !== null ? <Link to={`/replays/${id}`}>{shown ?? 'which is here'}</Link> : shown}
    </>
  );
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
