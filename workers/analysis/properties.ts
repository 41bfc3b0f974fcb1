import { isRecord } from '../json/index.js';
import { compileExpression, EngineError, type Expression, type Value, type ValueObject } from '../engine/index.js';
import { walk, type Node } from '../engine/zen/ast.js';
import { runAlone, scopeAlone } from '../engine/zen/budget.js';
import { parseStandard } from '../engine/zen/parser/index.js';
import { Decimal } from '../engine/zen/values/decimal.js';
import { replaceLeaves } from '../engine/zen/values/json.js';
import { pathOf } from './paths.js';
import type { Property, ReportedProperty, Witness } from './report.js';

/** A property that parses. */
export interface CheckedProperty {
  readonly name: string;
  readonly source: string;
  readonly tree: Node;
  /** The fields of the fact that it reads. */
  readonly paths: readonly (readonly string[])[];
  /** Whether a fact and its result agree with it. What is neither true nor false, and what fails, is not true. */
  readonly holds: (fact: Value, result: Value) => boolean;
}

/** A property that does not parse. */
export interface PropertyFault {
  /** JSON Pointer to it among the properties: `/2/never`. */
  readonly pointer: string;
  readonly message: string;
}

/** Steps of one property for one fact. */
const maxSteps = 1_000_000;
/** Milliseconds of the same. */
const maxMs = 100;

/** @param properties what a request has, of any shape */
export function compileProperties(properties: unknown): {
  readonly checked: CheckedProperty[];
  readonly faults: PropertyFault[];
} {
  const checked: CheckedProperty[] = [];
  const faults: PropertyFault[] = [];
  (Array.isArray(properties) ? properties : []).forEach((property: unknown, index) => {
    if (!isProperty(property)) {
      faults.push({ pointer: `/${index}`, message: 'needs `name`, and either `never` or `always`' });
      return;
    }
    try {
      checked.push(compiled(property));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const member = 'never' in property ? 'never' : 'always';
      const source = 'never' in property ? property.never : property.always;
      faults.push({ pointer: `/${index}/${member}`, message: `${error.message}${bracketsFor(source)}` });
    }
  });
  return { checked, faults };
}

/** A member of the fact or the result by a name that is no word of ZEN, in quotes or as it is. */
const oddMember =
  /\b((?:fact|result)(?:\.[A-Za-z_$][\w$]*)*)\.\s*(?:'([^'\n]{1,100})'|"([^"\n]{1,100})"|([\p{L}_$][\p{L}\p{N}_$]*(?: (?!(?:and|or|in|not)\b)[\p{L}\p{N}_$]+)*))/gu;

/** How such a name is written, where a faulty property has one. */
function bracketsFor(source: string): string {
  for (const [, object = '', ...names] of source.matchAll(oddMember)) {
    const [single, double, bare = ''] = names;
    const name = single ?? double ?? bare;
    if (single !== undefined || double !== undefined || !/^[\w$]+$/.test(name))
      return `; a name with blanks or other letters stands in brackets: \`${object}[${name.includes("'") ? `"${name}"` : `'${name}'`}]\``;
  }
  return '';
}

function isProperty(property: unknown): property is Property {
  if (!isRecord(property) || typeof property['name'] !== 'string') return false;
  const sources = ['never', 'always'].filter((member) => property[member] !== undefined);
  return sources.length === 1 && sources.every((member) => typeof property[member] === 'string');
}

function compiled(property: Property): CheckedProperty {
  const wanted = 'always' in property;
  const source = 'always' in property ? property.always : property.never;
  const tree = parseStandard(source);
  const expression = compileExpression(source);
  const paths: (readonly string[])[] = [];
  walk(tree, (node) => {
    const [root, ...path] = pathOf(node) ?? [];
    if (root === 'fact' && path.length > 0) paths.push(path);
  });
  const longest = paths.filter(
    (path) => !paths.some((other) => other.length > path.length && path.every((key, index) => key === other[index])),
  );
  const holds = (fact: Value, result: Value): boolean => isTrue(expression, { fact, result }) === wanted;
  return { name: property.name, source, tree, paths: longest, holds };
}

function isTrue(expression: Expression, data: ValueObject): boolean {
  const run = runAlone(maxSteps, performance.now() + maxMs);
  try {
    return expression(scopeAlone(data, run)) === true;
  } catch (error) {
    // What a property says is known only where it could be asked.
    if (error instanceof EngineError && !error.code.startsWith('limit') && error.code !== 'timeout') return false;
    throw error;
  }
}

/** A result as callers see it: JSON, with all digits of its numbers. */
export const resultValue = (value: Value): Value =>
  replaceLeaves(value, (leaf) => (leaf instanceof Decimal ? leaf : leaf.toJSON()));

/** Looks among the facts of a search for those that refute properties. */
export class PropertySearch {
  readonly #open: Set<CheckedProperty>;
  readonly #witnesses = new Map<CheckedProperty, Witness>();

  constructor(properties: readonly CheckedProperty[]) {
    this.#open = new Set(properties);
  }

  look(fact: ValueObject, result: Value): void {
    if (this.#open.size === 0) return;
    const seen = resultValue(result);
    for (const property of this.#open) {
      try {
        if (property.holds(fact, seen)) continue;
        this.#witnesses.set(property, witnessOf(fact, seen));
      } catch (error) {
        // It takes too long: no further fact is tried.
        if (!(error instanceof EngineError)) throw error;
      }
      this.#open.delete(property);
    }
  }

  refutation(property: CheckedProperty): ReportedProperty | undefined {
    const witness = this.#witnesses.get(property);
    return witness && { name: property.name, status: 'refuted', witness, reason: null };
  }
}

export const witnessOf = (fact: Value, result: Value): Witness => ({ fact, input: fact, result });
