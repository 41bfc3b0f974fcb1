import { expect } from 'chai';
import { collecting } from '../../../src/console/analysis/collecting.js';
import { togetherIn, type AllTogether } from '../../../src/console/analysis/together.js';
import type { Model } from '../../../src/console/api/types.js';
import { analyse } from '../../../workers/analysis/index.js';
import { compile } from '../../../workers/engine/index.js';

type Row = readonly [who: string, age: string, price: string];

const modelOf = (rows: readonly Row[], hitPolicy = 'first'): Model => ({
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', position: null, content: {} },
    {
      id: 't',
      type: 'decisionTableNode',
      name: 'Tickets',
      position: null,
      content: {
        hitPolicy,
        inputs: [
          { id: 'w', name: 'Who', field: 'who' },
          { id: 'a', name: 'Age', field: 'age' },
        ],
        outputs: [{ id: 'p', name: 'Price', field: 'price' }],
        rules: rows.map(([w, a, p], at) => ({ _id: `r${at}`, w, a, p })),
      },
    },
  ],
  edges: [{ id: 'e', sourceId: 'in', targetId: 't' }],
});

async function together(rows: readonly Row[]): Promise<AllTogether> {
  const model = modelOf(rows);
  const document = collecting(model);
  const program = compile(document, { resolve: () => undefined });
  const { report } = await analyse({ version: { document, program, linked: '' }, until: Infinity });
  return togetherIn(model, report as never, document!);
}

/** The pairs of rows that cross, from 1, and where. */
async function crossing(rows: readonly Row[]): Promise<readonly string[]> {
  const { found, isAll } = await together(rows);
  expect(isAll).to.equal(true);
  return found.map(({ rows: [first, second], message }) => `${first + 1} ${second + 1}: ${message}`);
}

describe('rows of a table that takes the first one, which hold together', () => {
  it('are not said to be none where it was not decided', async () => {
    const time = (from: string, to: string) => `time($) >= time("${from}") and time($) <= time("${to}")`;
    const times: readonly Row[] = [
      ['', time('15:00', '16:30'), '6'],
      ['', time('16:30', '18:00'), '9'],
    ];
    const pairs = async (rows: readonly Row[]) => {
      const { found, open } = await together(rows);
      return [found, open].map((each) => each.map((pair) => pair.rows.join(' ')));
    };
    expect(await pairs(times)).to.deep.equal([['0 1'], []]);
    expect(await pairs([...times, ['', 'half term', '42']])).to.deep.equal([['0 1'], ['0 2', '1 2']]);
  });

  it('are told where each goes beyond the other, and gives something else', async () => {
    expect(
      await crossing([
        ['"tourist"', '[18..65]', '18'],
        ['"tourist"', '>= 65', '12'],
        ['"resident", "member"', '', '10'],
        ['"member", "guest"', '', '0'],
      ]),
    ).to.deep.equal([
      "1 2: Rows 1 and 2 hold together where who = 'tourist' and age = 65",
      "3 4: Rows 3 and 4 hold together where who = 'member'",
    ]);
  });

  it('are none where one is a special case of the other, gives the same, or they are apart', async () => {
    expect(
      await crossing([
        ['"tourist"', '[18..65]', '18'],
        ['"tourist"', '> 60', '18'],
        ['"guest"', '[70..80)', '12'],
        ['"tourist", "guest"', '', '20'],
        ['"member"', '< 18', '0'],
        ['', '', '9'],
      ]),
    ).to.deep.equal([]);
  });

  it('are found among hundreds of others, whatever the last row takes', async () => {
    const apart = Array.from({ length: 300 }, (_row, at): Row => ['"tourist"', `[${2 * at}..${2 * at + 1}]`, `${at}`]);
    expect(
      await crossing([...apart, ['"tourist"', '[601..610]', '1'], ['', '> 605', '2'], ['', '', '3']]),
    ).to.deep.equal(["301 302: Rows 301 and 302 hold together where who = 'tourist' and age in (605..610]"]);
  });

  it('are not asked about where no table takes the first one', () => {
    expect(collecting(modelOf([['"a"', '', '1']], 'collect'))).to.equal(null);
    expect(collecting(modelOf([['"a"', '', '1']]))).to.not.equal(null);
  });
});
