import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';
import { compile, validate, type Diagnostic, type Value } from '../../../workers/engine/index.js';
import { defaultLimits } from '../../../workers/engine/limits.js';
import type { ConvertAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { frozen } from '../../support/engine.js';
import { meantCells, probes, type MeantCell } from '../../support/meantCells.js';

interface TableModel {
  readonly nodes: readonly { readonly type: string; readonly content: TableContent }[];
}
interface TableContent {
  readonly inputs: readonly { readonly id: string }[];
  readonly rules: readonly Record<string, string>[];
}

/** Other cells of a column, as they stand in the model; they are below the one that is tried. */
const others: Readonly<Record<MeantCell['column'], readonly string[]>> = {
  number: ['77777', '> 88888', '[66666..66667]', '< -77777', '55555'],
  text: ['"Loan"', '"Lease"', '"Credit"', '"Card"', '"Bond"'],
  date: ['"1999-01-01"', '"1999-02-01"', '"1999-03-01"', '"1999-04-01"', '"1999-05-01"'],
  time: ['"03:33"', '"03:34"', '"03:35"', '"03:36"', '"03:37"'],
  boolean: ['true', 'false', 'true', 'false', 'true'],
};

const field = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A file with the cell in its first row. */
const fileWith = ({ cell, column }: MeantCell): string =>
  [['Value', 'Row'], [cell, '1'], ...others[column].map((other) => [other, '2'])]
    .map((row) => row.map(field).join(','))
    .join('\n');

interface Made {
  readonly model: TableModel;
  readonly diagnostics: readonly Diagnostic[];
}

function imported(meant: MeantCell): Made {
  const task = { kind: 'convertSheet', format: 'csv', inputs: null, outputs: null } as const;
  const bytes = Buffer.from(fileWith(meant));
  const answer = workOnSheet({ ...task, bytes }, { limits: defaultLimits, timeLimitMs: 10_000 }) as ConvertAnswer;
  const { content } = JSON.parse(answer.converted) as { content: TableModel };
  return { model: content, diagnostics: answer.diagnostics };
}

/** As the desk has it: the text that was typed is the cell. */
function typed(meant: MeantCell, text = meant.cell): Made {
  const content = {
    hitPolicy: 'first',
    inputs: [{ id: 'a', name: 'Value', field: 'Value' }],
    outputs: [{ id: 'o', name: 'Row', field: 'Row' }],
    rules: [text, ...others[meant.column]].map((a, row) => ({ _id: `r${row}`, a, o: row === 0 ? '1' : '2' })),
  };
  const model = {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', content: {} },
      { id: 't', type: 'decisionTableNode', name: 'Rates', content },
      { id: 'out', type: 'outputNode', name: 'Response', content: {} },
    ],
    edges: [
      { id: 'e', sourceId: 'in', targetId: 't' },
      { id: 'f', sourceId: 't', targetId: 'out' },
    ],
  };
  return { model: model as unknown as TableModel, diagnostics: validate(model, { knows: () => true }) };
}

const tableIn = ({ nodes }: TableModel): TableContent =>
  nodes.find(({ type }) => type === 'decisionTableNode')!.content;

const isTold = ({ model, diagnostics }: Made): boolean => {
  const pointer = `/nodes/1/content/rules/0/${tableIn(model).inputs[0]!.id}`;
  return diagnostics.some((diagnostic) => diagnostic.pointer === pointer);
};

/** The values for which the row of the cell is taken. */
function taken({ model }: Made, column: MeantCell['column']): unknown[] {
  const program = compile(model, { resolve: () => undefined });
  return probes[column].filter((value) => {
    const outcome = program.run({ Value: value } as Value, frozen);
    return (outcome as { result?: { Row?: unknown } }).result?.Row === 1;
  });
}

/** Which of a cell's meanings a model has. */
function isAsMeantBy(made: Made, { column, means }: MeantCell): number[] {
  const found = new Set(taken(made, column));
  return means.flatMap(({ accepts }, at) =>
    probes[column].every((value) => found.has(value) === accepts(value)) ? [at] : [],
  );
}

/** Whether a model does for each value what the author of its cell means. */
const isAsMeant = (made: Made, meant: MeantCell): boolean =>
  meant.means.length === 1 && isAsMeantBy(made, meant).length === 1;

const shown = ({ cell, column }: MeantCell): string => `${cell} in a column of ${column}`;

describe('every cell that people write does what they mean, or is told', () => {
  it('by some four hundred cells', () => {
    expect(meantCells.length).to.be.above(400);
  });

  for (const [way, make] of [
    ['imported', imported],
    ['typed', typed],
  ] as const) {
    it(`where it is ${way}`, () => {
      const neither = meantCells.filter((meant) => {
        const made = make(meant);
        return !isTold(made) && !isAsMeant(made, meant);
      });
      expect(neither.map(shown)).to.deep.equal([]);
    });
  }

  it('and what is offered for it is what they may mean: one way to repair it where there is one meaning', () => {
    const wrong = meantCells.filter((meant) => {
      const column = columnOf({}, true, [meant.cell, ...others[meant.column]]);
      const readings = readCell(meant.cell, column)?.readings ?? [];
      const found = readings.map((text) => isAsMeantBy(typed(meant, text), meant));
      const missing = meant.means.filter((_meaning, at) => !found.some((matches) => matches.includes(at)));
      if (readings.length === 0) return false;
      // Nothing is guessed: where one repair is offered, there is one meaning, and this is it.
      return readings.length === 1 ? meant.means.length !== 1 || missing.length > 0 : missing.length > 0;
    });
    expect(wrong.map(shown)).to.deep.equal([]);
  });

  it('and has no fault once it is repaired', () => {
    const again = meantCells.filter((meant) => {
      const column = columnOf({}, true, [meant.cell, ...others[meant.column]]);
      const readings = readCell(meant.cell, column)?.readings ?? [];
      return readings.length === 1 && isTold(typed(meant, readings[0]));
    });
    expect(again.map(shown)).to.deep.equal([]);
  });
});
