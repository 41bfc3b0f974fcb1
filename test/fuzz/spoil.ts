import type { Random } from './random.js';
import { oddTexts } from './texts.js';
import { makeJson } from './values.js';

/** The value with something wrong at one random place: another type, an edge passed, a field too many or too few. */
export function spoilValue(random: Random, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null;
  if (!isObject || Object.keys(value).length === 0 || random.oneIn(6)) return spoilHere(random, value);
  if (Array.isArray(value)) {
    const place = random.int(0, value.length - 1);
    return value.map((item: unknown, index) => (index === place ? spoilValue(random, item) : item));
  }
  const fields = Object.entries(value);
  const [name] = random.pick(fields);
  if (random.oneIn(5)) return Object.fromEntries(fields.filter(([field]) => field !== name));
  return Object.fromEntries(fields.map(([field, part]) => [field, field === name ? spoilValue(random, part) : part]));
}

function spoilHere(random: Random, value: unknown): unknown {
  if (random.oneIn(4)) return makeJson(random);
  if (random.oneIn(4)) return [value];
  if (typeof value === 'string') return spoilText(random, value);
  if (typeof value === 'number') return random.pick([value + 0.5, -value - 1, value * 1e12, String(value), null]);
  if (Array.isArray(value)) return Array.from({ length: 21 }, () => (value as unknown[])[0] ?? {});
  if (typeof value === 'object' && value !== null) {
    const name = random.pick(['extra', 'rollout', 'id', 'workspaceId', 'toString', '', 'a/b~c', 'x'.repeat(300)]);
    return { ...value, [name]: makeJson(random) };
  }
  return random.pick([0, 'true', {}, [], null]);
}

function spoilText(random: Random, text: string): unknown {
  return random.pick<unknown>([
    random.pick(oddTexts),
    text.toUpperCase(),
    `${text} `,
    text.slice(1),
    text + text,
    null,
    7,
  ]);
}

/** What a spoilt body text is: not JSON at all, or JSON of another meaning than it had. */
interface SpoiltText {
  readonly bytes: Buffer;
  readonly isJson: boolean;
}

const text = (change: (json: string) => string, isJson = false) => ({
  change: (json: string): Buffer => Buffer.from(change(json)),
  isJson,
});
const nested = (depth: number, json: string): string => '['.repeat(depth) + json + ']'.repeat(depth);

/** Ways to say a body that no serialiser would. Those that are JSON break the schema of every operation. */
const textFaults: readonly { readonly change: (json: string) => Buffer; readonly isJson: boolean }[] = [
  text(() => ''),
  text(() => ' \n'),
  text((json) => json.slice(0, -1)),
  text((json) => `${json}x`),
  text((json) => json + json),
  text((json) => `${json.slice(0, -1)},}`),
  text((json) => json.replaceAll('"', "'") + "'"),
  text((json) => `${json}\u0000`),
  text((json) => nested(80, json)),
  text((json) => nested(40_000, json)),
  text((json) => `{"a":NaN,${json.slice(1)}`),
  text((json) => `{"a":01,${json.slice(1)}`),
  { change: (json) => Buffer.from(`\ufeff${json}`, 'utf16le'), isJson: false },
  {
    change: (json) =>
      Buffer.concat([Buffer.from(json.slice(0, -1) + ',"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    isJson: false,
  },
  { change: () => Buffer.from([0xff, 0xfe, 0x00]), isJson: false },
  text((json) => nested(3, json), true),
  text(() => 'null', true),
  text(() => '[]', true),
  text(() => '"{}"', true),
  text(() => '1e999', true),
  text((json) => `{"__proto__":{"x":1},${json.slice(1)}`, true),
  text((json) => `{"a":1e400,${json.slice(1)}`, true),
];

export function spoilJson(random: Random, json: string): SpoiltText {
  const { change, isJson } = random.pick(textFaults);
  return { bytes: change(json), isJson };
}
