import { shortJson } from '../api/exactJson.js';
import type { ChangeApprovals, ChangeRequest, Protection } from '../api/types.js';
import { versionName, count } from '../parts/small.js';
import type { Names } from '../parts/useNames.js';

const tones: Readonly<Record<ChangeRequest['state'], string>> = {
  OPEN: '',
  APPROVED: 'good',
  APPLIED: 'good',
  REJECTED: 'bad',
  CLOSED: '',
};

export const StateMark = ({ state }: Pick<ChangeRequest, 'state'>) => (
  <span class={`mark ${tones[state]}`}>{state}</span>
);

/** It can still be approved, or applied. */
export const isUndecided = ({ state }: Pick<ChangeRequest, 'state'>): boolean =>
  state === 'OPEN' || state === 'APPROVED';

type Change = ChangeRequest['changes'][number];

/** A change, and what it puts aside. */
export function replacingText(change: Change, names: Names): string {
  const { type, replaces } = change;
  const text = changeText(change, names);
  if (replaces === null) return type === 'deploy' ? `${text}, where none is in force` : text;
  switch (type) {
    case 'deploy':
      return `${text} in place of ${versionName(replaces.version ?? null)}`;
    case 'variable':
    case 'variable.delete':
      return `${text} in place of ${replaces.secret === true ? '(secret)' : shortJson(replaces.value)}`;
    case 'hosts':
      return `${text} in place of ${(replaces.hosts ?? []).join(', ') || 'none'}`;
  }
}

/** A change in words, with names in place of ids. */
export function changeText(change: Change, names: Names): string {
  switch (change.type) {
    case 'deploy':
      return `${names.keyOf(change.decisionId ?? '')} v${change.version ?? ''}`;
    case 'variable':
      return `${change.name ?? ''} = ${change.secret === true ? '(secret)' : shortJson(change.value)}`;
    case 'variable.delete':
      return `without ${change.name ?? ''}`;
    case 'hosts':
      return `hosts: ${(change.hosts ?? []).join(', ') || 'none'}`;
  }
}

/** What a request needs yet, for its author. */
export function missingOf(
  request: ChangeRequest,
  { given, required }: ChangeApprovals,
  protection: Protection | null,
): string[] {
  const missing: string[] = [];
  if (required !== null && request.state === 'OPEN') {
    const by = protection?.authorMayApprove === false ? ' by somebody who neither asked nor saved the version' : '';
    missing.push(`${count(Math.max(1, required - given), 'approval')}${by}`);
  }
  for (const { name, state } of request.checks) {
    if (state !== 'PASSED') missing.push(`${name} ${state === 'FAILED' ? 'failed' : 'under way'}`);
  }
  return missing;
}
