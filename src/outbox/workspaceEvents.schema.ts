import Type from 'typebox';
import { exampleIds, Id } from '../api/fields.js';
import type { EventKind } from '../events/kinds.js';
import { linkedData } from '../events/links.js';
import { webhookOf } from './events.schema.js';

const Principal = Type.String({ description: 'Who did it' });
const Name = Type.String();
const Version = Type.Integer({ minimum: 0 });

const fields = {
  workspaceId: Id,
  principal: Principal,
  decisionId: Id,
  key: Name,
  version: Version,
  deploymentId: Id,
  environmentId: Id,
  name: Name,
  deployedBy: Type.String({ description: 'What the client says' }),
  changeRequestId: Id,
  title: Name,
  author: Principal,
  state: Name,
  replayId: Id,
  executionId: Id,
  monitorId: Id,
  erasureId: Id,
  erased: Type.Integer({ minimum: 0, description: 'Executions that it has erased' }),
  link: Type.String({ description: 'The page of the console where it is seen' }),
  findings: Type.Integer({ minimum: 1, description: 'What a check has found that was not found before' }),
};

const values: Readonly<Record<Exclude<keyof typeof fields, 'link'>, string | number>> = {
  workspaceId: exampleIds.workspace,
  principal: `client:${exampleIds.run}`,
  decisionId: exampleIds.decision,
  key: 'rates.json',
  version: 4,
  deploymentId: exampleIds.deployment,
  environmentId: exampleIds.environment,
  name: 'Spring rates',
  deployedBy: 'release pipeline',
  changeRequestId: exampleIds.run,
  title: 'Spring rates',
  author: `client:${exampleIds.run}`,
  state: 'OPEN',
  replayId: exampleIds.run,
  executionId: exampleIds.run,
  monitorId: exampleIds.run,
  erasureId: exampleIds.run,
  erased: 3,
  findings: 1,
};

const deployment = [
  'principal',
  'deploymentId',
  'environmentId',
  'decisionId',
  'version',
  'name',
  'deployedBy',
] as const;
const change = ['principal', 'changeRequestId', 'environmentId', 'title', 'author', 'state'] as const;

const monitor = ['monitorId', 'environmentId', 'decisionId', 'name'] as const;

/** What each kind of event tells. */
const eventKinds: readonly (readonly [EventKind, string, readonly (keyof typeof values)[]])[] = [
  ['version.saved', 'A version was saved', ['principal', 'decisionId', 'key', 'version']],
  ['deployment.created', 'A version was deployed', deployment],
  ['deployment.deleted', 'A deployment was removed', deployment],
  ['change.requested', 'A change request was opened: approvers are asked', change],
  ['change.approved', 'A change request has the approvals that it needs', change],
  ['change.rejected', 'A change request was rejected, which ends it', change],
  ['change.closed', 'A change request was closed: nobody wants it any more', change],
  [
    'change.reopened',
    'A change request lacks approvals again: what it replaces or the protection has moved, or who approved may not any more',
    change,
  ],
  ['change.applied', 'A change request was brought into force', change],
  [
    'change.overridden',
    'A change request was brought into force without what it lacked, beside change.applied',
    change,
  ],
  ['protection.changed', 'An environment was protected, otherwise, or no more', ['principal', 'environmentId']],
  ['replay.completed', 'A replay has its report', ['replayId', 'environmentId', 'decisionId']],
  ['monitor.tripped', 'A monitor has tripped', monitor],
  ['monitor.cleared', 'A monitor has cleared', monitor],
  [
    'execution.failed',
    'An execution failed; at most one a second is told of',
    ['executionId', 'environmentId', 'deploymentId', 'decisionId', 'version'],
  ],
  ['erasure.completed', 'An erasure is done', ['principal', 'erasureId', 'erased']],
  ['evidence.finding', 'The check of the evidence has found what is not as it was recorded', ['findings']],
];

/** Each event that a workspace's callback can receive, with an example. */
export const workspaceEvents = eventKinds.map(([kind, summary, own]) => {
  const names = ['workspaceId', ...own] as const;
  const data = Type.Object(Object.fromEntries([...names, 'link' as const].map((name) => [name, fields[name]])));
  const told = Object.fromEntries(names.map((name) => [name, values[name]]));
  const example = linkedData('https://verdict.example/console', kind, told);
  return { ...webhookOf(kind, summary, { data, example }), tag: 'Changes' as const };
});
