import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { analyse } from '../../../workers/analysis/index.js';
import { compile, stringify } from '../../../workers/engine/index.js';

/** One table, and what is told of it; each in lines that begin with what they are. */
interface Example {
  readonly title: string;
  readonly of: (word: string) => string[];
}

const examples = readFileSync(join(projectRoot, 'test/golden/findings.txt'), 'utf8')
  .split('\n\n')
  .map((text): Example => {
    const lines = text.trimEnd().split('\n');
    const of = (word: string): string[] =>
      lines.filter((line) => line.split(' ')[0] === word).map((line) => line.slice(word.length + 1));
    return { title: of('#')[0] ?? '', of };
  });

/** What is told of a table: `kind rows: message`, a question mark before what is unknown, and the witness's fact. */
async function told({ of }: Example): Promise<string[]> {
  // `-` for a column of conditions; a row has its input cells, then the result.
  const fields = of('fields').flatMap((line) => line.split(' ; '));
  const rows = of('row').map((line) => line.split(' ; '));
  const [schema] = of('schema');
  const content = JSON.parse(of('content')[0] ?? '{}') as object;
  const inputs = fields.map((field, at) => ({ id: `i${at}`, name: field, field: field.replace(/^-$/, '') }));
  const rules = rows.map((cells, at) => ({
    _id: `${at + 1}`,
    ...Object.fromEntries(cells.map((cell, column) => [column < fields.length ? `i${column}` : 'o', cell])),
  }));
  const outputs = [{ id: 'o', name: 'out', field: 'out' }];
  const table = { hitPolicy: of('collect').length > 0 ? 'collect' : 'first', inputs, outputs, rules, ...content };
  const document = {
    nodes: [
      {
        id: 'in',
        type: 'inputNode',
        name: 'in',
        content: schema === undefined ? {} : { schema },
      },
      { id: 'table', type: 'decisionTableNode', name: 'table', content: table },
    ],
    edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
  };
  const program = compile(document, { resolve: () => undefined });
  const { report, unconfirmed } = await analyse({ version: { document, program, linked: '' }, until: Infinity });
  expect(unconfirmed).to.equal(0);
  return report.tables.flatMap(({ findings }) =>
    findings.map(({ kind, status, message, witness }) => {
      const fact = witness?.fact === null ? `node ${stringify(witness.input)}` : stringify(witness?.fact ?? null);
      const shown = witness === null ? '' : ` | ${fact}`;
      return `${status === 'proved' ? '' : '?'}${kind}: ${message}${shown}`;
    }),
  );
}
describe('findings of each kind', () => {
  for (const example of examples) {
    it(`about ${example.title}`, async () => {
      expect(await told(example)).to.deep.equal(example.of('told'));
    });
  }
});
