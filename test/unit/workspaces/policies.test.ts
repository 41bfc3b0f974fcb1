import { expect } from 'chai';
import { userPrincipal } from '../../../src/oauth/principal.js';
import { mayHave, scopesOf, type Policy } from '../../../src/workspaces/policies.js';

const issuer = 'https://id.example';
const alice = userPrincipal({ issuer, subject: 'alice', roles: ['editor', 'staff'] });

const policy = (fields: Partial<Policy>): Policy => ({
  id: '01900000-0000-7000-8000-000000000001',
  effect: 'allow',
  subjects: [],
  roles: [],
  scopes: ['a'],
  expiresAt: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  ...fields,
});

describe('scopesOf', () => {
  const rows: [string, Partial<Policy>[], string[]][] = [
    ['nothing without a policy', [], []],
    ['nothing where a policy names nobody', [{}], []],
    ['what everybody has', [{ subjects: ['*'] }], ['a']],
    ['what the bare subject has', [{ subjects: ['alice'] }], ['a']],
    ["what the issuer's subject has", [{ subjects: [`${issuer}#alice`] }], ['a']],
    ["not what another issuer's subject has", [{ subjects: ['https://evil.example#alice'] }], []],
    ['not what a longer or shorter subject has', [{ subjects: ['alice2', 'alic', 'ALICE', ''] }], []],
    ['what a role has', [{ roles: ['editor'] }], ['a']],
    ['not what another role has', [{ roles: ['edit', 'Editor', '*'] }], []],
    ['what counts until later', [{ roles: ['staff'], expiresAt: '2999-01-01T00:00:00.000Z' }], ['a']],
    ['not what counted until now', [{ roles: ['staff'], expiresAt: '2020-01-01T00:00:00.000Z' }], []],
    ['what subject or role have', [{ subjects: ['bob'], roles: ['staff'] }], ['a']],
    [
      'all of several policies',
      [
        { roles: ['editor'], scopes: ['a', 'b'] },
        { subjects: ['alice'], scopes: ['c'] },
      ],
      ['a', 'b', 'c'],
    ],
    [
      'less what is denied, before',
      [
        { effect: 'deny', subjects: ['*'] },
        { subjects: ['alice'], scopes: ['a', 'b'] },
      ],
      ['b'],
    ],
    [
      'less what is denied, after',
      [
        { subjects: ['alice'], scopes: ['a', 'b'] },
        { effect: 'deny', roles: ['staff'] },
      ],
      ['b'],
    ],
    ['not less what others are denied', [{ subjects: ['alice'] }, { effect: 'deny', subjects: ['bob'] }], ['a']],
    ['nothing by a denial alone', [{ effect: 'deny', subjects: ['alice'], scopes: ['b'] }], []],
  ];
  for (const [what, policies, scopes] of rows) {
    it(`gives ${what}`, () => expect([...scopesOf(policies.map(policy), alice)]).to.deep.equal(scopes));
  }

  it('does not take a subject with # for a user of the issuer that it spells', () => {
    const impostor = userPrincipal({ issuer: 'https://evil.example', subject: `${issuer}#alice`, roles: [] });
    expect(scopesOf([policy({ subjects: [`${issuer}#alice`] })], impostor).size).to.equal(0);
  });
});

describe('mayHave, of a user whose roles nobody knows', () => {
  const rows: [string, Partial<Policy>[], boolean][] = [
    ['nothing without a policy', [], false],
    ['what the subject has', [{ subjects: ['alice'] }], true],
    ['what some role has, which may be the user’s', [{ roles: ['another'] }], true],
    ['not what the subject is denied', [{ roles: ['editor'] }, { effect: 'deny', subjects: ['alice'] }], false],
    ['not what everybody is denied', [{ subjects: ['alice'] }, { effect: 'deny', subjects: ['*'] }], false],
    ['what another is denied', [{ subjects: ['*'] }, { effect: 'deny', subjects: ['bob'] }], true],
    [
      'what a role is denied that need not be theirs',
      [{ subjects: ['*'] }, { effect: 'deny', roles: ['staff'] }],
      true,
    ],
    ['not what counted until now', [{ subjects: ['alice'], expiresAt: '2020-01-01T00:00:00.000Z' }], false],
  ];
  for (const [what, policies, wanted] of rows) {
    it(`is ${what}`, () => {
      const scopes = ['change:review'];
      expect(
        mayHave(
          policies.map((fields) => policy({ scopes, ...fields })),
          'change:review',
          alice,
        ),
      ).to.equal(wanted);
    });
  }
});
