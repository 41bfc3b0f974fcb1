import { expect } from 'chai';
import json5 from 'json5';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../workers/engine/errors.js';
import { compileExpression, compileUnary, fromJson, stringify, toJson } from '../../workers/engine/zen/index.js';
import type { Value } from '../../workers/engine/values.js';
import { buildScope } from '../support/zen.js';
import { parseRow } from './rows.js';

/**
 * One test per row of the CSV files beside this one: `expression;input;output`, input and output in JSON5, the output
 * `!code` where the expression fails. Files whose name starts with `unary` hold cells; their input's `$` is the field.
 */
const folder = path.join(import.meta.dirname, '../../../test/golden');

function outcome(expression: string, input: Value, isUnary: boolean): unknown {
  const reference = (input as Record<string, Value> | null)?.$ ?? null;
  const scope = buildScope({ data: input, reference, nodes: { First: { a: 1 } }, env: { REGION: 'EU' } });
  try {
    if (isUnary) return compileUnary(expression)(scope);
    const value = compileExpression(expression)(scope);
    expect(json5.parse(stringify(value)), 'JSON text').to.deep.equal(toJson(value));
    return toJson(value);
  } catch (error) {
    if (error instanceof EngineError) return `!${error.code}`;
    throw error;
  }
}

for (const file of readdirSync(folder).filter((name) => name.endsWith('.csv'))) {
  describe(`golden ${file}`, () => {
    const lines = readFileSync(path.join(folder, file), 'utf8').split('\n');
    lines.forEach((line, index) => {
      if (line.trim() === '' || line.startsWith('# ')) return;
      const place = `test/golden/${file}:${index + 1}`;
      const [expression, input, output, ...rest] = parseRow(line);
      it(`${place} ${expression ?? ''}`, () => {
        if (expression === undefined || output === undefined || rest.length > 0) {
          throw new Error(`${place}: a row has three columns`);
        }
        const expected: unknown = output.startsWith('!') ? output : json5.parse(output);
        const data = fromJson(input === undefined || input.trim() === '' ? null : json5.parse(input));
        expect(outcome(expression, data, file.startsWith('unary')), place).to.deep.equal(expected);
      });
    });
  });
}
