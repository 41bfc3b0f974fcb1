import { expect } from 'chai';
import fc from 'fast-check';
import { expressing } from '../../support/models.js';
import { documentOf } from '../../support/scene.js';
import { withOwnTests } from '../../support/sheets.js';

/** Texts that spreadsheets, or we, may take for something else. */
const odd = fc.constantFrom(
  ...['', ' ', 'x', '001', '2026', '1e5', '1.10', '-0', '.5', '+5', '12,5', '1.234,56', 'TRUE', 'true', 'null', 'NaN'],
  ...['"x"', '"', '""', "'=1", '=1+1', '-a', '@x', '[1]', '{"a":1}', '{}', '_x0041_', 'a\r\nb', '\tx', 'x ', 'ä'],
  ...['2026-01-31', '1899-12-31', '1900-01-01', '2026-02-30', '09:30:00', '25:00:00', '2026-01-31T09:30:00'],
  ...['PT30H', 'PT0S', '12345678901234567890', 'TRUE()', '#N/A', 'sep=;'],
);
const text = fc.oneof(
  odd,
  fc.string({ unit: 'binary' }).map((each) => each.toWellFormed().replaceAll('\0', '')),
);
const value = fc.letrec((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(0, -0.5, 1e21, 1e-7, true, false, null),
    fc.integer(),
    fc.array(tie('one'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom('a', 'b.c', 'd[0]', 'e"f', 'name', '0', ' g'), text), tie('one'), {
      maxKeys: 3,
    }),
  ),
})).one;
const fact = fc.dictionary(fc.constantFrom('a', 'b', 'a.b', 'c[0]'), value, { maxKeys: 3 });
const test = fc.record({ name: text, input: fact, output: fact, env: fact }, { requiredKeys: ['input', 'output'] });

describe('tests with names and values that look like something else', () => {
  for (const format of ['xlsx', 'csv'] as const)
    it(`go out and come in again as the same model, byte for byte: .${format}`, () => {
      fc.assert(
        fc.property(fc.array(test, { minLength: 1, maxLength: 4 }), (tests) => {
          const model = String(documentOf({ ...expressing({ a: '1' }), tests }).text);
          expect(withOwnTests(model, format)).to.equal(model);
        }),
        { numRuns: 300 },
      );
    });
});
