import { shortJson } from '../api/exactJson.js';
import type { ChangeRequest } from '../api/types.js';
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

/** A change in words, with names in place of ids. */
export function changeText(change: ChangeRequest['changes'][number], names: Names): string {
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
