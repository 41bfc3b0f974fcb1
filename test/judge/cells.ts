import fc from 'fast-check';

/** A condition on one value, in ZEN and as two formulas over `v`: where it is true, and where it is false. Else it fails. */
export interface Condition {
  readonly zen: string;
  readonly isTrue: string;
  readonly isFalse: string;
  /** Kinds of the constants in it. */
  readonly kinds: ReadonlySet<Kind>;
  /** Where what it computes does not overflow. */
  readonly computed: readonly string[];
}

type Kind = 'num' | 'text' | 'bool' | 'null';

/** Values are null, numbers, texts by number, truth values, lists and objects. */
export const declarations = `
(declare-datatypes ((Value 0)) (((null) (num (number Real)) (text (name Int)) (bool (truth Bool)) (list) (object))))`;

const texts = ['a', 'b', 'c'];
export const textNumber = (text: string): number => texts.indexOf(text);

/** A decimal as the quotient that it is. */
export function real(digits: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(digits) ?? [];
  const size = `(/ ${whole}${fraction}.0 1${'0'.repeat(fraction.length)}.0)`;
  return sign === '' ? size : `(- ${size})`;
}

const digits = ['0', '1', '2', '3', '2.5', '-1', '0.3333333333333333333333333333', '12345678901234567890.12'];

const largest = '79228162514264337593543950335.0';
const fits = (formula: string): string => `(<= (- ${largest}) ${formula} ${largest})`;

/** What a field can be: no number has more digits than the language has, so that no computation here loses one. */
export function isFact(field: string): string {
  const number = `(number ${field})`;
  const isShort = `(and (is_int (* 1000.0 ${number})) (<= (- 1e24) ${number} 1e24))`.replaceAll(
    '1e24',
    `1${'0'.repeat(24)}.0`,
  );
  const isConstant = any(...digits.map((text) => `(= ${number} ${real(text)})`));
  return `(=> ((_ is num) ${field}) (and ${fits(number)} ${any(`(is_int ${number})`, isShort, isConstant)}))`;
}

export const all = (...parts: readonly string[]): string => `(and true ${parts.join(' ')})`;
export const any = (...parts: readonly string[]): string => `(or false ${parts.join(' ')})`;
export const not = (part: string): string => `(not ${part})`;

interface Constant {
  readonly zen: string;
  readonly smt: string;
  readonly kind: Kind;
}

const numberConstant = fc
  .constantFrom(...digits)
  .map((text): Constant => ({ zen: text, smt: `(num ${real(text)})`, kind: 'num' }));
const constant = fc.oneof(
  { weight: 3, arbitrary: numberConstant },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...texts)
      .map((text): Constant => ({ zen: `'${text}'`, smt: `(text ${textNumber(text)})`, kind: 'text' })),
  },
  fc.constantFrom<Constant>(
    { zen: 'true', smt: '(bool true)', kind: 'bool' },
    { zen: 'false', smt: '(bool false)', kind: 'bool' },
    { zen: 'null', smt: 'null', kind: 'null' },
  ),
);

const kindsOf = (constants: readonly Constant[]): ReadonlySet<Kind> => new Set(constants.map(({ kind }) => kind));
const isNumber = '((_ is num) v)';

/** A test that fails for what is no number, and where it cannot be computed. */
const ofNumber = (zen: string, formula: string, computed: readonly string[] = []): Condition => ({
  zen,
  isTrue: all(isNumber, ...computed, formula),
  isFalse: all(isNumber, ...computed, not(formula)),
  kinds: new Set(['num']),
  computed,
});

/** What is computed of the field, without a digit lost. */
const computed = fc.constantFrom(
  ...[
    ['', '(number v)'],
    ['', '(number v)'],
    [' * 2', '(* 2.0 (number v))'],
    [' / 4', '(/ (number v) 4.0)'],
    [' + 1', '(+ (number v) 1.0)'],
    [' * -5 - 1', '(* (- 5.0) (number v))', '(- (* (- 5.0) (number v)) 1.0)'],
  ].map(([zen = '', ...steps]) => ({ zen, steps })),
);

