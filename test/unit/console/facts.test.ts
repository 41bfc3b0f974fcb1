import { expect } from 'chai';
import { fieldOf, type Field } from '../../../src/console/facts/fields.js';
import { createFactMemory } from '../../../src/console/facts/memory.js';
import {
  doubt,
  misfit,
  nameOf,
  readAsCells,
  shownValue,
  typedValue,
  withValue,
} from '../../../src/console/facts/values.js';

/** A form in words: `name kind`, with `*` where it is required. */
const words = (field: Field): string[] =>
  [...field.fields].map(([name, { kind, isRequired }]) => `${name} ${kind}${isRequired ? '*' : ''}`);

describe('the form of a schema', () => {
  it('asks for each kind of value in a way of its own', () => {
    const field = fieldOf({
      type: 'object',
      required: ['age'],
      properties: {
        name: { type: 'string' },
        born: { type: 'string', format: 'date' },
        age: { type: 'integer' },
        rate: { type: ['number', 'null'] },
        member: { type: 'boolean' },
        product: { enum: ['Personal', 'Car'] },
        address: { type: 'object', properties: { city: { type: 'string' } } },
        items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
        extra: {},
        either: { type: ['number', 'string'] },
        open: { type: 'object' },
      },
    });
    expect(words(field)).to.deep.equal([
      'name text',
      'born date',
      'age number*',
      'rate number',
      'member truth',
      'product choice',
      'address object',
      'items list',
      'extra any',
      'either any',
      'open any',
    ]);
    expect(field.fields.get('age')?.isWhole).to.equal(true);
    expect(field.fields.get('product')?.choices).to.deep.equal(['Personal', 'Car']);
    expect(words(field.fields.get('items')!.item!)).to.deep.equal(['price number']);
  });

  it('follows local references, and alternatives with null alone', () => {
    const field = fieldOf({
      $defs: { money: { type: 'number', description: 'In euros' } },
      type: 'object',
      properties: {
        price: { $ref: '#/$defs/money' },
        fee: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/money' }] },
        both: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        elsewhere: { $ref: 'https://example.com/schema' },
      },
    });
    expect(words(field)).to.deep.equal(['price number', 'fee number', 'both any', 'elsewhere any']);
    expect(field.fields.get('fee')?.description).to.equal('In euros');
  });

  it('ends where a schema names itself', () => {
    const person = { type: 'object', properties: { boss: { $ref: '#' } } };
    let [field, levels]: [Field | undefined, number] = [fieldOf(person), 0];
    for (; field?.kind === 'object'; levels++) field = field.fields.get('boss');
    expect(levels).to.be.within(2, 20);
    expect(field?.kind).to.equal('any');
  });

  it('takes a schema that is none for anything', () => {
    for (const schema of [null, true, 'text', [], { type: 5 }, { $ref: '#/gone' }, { properties: 3 }]) {
      expect(fieldOf(schema).kind, JSON.stringify(schema)).to.equal('any');
    }
  });
});

