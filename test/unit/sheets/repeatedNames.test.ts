import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly field: string;
}
interface Model {
  readonly nodes: readonly {
    readonly content: { readonly inputs: Item[]; readonly outputs: Item[]; readonly rules: Record<string, string>[] };
  }[];
}

function converted(csv: string, inputs: string[] | null = null, outputs: string[] | null = null) {
  const made = convertedSheet(csv, inputs, outputs);
  const table = (made.content as Model).nodes[1]!.content;
  /** By the name that the answer has for it, the cells of each column. */
  const cells = Object.fromEntries(
    [...made.inputs, ...made.outputs].map((name, at) => {
      const { id } = [...table.inputs, ...table.outputs][at]!;
      return [name, table.rules.map((rule) => rule[id])];
    }),
  );
  return { ...made, table, cells, messages: made.diagnostics.map(({ message }) => message) };
}

describe('a sheet with a name above two columns', () => {
  const file = 'Score,Grade,Score,Decision\n>= 700,1,"< 900",true\n< 700,2,> 5,false\n';

  it('has a name for each of them, by which they are told apart, and both read the same field', () => {
    const { inputs, outputs, cells, table } = converted(file);
    expect([inputs, outputs]).to.deep.equal([['Score', 'Grade', 'Score (2)'], ['Decision']]);
    expect(cells).to.deep.include({ Score: ['>= 700', '< 700'], 'Score (2)': ['< 900', '> 5'] });
    expect(table.inputs.map(({ name, field }) => [name, field])).to.deep.equal([
      ['Score', 'Score'],
      ['Grade', 'Grade'],
      ['Score (2)', 'Score'],
    ]);
  });

  for (const [inputs, outputs] of [
    [['Score', 'Grade', 'Score (2)'], ['Decision']],
    [
      ['Grade', 'Score (2)'],
      ['Score', 'Decision'],
    ],
    [['Score'], ['Grade', 'Score (2)', 'Decision']],
  ] as const)
    it(`has each where it is wanted, and none is lost: ${inputs.join(', ')} as inputs`, () => {
      const made = converted(file, [...inputs], [...outputs]);
      expect(made.missing).to.deep.equal([]);
      expect(made.cells).to.deep.equal(converted(file).cells);
      expect([made.inputs, made.outputs]).to.deep.equal([inputs, outputs]);
    });

  it('is told, for inputs and for outputs; not where one is read and the other written', () => {
    expect(converted(file).messages).to.deep.equal([
      'Rules!C1: `Score` is there twice: both columns test the same field. If they are two things, give them two names.',
    ]);
    expect(converted('Score,Fee,Score\n> 5,1,2\n').messages).to.deep.equal([]);
    expect(converted('a,Fee,Fee\n1,2,3\n').messages).to.deep.equal([
      'Rules!C1: `Fee` is there twice: both columns write the same field, and the last one stays. If they are two things, give them two names.',
    ]);
  });

  it('gets a name that no other column has', () => {
    expect(converted('a,a (2),a,b\n1,2,3,4\n').cells).to.deep.equal({
      a: ['1'],
      'a (2)': ['2'],
      'a (3)': ['3'],
      b: ['4'],
    });
  });
});