const ordering = fc
  .tuple(computed, fc.constantFrom('<', '<=', '>', '>='), numberConstant)
  .filter(([{ zen }, , { zen: known }]) => zen === '' || known.length < 6)
  // A quarter of the smallest numbers is rounded to zero, and these are no facts here.
  .filter(([{ zen }, , { zen: known }]) => zen !== ' / 4' || known !== '0')
  .map(([{ zen, steps }, operator, { zen: known }]) => {
    const formula = `(${operator} ${steps.at(-1) ?? ''} ${real(known)})`;
    return ofNumber(`$${zen} ${operator} ${known}`, formula, zen === '' ? [] : steps.map(fits));
  });

const range = fc
  .tuple(fc.constantFrom('[', '(', ']'), numberConstant, numberConstant, fc.constantFrom(']', ')', '['))
  .map(([open, { zen: low }, { zen: high }, close]) => {
    const isOutside = open === ']';
    const left = `(${isOutside ? '<=' : open === '[' ? '>=' : '>'} (number v) ${real(low)})`;
    const right = `(${close === '[' ? '>=' : close === ']' ? '<=' : '<'} (number v) ${real(high)})`;
    return ofNumber(`$ in ${open}${low}..${high}${close}`, isOutside ? any(left, right) : all(left, right));
  });

const equality = fc.tuple(fc.constantFrom('==', '!='), constant).map(([operator, known]): Condition => {
  const isEqual = `(= v ${known.smt})`;
  const [isTrue, isFalse] = operator === '==' ? [isEqual, not(isEqual)] : [not(isEqual), isEqual];
  return { zen: `$ ${operator} ${known.zen}`, isTrue, isFalse, kinds: kindsOf([known]), computed: [] };
});

/** A list or an object among scalars is an error. */
const membership = fc
  .tuple(fc.constantFrom('in', 'not in'), fc.array(constant, { minLength: 1, maxLength: 3 }))
  .map(([operator, items]): Condition => {
    const isScalar = all(not('((_ is list) v)'), not('((_ is object) v)'));
    const isIn = any(...items.map(({ smt }) => `(= v ${smt})`));
    const [yes, no] = [all(isScalar, isIn), all(isScalar, not(isIn))];
    const [isTrue, isFalse] = operator === 'in' ? [yes, no] : [no, yes];
    return {
      zen: `$ ${operator} [${items.map(({ zen }) => zen).join(', ')}]`,
      isTrue,
      isFalse,
      kinds: kindsOf(items),
      computed: [],
    };
  });

const both = (...conditions: readonly Condition[]): ReadonlySet<Kind> =>
  new Set(conditions.flatMap(({ kinds }) => [...kinds]));

/** Conditions on `$`, with what stops early and what fails as the language has it. */
export const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { weight: 3, arbitrary: fc.oneof(ordering, range) },
    { weight: 3, arbitrary: fc.oneof(equality, membership) },
    {
      weight: 1,
      arbitrary: tie('condition').map((one): Condition => ({
        zen: `not (${one.zen})`,
        isTrue: one.isFalse,
        isFalse: one.isTrue,
        kinds: one.kinds,
        computed: one.computed,
      })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('condition'), tie('condition')).map(([one, other]): Condition => ({
        zen: `(${one.zen}) and (${other.zen})`,
        isTrue: all(one.isTrue, other.isTrue),
        isFalse: any(one.isFalse, all(one.isTrue, other.isFalse)),
        kinds: both(one, other),
        computed: [...one.computed, ...other.computed],
      })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('condition'), tie('condition')).map(([one, other]): Condition => ({
        zen: `(${one.zen}) or (${other.zen})`,
        isTrue: any(one.isTrue, all(one.isFalse, other.isTrue)),
        isFalse: all(one.isFalse, other.isFalse),
        kinds: both(one, other),
        computed: [...one.computed, ...other.computed],
      })),
    },
  ),
})).condition;
