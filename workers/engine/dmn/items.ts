import {
  anyType,
  builtinType,
  compileUnaryTests,
  Frame,
  normalName,
  testScope,
  type FeelType,
  type Test,
  type Unit,
} from '../feel/index.js';
import { isFeel, type Definitions } from './definitions.js';
import { childOf, childrenOf, textWithin, type Element } from './element.js';

/** A type by the name that an attribute has; undefined where there is none. */
export type TypeNamed = (name: string) => FeelType | undefined;

/** What to do where a type is named that there is not. */
export const typesHint =
  'Define it as an item definition, or name one of FEEL: number, string, boolean, date, time, date and time, ' +
  'days and time duration, years and months duration, Any.';

/** Item definitions that are names of one another. */
const deepestAlias = 40;

/** Types of Camunda 7, beside those of the language. */
const camundaNumbers = new Set(['integer', 'long', 'double']);

/** The types of a document: its item definitions, those of its imports, and the language's own. */
export class ItemTypes {
  readonly #types = new Map<string, FeelType>();
  readonly #definitions: Definitions;
  readonly #imported: ReadonlyMap<string, ItemTypes>;
  readonly #names: ReadonlySet<string | undefined>;

  /** @param imported by the name of the import */
  constructor(definitions: Definitions, imported: ReadonlyMap<string, ItemTypes>) {
    this.#definitions = definitions;
    this.#names = new Set(definitions.items.map(({ attributes }) => attributes['name']));
    this.#imported = imported;
  }

  /** Compiles the item definitions; types that name one another are found when they are used. */
  compile(unit: Unit): void {
    for (const item of this.#definitions.items) {
      const { name = '' } = item.attributes;
      const made = this.#typeOf(item, unit, name);
      this.#types.set(normalName(name), { kind: 'named', name, target: () => made });
    }
    for (const item of this.#definitions.items) {
      this.#breakCircle(item, unit);
      this.#tellUnknown(item, unit, item.attributes['name'] ?? '');
    }
  }

  /** Tells of types that item definitions and their components name, and that there are not: they count as any. */
  #tellUnknown(item: Element, unit: Unit, name: string, id = item.attributes['id'] ?? item.pointer): void {
    const typeRef = typeRefOf(item) ?? '';
    const components = childrenOf(item, 'itemComponent');
    if (components.length === 0 && typeRef !== '' && this.ofAttribute(typeRef) === undefined) {
      const place = { nodeId: id, node: name, pointer: item.pointer, source: '' };
      const site = { place, from: 0, to: 0 };
      unit.report({ code: 'unknown_name', message: `There is no type "${typeRef}".`, site, hint: typesHint });
    }
    for (const each of components) this.#tellUnknown(each, unit, `${name}.${each.attributes['name'] ?? ''}`, id);
  }

  /** An item definition that is another name of itself has no values: it counts as any type. */
  #breakCircle(item: Element, unit: Unit): void {
    const { name = '', id } = item.attributes;
    let type = this.#types.get(normalName(name)) ?? anyType;
    for (let level = 0; type.kind === 'named' || type.kind === 'constrained'; level++) {
      if (level > deepestAlias) {
        const place = { nodeId: id ?? item.pointer, node: name, pointer: item.pointer, source: '' };
        const message = `The type "${name}" is defined by itself.`;
        const hint = 'Let one of the definitions name a type of FEEL, such as number.';
        unit.report({ code: 'type_error', message, hint, site: { place, from: 0, to: 0 } });
        this.#types.set(normalName(name), anyType);
        return;
      }
      type = type.kind === 'named' ? type.target() : type.base;
    }
  }

  named(name: string): FeelType | undefined {
    const found = this.#types.get(normalName(name));
    if (found !== undefined) return found;
    const mark = name.search(/[.:]/);
    if (mark === -1) return builtinType(name) ?? this.#imported.get('')?.named(name);
    const prefix = name.slice(0, mark).trim();
    const rest = name.slice(mark + 1).trim();
    const uri = this.#definitions.prefixes.get(prefix);
    if (uri !== undefined && isFeel(uri)) return builtinType(rest);
    if (uri === this.#definitions.namespace) return this.named(rest);
    const importName = this.#definitions.imports.find(({ namespace }) => namespace === uri)?.name ?? prefix;
    return this.#imported.get(importName)?.named(rest) ?? (prefix === 'feel' ? builtinType(rest) : undefined);
  }

  /** The type that an attribute of the document names: Camunda's modelers write kinds of numbers there. */
  ofAttribute(name: string): FeelType | undefined {
    return this.named(name) ?? (camundaNumbers.has(name) ? builtinType('number') : undefined);
  }

  #typeOf(item: Element, unit: Unit, name: string): FeelType {
    const place = (element: Element): Parameters<typeof compileUnaryTests>[0] => ({
      nodeId: item.attributes['id'] ?? item.pointer,
      node: name,
      pointer: element.pointer,
      source: textWithin(element) ?? '',
    });
    const held = (base: FeelType, element: Element | undefined): FeelType => {
      if (element === undefined) return base;
      const { source } = place(element);
      if (source.trim() === '') return base;
      const test = compileUnaryTests(place(element), testScope(null, base), unit);
      return constrained(base, source.trim(), test);
    };
    // Both are true of XML Schema.
    const isCollection = ['true', '1'].includes(item.attributes['isCollection']?.trim() ?? '');
    const one = held(this.#baseOf(item, unit, name), childOf(item, 'allowedValues'));
    const whole: FeelType = isCollection ? { kind: 'list', item: one } : one;
    return held(whole, childOf(item, 'typeConstraint'));
  }

  #baseOf(item: Element, unit: Unit, name: string): FeelType {
    const components = childrenOf(item, 'itemComponent');
    if (components.length > 0) {
      const members = components.map((each) => {
        const { name: own = '' } = each.attributes;
        return [own, this.#typeOf(each, unit, `${name}.${own}`)] as const;
      });
      return { kind: 'context', members: new Map(members) };
    }
    const functionItem = childOf(item, 'functionItem');
    if (functionItem !== undefined) {
      return {
        kind: 'function',
        parameters: childrenOf(functionItem, 'parameters').map((each) => this.#lazily(each.attributes['typeRef'])),
        result: this.#lazily(functionItem.attributes['outputTypeRef']),
      };
    }
    return this.#lazily(typeRefOf(item));
  }

  /** A type that may be defined further down. */
  #lazily(name: string | undefined): FeelType {
    if (name === undefined || name === '') return anyType;
    const builtin = this.#names.has(name) ? undefined : this.ofAttribute(name);
    return builtin ?? { kind: 'named', name, target: () => this.named(name) ?? anyType };
  }
}

/** A type whose values pass a test, as it is written. */
export const constrained = (base: FeelType, text: string, test: Test): FeelType => ({
  ...{ kind: 'constrained', base, text },
  allows(value, run) {
    const frame = new Frame(run, null, []);
    // A list is held to the constraint as a whole where that speaks of `?`, and by its items elsewhere.
    return test(value, frame) === true;
  },
});

/** DMN 1.1 has it as an attribute of expressions and as an element of item definitions; so have all others. */
export const typeRefOf = (element: Element): string | undefined =>
  element.attributes['typeRef'] ?? childOf(element, 'typeRef')?.text.trim();
