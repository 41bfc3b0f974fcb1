import { expect } from 'chai';
import { auditKinds, verbs } from '../../../src/console/parts/auditWords.js';
import { writes } from '../../support/operations/writes.js';

describe('the kinds of the Audit page', () => {
  it('cover what every writing operation on a workspace tells of', () => {
    // Of the tenant as a whole, which `verdict tenant audit` shows.
    const ofTenant = ['inquiry'];
    const types = new Set(Object.values(writes).map(({ action }) => action.split('.')[0]));
    expect([...types].filter((type) => type !== undefined && !ofTenant.includes(type))).to.be.not.empty;
    for (const type of types) if (!ofTenant.includes(type ?? '')) expect(auditKinds).to.include(type);
  });

  it('and what was done is said in words that make a sentence', () => {
    const done = new Set(Object.values(writes).map(({ action }) => action.split('.')[1] ?? ''));
    // Of a client by an operator, and of what the service does by itself.
    for (const verb of [...done, 'grant', 'revoke', 'prune']) expect(Object.keys(verbs)).to.include(verb);
  });
});
