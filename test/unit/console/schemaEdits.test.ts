import { expect } from 'chai';
import {
  fieldsOf,
  freshFieldName,
  typeNames,
  typeOf,
  withExample,
  withFields,
  withKeyword,
  withType,
} from '../../../src/console/schemas/edits.js';

describe('a schema that is edited as a form', () => {
  it('has a type for each that can be chosen', () => {
    for (const name of typeNames) expect(typeOf(withType({}, name)), name).to.equal(name);
    expect(typeOf({ type: ['number', 'null'] })).to.equal('number');
    expect(typeOf({ properties: {} })).to.equal('group');
    for (const schema of [{ anyOf: [] }, { $ref: '#/a' }, { type: ['number', 'string'] }, { type: 'strange' }]) {
      expect(typeOf(schema), JSON.stringify(schema)).to.equal(null);
    }
  });

  it('keeps what it does not show, in its place', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['age', 'hidden'],
      properties: { name: { type: 'string', pattern: '^A' }, age: { type: 'integer', minimum: 0 } },
      additionalProperties: false,
    };
    expect(withFields(schema, fieldsOf(schema))).to.deep.equal(schema);
    const renamed = fieldsOf(schema).map((field) => (field.name === 'age' ? { ...field, name: 'years' } : field));
    const after = withFields(schema, renamed);
    expect(Object.keys(after['properties'] as object)).to.deep.equal(['name', 'years']);
    expect(after).to.deep.include({ required: ['years', 'hidden'], additionalProperties: false });
    expect(withFields(schema, [])).to.deep.include({ required: ['hidden'], properties: {} });
  });

  it('another type keeps what is said of a field, and nothing of the type before', () => {
    const schema = { type: 'string', enum: ['a'], maxLength: 3, description: 'Words', examples: ['a', 'b'] };
    expect(withType(schema, 'number')).to.deep.equal({ type: 'number', description: 'Words', examples: ['a', 'b'] });
    expect(withType(schema, 'date')).to.deep.include({ type: 'string', format: 'date' });
  });

  it('the first example is changed, and the others stay', () => {
    expect(withExample({ examples: [1, 2] }, 3)).to.deep.equal({ examples: [3, 2] });
    expect(withExample({ examples: [1] }, undefined)).to.deep.equal({});
    expect(withExample({ example: 1 }, 2)).to.deep.equal({ examples: [2] });
    expect(withKeyword({ a: 1, b: 2 }, 'a', undefined)).to.deep.equal({ b: 2 });
  });

  it('a new field has a name that no other has', () => {
    const fields = [{ name: 'field2', schema: {}, isRequired: false }];
    expect(freshFieldName(fields)).to.equal('field3');
    expect(freshFieldName([])).to.equal('field1');
  });
});
