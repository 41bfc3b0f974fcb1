import { clockPattern } from '../../cells/index.js';

export type JsonType = 'number' | 'string' | 'boolean' | 'array' | 'object' | 'null';

/** The types by what JSON Schema calls them. */
const typeNames: ReadonlyMap<unknown, JsonType> = new Map([
  ...(['number', 'string', 'boolean', 'array', 'object', 'null'] as const).map((type) => [type, type] as const),
  ['integer', 'number'],
]);

/** A JSON Schema as far as shapes have one. */
interface ShapeSchema {
  readonly type?: JsonType | readonly JsonType[];
  readonly format?: 'date';
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, ShapeSchema>>;
  readonly items?: ShapeSchema;
}

/** A key of an object; null for the items of a list. */
export type Step = string | null;

/** Bounds of a shape's members and levels: more would tell a reader nothing. */
const maxMembers = 10_000;
const maxLevels = 30;

/** What is known of a value: its types, and those of its members. Grows while it is used. */
export class Shape {
  readonly #types = new Set<JsonType>();
  readonly #properties = new Map<string, Shape>();
  #items: Shape | undefined;
  #isDate = false;
  #isTime = false;
  readonly #level: number;

  constructor(level = 0) {
    this.#level = level;
  }

  get isEmpty(): boolean {
    return this.#types.size === 0;
  }

  /** Adds a type; undefined stands for a value of unknown type. */
  is(type: JsonType | undefined): this {
    if (type !== undefined) this.#types.add(type);
    return this;
  }

  /** Of a text: it is a day. */
  isDate(): this {
    this.#isDate = true;
    return this.is('string');
  }

  /** Of a text: it is a time of day. */
  isTime(): this {
    this.#isTime = true;
    return this.is('string');
  }

  /** The shape at a path from here; shapes on the way become objects and lists. */
  at([step, ...others]: readonly Step[]): Shape {
    if (step === undefined || this.#level >= maxLevels) return this;
    return (step === null ? this.items() : this.property(step)).at(others);
  }

  property(name: string): Shape {
    this.is('object');
    const known = this.#properties.get(name);
    if (known !== undefined) return known;
    const made = new Shape(this.#level + 1);
    if (this.#properties.size < maxMembers) this.#properties.set(name, made);
    return made;
  }

  items(): Shape {
    this.is('array');
    return (this.#items ??= new Shape(this.#level + 1));
  }

  /** Adds what is known of another shape to this one. */
  merge(other: Shape): this {
    if (this.#level > maxLevels) return this;
    for (const type of other.#types) this.is(type);
    this.#isDate ||= other.#isDate;
    this.#isTime ||= other.#isTime;
    for (const [name, shape] of other.#properties) this.property(name).merge(shape);
    if (other.#items !== undefined) this.items().merge(other.#items);
    return this;
  }

  /** Adds what a JSON Schema says of types, properties and items; the rest of it is not followed. */
  addSchema(schema: unknown): this {
    if (this.#level > maxLevels || typeof schema !== 'object' || schema === null) return this;
    const { type, format, pattern, properties, items, anyOf } = schema as Readonly<Record<string, unknown>>;
    for (const name of [type].flat()) this.is(typeNames.get(name));
    this.#isDate ||= format === 'date';
    this.#isTime ||= pattern === clockPattern;
    if (typeof properties === 'object' && properties !== null)
      for (const [name, inner] of Object.entries(properties)) this.property(name).addSchema(inner);
    if (typeof items === 'object' && items !== null) this.items().addSchema(items);
    // The schemas of several request nodes; deeper alternatives would say little.
    if (Array.isArray(anyOf)) for (const each of anyOf) this.addSchema({ ...(each as object), anyOf: undefined });
    return this;
  }

  names(): Iterable<string> {
    return this.#properties.keys();
  }

  has(name: string): boolean {
    return this.#properties.has(name);
  }

  schema(): ShapeSchema {
    const types = [...this.#types].sort();
    const [type] = types;
    const properties = [...this.#properties].map(([name, shape]) => [name, shape.schema()] as const);
    return {
      ...(type === undefined ? {} : { type: types.length === 1 ? type : types }),
      ...(this.#isDate && types.length === 1 ? { format: 'date' } : {}),
      ...(this.#isTime && !this.#isDate && types.length === 1 ? { pattern: clockPattern } : {}),
      // Names are a stranger's: `__proto__` is one like any other here.
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(this.#items === undefined ? {} : { items: this.#items.schema() }),
    };
  }
}
