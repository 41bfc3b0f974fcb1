import { expect } from 'chai';
import type { Manifest } from '../../../../workers/protocol.js';
import { DecisionIndex, newEntry, type DecisionEntry } from '../../../../src/decisions/decisionIndex.js';
import { maxReach } from '../../../../src/decisions/limits.js';
import { reachOf, type NamesOf } from '../../../../src/decisions/writing/manifest.js';

/** A index of decisions whose content is its own key's, with the names that each uses. */
function fixture(prefix: string, uses: Readonly<Record<string, readonly string[]>>): [DecisionIndex, NamesOf] {
  const entries = Object.keys(uses).map((key, index): DecisionEntry => ({
    ...newEntry(key, { hash: `hash of ${key}`, text: '' }),
    id: `${prefix}${index}`,
  }));
  const names = new Map(Object.entries(uses).map(([key, used]) => [`hash of ${key}`, used]));
  return [
    DecisionIndex.ofWorkspace(() => Promise.resolve([])).with(entries),
    (hashes) => Promise.resolve(new Map(hashes.map((hash) => [hash, names.get(hash) ?? []]))),
  ];
}

const reach = ([decisionIndex, namesOf]: [DecisionIndex, NamesOf], key: string) =>
  reachOf(decisionIndex.byKey(key)!, decisionIndex, namesOf);

describe('manifests', () => {
  it('leave out names that lead nowhere, and tell', async () => {
    const { manifest, broken } = await reach(fixture('', { a: ['b', 'lost'], b: [] }), 'a');
    expect((JSON.parse(manifest) as Manifest).entries[0]?.links).to.deep.equal({ b: 1 });
    expect(broken.map(({ from, name, reason }) => [from.key, name, reason])).to.deep.equal([['a', 'lost', 'missing']]);
  });

  it('take a name such as __proto__ as a name', async () => {
    const { manifest } = await reach(fixture('', { a: ['__proto__'], ['__proto__']: [] }), 'a');
    expect(manifest).to.include('"__proto__":1');
  });

  it(`end at ${maxReach} decisions`, async () => {
    const uses = Object.fromEntries(Array.from({ length: maxReach + 5 }, (_, n) => [`n${n}`, [`n${n + 1}`]]));
    const { decisions, broken } = await reach(fixture('', uses), 'n0');
    expect(decisions).to.have.length(maxReach);
    expect(broken.map(({ name, reason }) => [name, reason])).to.deep.equal([[`n${maxReach}`, 'too_many']]);
  });
});