describe('values of a form', () => {
  it('are put at their paths and taken away with the objects that held nothing else', () => {
    const put = withValue({ a: 1 }, ['customer', 'address', 'city'], 'Bonn');
    expect(put).to.deep.equal({ a: 1, customer: { address: { city: 'Bonn' } } });
    expect(withValue(put, ['customer', 'address', 'city'], undefined)).to.deep.equal({ a: 1 });
    expect(withValue({ items: [{ p: 1 }, { p: 2 }] }, ['items', 0, 'p'], undefined)).to.deep.equal({
      items: [{}, { p: 2 }],
    });
    expect(withValue({ items: [1, 2, 3] }, ['items', 1], undefined)).to.deep.equal({ items: [1, 3] });
    expect(withValue({ items: 'text' }, ['items', 0, 'p'], 1)).to.deep.equal({ items: [{ p: 1 }] });
    const hostile = withValue({}, ['__proto__', 'polluted'], true) as object;
    expect(Object.keys(hostile)).to.deep.equal(['__proto__']);
    expect(({} as { polluted?: true }).polluted).to.equal(undefined);
  });

  it('are named by their paths', () => {
    expect(nameOf(['customer', 'age'])).to.equal('customer.age');
    expect(nameOf(['items', 0, 'price'])).to.equal('items[0].price');
  });

  it('are what was typed, by the kind of the field', async () => {
    await readAsCells();
    const rows: readonly (readonly [Parameters<typeof typedValue>[0], string, unknown, string | null])[] = [
      ['number', '12.50', 12.5, null],
      // As a cell of a table is read, where it has one reading.
      ['number', '1,5', 1.5, null],
      ['number', '-5.000,50', -5000.5, null],
      ['number', '-5.000,50 €', '-5.000,50 €', 'This is a number without a unit, such as -5000.5.'],
      ['number', '5 kg', '5 kg', 'This is a number without a unit, such as 5.'],
      ['number', '1.234,50', 1234.5, null],
      ['number', '5%', 0.05, null],
      ['number', '12 000', 12000, null],
      ['number', '1,200,000', 1200000, null],
      ['number', '12,000', '12,000', 'Is this 12000 or 12? Write the one that is meant.'],
      ['number', 'dozen', 'dozen', 'This is no number, such as 1200.5.'],
      ['number', '-', '-', 'This is no number, such as 1200.5.'],
      ['number', '', undefined, null],
      ['text', '12', '12', null],
      ['text', '', undefined, null],
      ['date', '2026-01-31', '2026-01-31', null],
      ['date', '01.05.2026', '01.05.2026', 'This is no date, such as 2026-01-31.'],
      ['time', '17:00', '17:00', null],
      ['time', '17:00:30', '17:00:30', null],
      ['time', '5pm', '17:00', null],
      ['time', '8.30', '08:30', null],
      ['time', 'soon', 'soon', 'This is no time, such as 17:30.'],
      ['time', '25:00', '25:00', 'This is no time, such as 17:30.'],
      ['any', '12', 12, null],
      ['any', 'true', true, null],
      ['any', 'Bonn', 'Bonn', null],
      ['any', '"12"', '12', null],
      ['any', '{"a":[1]}', { a: [1] }, null],
    ];
    for (const [kind, text, value, fault] of rows) {
      // Browsers and newer Node keep how a number is written.
      const typed = JSON.stringify(typedValue(kind, text)) as string | undefined;
      expect(typed && JSON.parse(typed), `${kind} ${text}`).to.deep.equal(value);
      expect(misfit(kind, false, value), `${kind} ${text}`).to.equal(fault);
    }
    expect(misfit('number', true, 1.5)).to.equal('This is no whole number.');
    expect(misfit('text', false, 5)).to.equal('This is no text.');
  });

  it('are numbers with the unit of their field, and with no other', async () => {
    await readAsCells();
    for (const [unit, text, value, fault] of [
      ['lb', '5 lbs', 5, null],
      ['lb', '5', 5, null],
      ['GBP', '£700', 700, null],
      ['lb', '5 kg', '5 kg', 'This is a number in lb, such as 1200.5.'],
      ['days', '2 weeks', '2 weeks', 'This is a number in days, such as 14.'],
      ['EUR', '£700', '£700', 'This is a number in EUR, such as 1200.5.'],
      ['t', '8 t', 8, null],
    ] as const) {
      const typed = JSON.parse(JSON.stringify(typedValue('number', text, unit))) as unknown;
      expect(typed, `${text} in ${unit}`).to.equal(value);
      expect(misfit('number', false, typed, unit), `${text} in ${unit}`).to.equal(fault);
    }
  });

  it('are asked where they are above one and their column was written in percent', () => {
    const field = { kind: 'number', mayBeText: false } as const;
    expect(doubt(field, 12.5, true, '%')).to.equal(
      'Taken for 12.5, which is more than 100 %. For a share write 12.5 %.',
    );
    for (const [value, unit] of [
      [0.125, '%'],
      [12.5, 'kg'],
    ] as const)
      expect(doubt(field, value, true, unit), unit).to.equal(null);
  });

  it('are shown as they would be typed', () => {
    for (const value of ['12', 'true', 'Bonn', 12, false, { a: 1 }, '"quoted"']) {
      expect(typedValue('any', shownValue('any', value)), JSON.stringify(value)).to.deep.equal(value);
    }
  });
});

describe('what is remembered of facts', () => {
  it('is the last ten of a decision, each once, newest first', () => {
    const memory = createFactMemory();
    for (let index = 0; index < 12; index++) memory.keep('a', `{"n":${index}}`);
    memory.keep('a', '{"n":5}');
    expect(memory.last('a').slice(0, 3)).to.deep.equal(['{"n":5}', '{"n":11}', '{"n":10}']);
    expect(memory.last('a')).to.have.length(10);
    expect(memory.last('b')).to.deep.equal([]);
  });

  it('is bounded in decisions and in length', () => {
    const memory = createFactMemory();
    for (let index = 0; index < 60; index++) memory.keep(`d${index}`, '{}');
    expect(memory.last('d0')).to.deep.equal([]);
    expect(memory.last('d59')).to.deep.equal(['{}']);
    memory.keep('large', `{"a":"${'x'.repeat(200_000)}"}`);
    expect(memory.last('large')).to.deep.equal([]);
  });

  it('tells of an amount that it is taken for a text, where it could be a number', () => {
    const told = 'Taken for a text. A number is written as 1200.5.';
    const any = fieldOf({});
    for (const typed of ['5,000', '€ 500', '1 000,50', '7 %', '+5.000.000', '"5,000"'])
      expect(doubt(any, typedValue('any', typed), true), typed).to.equal(told);
    for (const typed of ['2026-01-31', 'Car', '3rd', '[5.000]', '1200.5', 'true', '00042'])
      expect(doubt(any, typedValue('any', typed), true), typed).to.equal(null);
    expect(doubt(fieldOf({ type: 'string' }), '5,000', true)).to.equal(null);
  });

  it('tells of decimals that may be thousands, where a person has written them', () => {
    const number = fieldOf({ type: 'number' });
    expect(doubt(number, 7.995, true)).to.equal('Taken for 7.995. For 7995 leave out the point.');
    expect(doubt(number, 7.995, false)).to.equal(null);
  });

  it('tells of a number that it is sent as one, where it may be a text as well', () => {
    const either = fieldOf({ type: ['number', 'string'] });
    const told = 'Sent as a number. For a text write it in quotes: "10115".';
    expect(doubt(either, typedValue('any', '10115'), true)).to.equal(told);
    for (const typed of ['"10115"', '00042', 'abc'])
      expect(doubt(either, typedValue('any', typed), true), typed).to.equal(null);
    for (const other of [{}, { type: 'number' }, { type: ['number', 'boolean'] }])
      expect(doubt(fieldOf(other), 10115, true)).to.equal(null);
  });
});
