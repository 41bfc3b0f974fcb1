import { expect } from 'chai';
import { analyse } from '../../../../workers/analysis/index.js';
import type { Analysis } from '../../../../workers/analysis/report.js';
import { compileDmn } from '../../../../workers/engine/index.js';
import { dmn } from '../../../support/dmn.js';
import { tableDocument, type TableDocument } from '../../../support/dmnTables.js';

const hidden: Readonly<Record<string, readonly string[]>> = {
  number: ['>= 5', '>= 1', '>= 3', '-'],
  string: ['"a"', 'not("b")', '"c"', '-'],
  boolean: ['true', 'true, false', 'false', '-'],
  date: ['>= date("2024-05-01")', '>= date("2024-01-01")', '>= date("2024-03-01")', '-'],
  'years and months duration': ['>= duration("P5Y")', '>= duration("P1Y")', '>= duration("P3Y")', '-'],
  'days and time duration': ['>= duration("P5D")', '>= duration("PT1H")', '>= duration("P3D")', '-'],
};

const tableOf = (type: string, hitPolicy = 'FIRST'): TableDocument => ({
  hitPolicy,
  inputs: [{ name: 'n', type }],
  rows: (hidden[type] ?? []).map((cell, at) => [cell, String(4 - at)]),
  ...(hitPolicy === 'PRIORITY' ? { outputValues: '4, 3, 2, 1' } : {}),
});

/** The same table over what another decision makes of the input data, so that no fact sets its field. */
const overDecision = (table: TableDocument): string =>
  tableDocument(table)
    .replace('<requiredInput href="#n"/>', '<requiredDecision href="#made"/>')
    .replace(
      '<decision id="result"',
      `<decision id="made" name="made"><variable name="made" typeRef="${table.inputs[0]?.type ?? ''}"/><informationRequirement><requiredInput href="#n"/></informationRequirement><literalExpression><text>n</text></literalExpression></decision><decision id="result"`,
    )
    .replace('<inputExpression><text>n</text>', '<inputExpression><text>made</text>');

/** Without a search for facts, which would find some for tables over decisions too: of most documents it does not. */
async function analysisOf(xml: string): Promise<Analysis> {
  const { program } = compileDmn(xml);
  const version = { document: dmn(xml), program, linked: '' };
  const { report, unconfirmed } = await analyse({ version, isSearched: false, until: performance.now() + 20_000 });
  expect(unconfirmed).to.equal(0);
  return report;
}

/** What findings say of the rules that nothing reaches, beside what `reach` says of them. */
function claimsOf({ tables, reach }: Analysis): readonly string[] {
  const found = new Map(
    tables.flatMap(({ findings }) =>
      findings
        .filter(({ kind }) => kind === 'shadowed' || kind === 'conflict')
        .map(({ rules: [rule = ''], status }) => [rule, status] as const),
    ),
  );
  return reach.elements.flatMap(({ ruleId, status }) => {
    const finding = found.get(ruleId);
    return finding === undefined && status !== 'unreachable' ? [] : [`${ruleId}: ${finding ?? 'none'}, ${status}`];
  });
}

describe('what an analysis says of one rule', () => {
  for (const type of Object.keys(hidden))
    for (const hitPolicy of ['FIRST', 'PRIORITY'])
      for (const [where, write] of [
        ['input data', tableDocument],
        ['another decision', overDecision],
      ] as const)
        it(`is one claim: that nothing reaches it is proved, under ${hitPolicy}, of ${type}, of ${where}`, async () => {
          expect(claimsOf(await analysisOf(write(tableOf(type, hitPolicy))))).to.deep.equal([
            'r2: proved, unreachable',
          ]);
        });

  it('is that it is not decided, in all that is told, where no input can be made that shows it', async () => {
    const computed = tableDocument(tableOf('number')).replace(
      '<inputExpression><text>n</text>',
      '<inputExpression><text>n + 1</text>',
    );
    expect(claimsOf(await analysisOf(computed))).to.deep.equal(['r2: unknown, unknown']);
  });
});
