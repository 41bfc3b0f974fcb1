import { expect } from 'chai';
import fc from 'fast-check';
import { itemsStart, scanItems, type ItemsFound, type ItemsState } from '../../../workers/json/items.js';

/** A clock that is past the time for one piece each time it is looked at. */
function hurried(): () => number {
  let time = 0;
  return () => (time += 1000);
}

const scan = (body: Uint8Array, state: ItemsState, now?: () => number): ItemsFound =>
  scanItems({ body, list: 'decisions', state }, now);

/** The texts that are found, with as many turns as that takes. */
function itemsOf(text: string, now?: () => number): string[] {
  const body = Buffer.from(text);
  const offsets: number[] = [];
  for (let state: ItemsState | null = itemsStart; state !== null;) {
    const answer = scan(body, state, now);
    offsets.push(...answer.items);
    ({ state } = answer);
  }
  return Array.from({ length: offsets.length / 2 }, (_, n) =>
    body.subarray(offsets[2 * n], offsets[2 * n + 1]).toString(),
  );
}

const space = fc.constantFrom('', ' ', '\n\t', ' \r ');
const item = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('"a,b"', '"]"', '"\\""', '"\\\\"', '{"decisions":[1,2]}', '[[],{}]', '"é😀"', '-1.5e3', 'null'),
);
const others = fc.constantFrom(
  '"save":true',
  '"decision":[7,8]',
  '"x":{"decisions":[7]}',
  '"y":["decisions",[7]]',
  '"z":"decisions"',
  '"":"[{"',
);

/** A name of which each character is an escape. */
const escaped = (name: string): string =>
  `"${Array.from(name, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

describe('looking for the models of a large body', () => {
  it('finds each item of `decisions`, without the white space around it, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(space, item, space)),
        fc.array(others),
        fc.array(others),
        fc.constantFrom('"decisions"', '"d\\u0065cisions"', '"\\u0064ecisions"', escaped('decisions')),
        (items, before, after, name) => {
          const list = items.map((parts) => parts.join('')).join();
          const text = ` {${[...before, `${name} : [${list} ]`, ...after].join(' , ')}} `;
          expect(itemsOf(text)).to.deep.equal(items.map(([, found]) => found));
        },
      ),
    );
  });

  it('goes on where it was interrupted, within a text and after a backslash too', () => {
    const texts = [`"${'\\"'.repeat(60_001)}"`, `" ${'\\\\'.repeat(70_000)}"`];
    const items = [...texts, `{"a":${JSON.stringify('x'.repeat(200_000))}}`, '[1,2]'];
    expect(itemsOf(`{"decisions":[${items.join(' ,')}],"save":true}`, hurried())).to.deep.equal(items);
  });

  it('goes on wherever a piece ends: within an escape, between two, in a text of the object or of an item', () => {
    for (const unit of ['\\\\', '\\"', '\\u0041', 'é', 'x,]'])
      for (let padding = 0; padding < 6; padding++) {
        const long = `"${'x'.repeat(padding)}${unit.repeat(40_000)}"`;
        const items = [long, `[${long},${long}]`, '1'];
        const text = `{"before":${long},"decisions":[${items.join()}]}`;
        expect(itemsOf(text, hurried()), `${padding} before ${unit}`).to.deep.equal(items);
      }
  });

  it('leaves to whoever reads an item what is no blank of JSON', () => {
    expect(itemsOf('{"decisions":[\u000b1, 2\u0000 ,\u00a0]}')).to.deep.equal(['\u000b1', '2\u0000', '\u00a0']);
  });

  it('ends for anything at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 100 }), (bytes, text) => {
        for (const body of [bytes, Buffer.from(text), Buffer.from(`{"decisions":[${text}`)]) {
          expect(scan(body, itemsStart).state).to.equal(null);
        }
      }),
    );
  });

  it('reads items where it is asked to: what is no JSON is found where it stands, whatever the pieces', () => {
    const limits = { maxBytes: 100_000, maxDepth: 3, maxValues: 10 };
    const faultOf = (text: string): ItemsFound['fault'] => {
      const body = Buffer.from(text);
      for (let state: ItemsState | null = itemsStart; state !== null;) {
        const found = scanItems({ body, list: 'decisions', state, limits }, hurried());
        if (found.fault !== null) return found.fault;
        ({ state } = found);
      }
      return null;
    };
    const list = (...items: string[]): string => `{"é":1,"decisions":[${items.join(' , ')}]}`;
    const long = JSON.stringify('x'.repeat(70_000));
    expect(faultOf(list(long, '{"a":[[1]]}', 'true'))).to.equal(null);
    const broken = list(long, '{"é":tru }', '1');
    const byte = Buffer.byteLength(broken.slice(0, broken.indexOf('tru ') + 3));
    expect(faultOf(broken)).to.deep.equal({ kind: 'syntax', byte });
    expect(faultOf(list('"\\u00"'))).to.deep.equal({ kind: 'syntax', byte: 24 });
    expect(faultOf(list('[[[[]]]]'))).to.deep.equal({ kind: 'depth' });
    expect(faultOf(list('[1,2,3,4]', '[1,2,3,4]'))).to.equal(null);
    expect(faultOf(list('[1,2,3,4]', '[1,2,3,4]', '1'))).to.deep.equal({ kind: 'values' });
    // A larger one is left unread.
    expect(faultOf(list(JSON.stringify('x'.repeat(100_000)).replace('"', '"\\x')))).to.equal(null);
  });
});
