import {
  childOf,
  childrenOf,
  jsonFromNumber,
  numberFrom,
  readXml,
  setKey,
  stringify,
  temporalFrom,
  type Element,
  type Format,
  type Value,
  type ValueObject,
} from '../engine/index.js';

/** A value of a test file of DMN's Technology Compatibility Kit (TCK), with the type that the file names: `decimal`, `date`, … */
export type TckValue =
  | { readonly kind: 'list'; readonly items: readonly TckValue[] }
  | { readonly kind: 'context'; readonly members: readonly (readonly [name: string, value: TckValue])[] }
  | { readonly kind: 'null' }
  | { readonly kind: 'value'; readonly type: string; readonly text: string };

/** A test of the kit. */
export interface TckTest {
  readonly id: string;
  /** Of a decision service that is called. */
  readonly service: string | undefined;
  readonly inputs: readonly (readonly [name: string, value: TckValue])[];
  readonly results: readonly {
    readonly name: string;
    /** Absent: any value will do. */
    readonly expected: TckValue | undefined;
    readonly isError: boolean;
  }[];
}

/** A test file of the kit. */
interface TckTests {
  /** The file of the model. */
  readonly modelName: string;
  readonly labels: readonly string[];
  readonly tests: readonly TckTest[];
}

const format: Format = {
  root: 'testCases',
  namespaces: ['http://www.omg.org/spec/DMN/20160719/testcase'],
  known: "the kit's test cases",
};

/** @throws EngineError `model_invalid` that names line and column */
export function readTestCases(xml: string): TckTests {
  const root = readXml(xml, format);
  return {
    modelName: childOf(root, 'modelName')?.text.trim() ?? '',
    labels: childrenOf(childOf(root, 'labels') ?? root, 'label').map(({ text }) => text.trim()),
    tests: childrenOf(root, 'testCase').map(testOf),
  };
}

function testOf(element: Element): TckTest {
  const { id = '', type = 'decision', invocableName } = element.attributes;
  return {
    id,
    service: type === 'decision' ? undefined : invocableName,
    inputs: childrenOf(element, 'inputNode').map((each) => [each.attributes['name'] ?? '', valueOf(each)] as const),
    results: childrenOf(element, 'resultNode').map((each) => {
      const expected = childOf(each, 'expected');
      return {
        name: each.attributes['name'] ?? '',
        expected: expected && valueOf(expected),
        isError: each.attributes['errorResult'] === 'true',
      };
    }),
  };
}

/** The value that an element holds: `value`, `list`, or components. */
function valueOf(element: Element): TckValue {
  const isNil = (each: Element): boolean => each.attributes['xsi:nil'] === 'true';
  const list = childOf(element, 'list');
  if (list !== undefined) {
    return isNil(list) ? { kind: 'null' } : { kind: 'list', items: childrenOf(list, 'item').map(valueOf) };
  }
  const components = childrenOf(element, 'component');
  if (components.length > 0) {
    return {
      kind: 'context',
      members: components.map((each) => [each.attributes['name'] ?? '', valueOf(each)] as const),
    };
  }
  const value = childOf(element, 'value');
  if (value === undefined || isNil(value) || isNil(element)) return { kind: 'null' };
  return { kind: 'value', type: (value.attributes['xsi:type'] ?? 'string').replace(/^.*:/, ''), text: value.text };
}

const numeric = ['decimal', 'double', 'float', 'integer', 'int', 'long', 'short'];

/** Dates and durations, which are no texts even where no type is declared. */
const temporal = ['date', 'time', 'dateTime', 'duration', 'dayTimeDuration', 'yearMonthDuration'];

/**
 * The value as a fact or a result has it.
 * @param ofTemporal what a date or a duration is there, given its text; as results have it unless given
 */
export function tckJson(value: TckValue, ofTemporal: (text: string) => Value = written): Value {
  switch (value.kind) {
    case 'null':
      return null;
    case 'list':
      return value.items.map((item) => tckJson(item, ofTemporal));
    case 'context': {
      const made: ValueObject = {};
      for (const [name, member] of value.members) setKey(made, name, tckJson(member, ofTemporal));
      return made;
    }
    case 'value':
      if (value.type === 'boolean') return value.text.trim() === 'true';
      if (temporal.includes(value.type)) return ofTemporal(value.text);
      if (!numeric.includes(value.type)) return value.text;
      return jsonFromNumber(numberFrom(value.text.trim()) ?? 0);
  }
}

const written = (text: string): string => temporalFrom(text.trim())?.toString() ?? text.trim();

/**
 * The cases of a test file as a model's own tests, in JSON. Each asks for the decisions that the file expects a value of, or
 * for its service; numbers are expected to the digit.
 * @throws EngineError `model_invalid` that names line and column
 */
export function testsOfTck(
  xml: string,
  file: string,
): { readonly modelName: string; readonly tests: readonly string[] } {
  const { modelName, tests } = readTestCases(xml);
  return { modelName, tests: tests.map((test) => stringify(modelTestOf(test, file))) };
}

function modelTestOf({ id, service, inputs, results }: TckTest, file: string): Value {
  const values: ValueObject = {};
  for (const { name, expected } of results) if (expected !== undefined) setKey(values, name, tckJson(expected));
  const [only] = Object.values(values);
  const ofService = (name: string): ValueObject => ({ [name]: results.length === 1 ? (only ?? null) : values });
  const input: ValueObject = {};
  for (const [name, value] of inputs) setKey(input, name, tckJson(value));
  return {
    name: `${file}: ${id}`,
    input,
    output: service === undefined ? values : ofService(service),
    select: service === undefined ? Object.keys(values) : [service],
  };
}
