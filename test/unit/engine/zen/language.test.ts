import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../../db/root.js';
import { functionTables } from '../../../../src/api/docs/languageReference.js';
import { stringify } from '../../../../workers/engine/index.js';
import { closureFunctions } from '../../../../workers/engine/zen/functions/closures.js';
import { functions, methods } from '../../../../workers/engine/zen/functions/index.js';
import { compileExpression, compileUnary } from '../../../../workers/engine/zen/index.js';
import type { Value } from '../../../../workers/engine/values.js';
import { buildScope } from '../../../support/zen.js';

const guide = readFileSync(join(projectRoot, 'src', 'api', 'docs', 'language.md'), 'utf8');
const data = JSON.parse(/```json\n(.*)\n```/.exec(guide)?.[1] ?? '') as Value;

/** The rows of the guide's tables whose first column has that title; their cells without backticks. */
function rowsOf(title: string): string[][] {
  const rows: string[][] = [];
  let isWithin = false;
  for (const line of guide.split('\n')) {
    const cells = line.split(' | ').map((cell) => /(`+) ?(.*?) ?\1(?!`)/.exec(cell)?.[2] ?? cell);
    if (!line.startsWith('|')) isWithin = false;
    else if (line.startsWith(`| ${title} |`)) isWithin = true;
    else if (isWithin && !line.startsWith('|---')) rows.push(cells);
  }
  return rows;
}

describe('the guide to the language', () => {
  const [expressions, cells] = [rowsOf('Expression'), rowsOf('Cell')];

  it('has examples of expressions and of cells', () => {
    expect(expressions.length).to.be.greaterThan(40);
    expect(cells.length).to.be.greaterThan(12);
  });

  for (const [source = '', result] of expressions) {
    it(`shows what ${source} gives`, () => {
      expect(stringify(compileExpression(source)(buildScope({ data })))).to.equal(result);
    });
  }

  for (const [source = '', field = '', result] of cells) {
    it(`shows whether the cell ${source} holds for ${field}`, () => {
      const reference = JSON.parse(field) as Value;
      expect(stringify(compileUnary(source)(buildScope({ data, reference })))).to.equal(result);
    });
  }

  it('ends with every function and method', () => {
    const tables = functionTables();
    for (const name of [...functions.keys(), ...closureFunctions.keys()])
      expect(tables, name).to.include(`| \`${name}(`);
    for (const name of methods.keys()) expect(tables, name).to.include(`| \`date.${name}(`);
  });
});
