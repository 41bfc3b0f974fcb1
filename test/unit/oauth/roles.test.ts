import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { roleNames, roles, type RoleName } from '../../../src/oauth/roles.js';
import { isScope } from '../../../src/oauth/scopes.js';

const has = (role: RoleName, scope: string): boolean => (roles[role].scopes as readonly string[]).includes(scope);
const changing = /:(?!read$)/;

describe('roles', () => {
  it('are sets of scopes that there are', () => {
    expect(roleNames).to.deep.equal(['author', 'approver', 'auditor', 'operator', 'caller']);
    for (const name of roleNames) {
      expect(
        roles[name].scopes.filter((scope) => !isScope(scope)),
        name,
      ).to.deep.equal([]);
      expect(new Set(roles[name].scopes).size, name).to.equal(roles[name].scopes.length);
    }
  });

  it('part what one person is not to do alone', () => {
    for (const name of roleNames) {
      const writes = has(name, 'decision:update') || has(name, 'variable:write');
      expect(writes && (has(name, 'change:review') || has(name, 'change:apply')), `${name} approves`).to.equal(false);
      expect(has(name, 'decision:update') && has(name, 'deployment:write'), `${name} deploys`).to.equal(false);
    }
    expect(roles.auditor.scopes.filter((scope) => changing.test(scope))).to.deep.equal([]);
    expect(roles.caller.scopes).to.deep.equal(['execution:write']);
  });

  it('have nothing that lifts those parts', () => {
    const lifting = /^(protection:write|change:override|erasure:write|client:|workspace:|policy:)/;
    for (const name of roleNames)
      expect(
        roles[name].scopes.filter((scope) => lifting.test(scope)),
        name,
      ).to.deep.equal([]);
  });

  it('stand in the guide as they are', () => {
    const guide = readFileSync(join(projectRoot, 'src/api/docs/access.md'), 'utf8');
    const said = [...guide.matchAll(/^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$/gm)].map(([, name, about, scopes = '']) => ({
      name,
      about,
      scopes: [...scopes.matchAll(/`([^`]*)`/g)].flatMap(([, text = '']) => text.split(' ')),
    }));
    expect(said).to.deep.equal(roleNames.map((name) => ({ name, ...roles[name], scopes: [...roles[name].scopes] })));
  });
});
