import { expect } from 'chai';
import { EngineError, readJson } from '../../../../workers/engine/index.js';
import { Footprint } from '../../../../workers/engine/footprint.js';
import { compileSchema } from '../../../../workers/engine/schema/compile.js';
import { buildScope } from '../../../support/zen.js';

/** What a schema (JSON text) says of a value (JSON text), read as facts are read. */
function verdict(schema: string, json: string): string {
  const { value, plain } = readJson(json);
  try {
    compileSchema(schema, new Footprint())(value, buildScope().run, plain);
    return 'fits';
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
}

const rows: readonly (readonly [schema: string, value: string, verdict: string])[] = [
  ['{"maximum":100}', '100.0000000000000000000000001', 'the value: must be <= 100'],
  ['{"maximum":100}', '100.00', 'fits'],
  ['{"minimum":12345678901234567890}', '12345678901234567889', 'the value: must be >= 12345678901234567890'],
  ['{"minimum":12345678901234567890}', '12345678901234567890', 'fits'],
  ['{"exclusiveMinimum":0.1}', '0.1000000000000000000000001', 'fits'],
  ['{"exclusiveMinimum":0.1}', '0.1', 'the value: must be > 0.1'],
  ['{"exclusiveMaximum":9007199254740993}', '9007199254740992', 'fits'],
  ['{"exclusiveMaximum":9007199254740993}', '9007199254740993', 'the value: must be < 9007199254740993'],
  ['{"maximum":1.7976931348623157e308}', '79228162514264337593543950335', 'fits'],
  ['{"multipleOf":0.1}', '0.3', 'fits'],
  ['{"multipleOf":0.01}', '12345678901234567890.12', 'fits'],
  ['{"multipleOf":0.01}', '12345678901234567890.125', 'the value: must be multiple of 0.01'],
  ['{"multipleOf":3}', '12345678901234567891', 'the value: must be multiple of 3'],
  ['{"type":"integer"}', '12345678901234567890', 'fits'],
  ['{"type":"integer"}', '100.0000000000000000000000001', 'the value: must be integer'],
  ['{"const":12345678901234567890}', '12345678901234567890', 'fits'],
  ['{"const":12345678901234567890}', '12345678901234567891', 'the value: must be equal to constant'],
  ['{"const":{"a":[1.50]}}', '{"a":[1.5]}', 'fits'],
  ['{"const":{"a":[9007199254740993]}}', '{"a":[9007199254740992]}', 'the value: must be equal to constant'],
  ['{"enum":[1,9007199254740993]}', '9007199254740993', 'fits'],
  [
    '{"enum":[1,9007199254740993]}',
    '9007199254740992',
    'the value: must be equal to one of the allowed values ([1,9007199254740993])',
  ],
  ['{"uniqueItems":true,"maxItems":9}', '[9007199254740993,9007199254740992]', 'fits'],
  [
    '{"uniqueItems":true,"maxItems":9}',
    '[1.50,9007199254740993,1.5]',
    'the value: must NOT have duplicate items (items ## 0 and 2 are identical)',
  ],
  [
    '{"properties":{"a/b":{"items":{"$ref":"#/definitions/m"}}},"definitions":{"m":{"maximum":9007199254740993}}}',
    '{"a/b":[9007199254740993,9007199254740994]}',
    '/a~1b/1: must be <= 9007199254740993',
  ],
  ['{"propertyNames":{"enum":["a"]}}', '{"a":9007199254740993}', 'fits'],
  ['{"items":{"maxLength":3}}', '["abc",9007199254740993]', 'fits'],
];

describe('numbers of more digits than a double has, held against a JSON Schema', () => {
  for (const [schema, value, expected] of rows) {
    it(`${schema} of ${value}: ${expected.startsWith('fits') ? 'fits' : 'does not fit'}`, () => {
      expect(verdict(schema, value)).to.equal(expected);
    });
  }
});
