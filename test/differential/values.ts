import fc from 'fast-check';

/** Numbers as facts have them: small ones, amounts, and some at the edge of exact integers. */
const someNumber: fc.Arbitrary<number> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -20, max: 20 }) },
  { weight: 2, arbitrary: fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100) },
  { weight: 1, arbitrary: fc.constantFrom(0.1, 0.2, 0.3, 1.005, 2.675, 1e-7, 1e6, 123456.789, -0.5) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) },
);

const someText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('', 'a', 'b', 'abc', 'Hello World', 'US', 'DE', '10', '-2.5', 'a,b,c', 'straße'),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('a', 'B', ' ', '1', 'é', '日', '-', '.'), maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom('2024-02-29', '2023-12-31T23:59:59Z', '2024-03-31 01:30:00', '1d', '12:30') },
);

const numbers = fc.array(someNumber, { maxLength: 4 });
const texts = fc.array(someText, { maxLength: 4 });
const item = fc.record({ p: someNumber, q: someText, r: fc.option(fc.boolean()) });

/** Any JSON that a fact may hold. */
export const someJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  someNumber,
  someText,
  numbers,
  texts,
  fc.constant({}),
  item,
);

/** Of a text, the package reads no item at a constant index; ours, as its next version, does. */
const noText = someJson.filter((json) => typeof json !== 'string');

/** Facts of one shape, so that expressions can name their parts; some parts are missing or of another kind. */
export const someFact: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.record({
      a: someNumber,
      b: someNumber,
      zero: fc.constant(0),
      s: someText,
      t: someText,
      flag: fc.boolean(),
      none: fc.constant(null),
      numbers,
      texts,
      lists: fc.array(numbers, { maxLength: 3 }),
      items: fc.array(item, { maxLength: 3 }),
      obj: fc.record({ x: someNumber, y: someText, deep: fc.record({ z: someNumber, list: numbers }) }),
    }),
    fc.option(
      fc.oneof(
        fc.tuple(fc.constantFrom('a', 's', 'flag', 'obj'), someJson),
        fc.tuple(fc.constantFrom('numbers', 'items', 'texts'), noText),
      ),
      { freq: 6 },
    ),
  )
  .map(([fact, other]) => (other === null ? fact : { ...fact, [other[0]]: other[1] }));

/** The same without a null in it: the package drops them on the way through a graph. */
export const someFullFact: fc.Arbitrary<unknown> = someFact.map(
  (fact) => JSON.parse(JSON.stringify(fact, (_key, value: unknown) => value ?? undefined)) as unknown,
);
