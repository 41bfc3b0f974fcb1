import type { SyntaxNode } from '@lezer/common';
import type { Footprint } from '../../footprint.js';
import type { Limits } from '../../limits.js';
import type { RunState } from '../../values.js';
import { Frame, type Code } from '../frame.js';
import type { FeelParser } from '../parse.js';
import type { Place, Site } from '../feelRun.js';
import { normalName, type Scope } from '../scope.js';
import { kindOf, type Feel, type FeelFunction, type FeelType } from '../values/value.js';
import { adviceFor, exampleOf, type Advice, type Cell } from '../hints.js';
import { knownOf, textsOf, type Known } from './known.js';

/** What is wrong with an expression. */
export interface Fault extends Partial<Advice> {
  readonly code: 'syntax_error' | 'unknown_function' | 'unknown_name' | 'type_error';
  readonly message: string;
  readonly site: Site;
  readonly severity?: 'warning';
}

/** What all expressions of a document are compiled with. */
export interface Unit {
  readonly limits: Limits;
  readonly footprint: Footprint;
  readonly parser: FeelParser;
  readonly builtins: ReadonlyMap<string, FeelFunction>;
  /** A type by the name of an item definition. */
  readonly typeNamed: (name: string) => FeelType | undefined;
  readonly report: (fault: Fault) => void;
  /** Pays for all that is tried while the document is compiled, so that a hostile one ends. */
  readonly dry: RunState;
  /** How many more letters of names are compared with those of unknown ones. */
  readonly guesses: { letters: number };
}

/** Compiles one kind of node. */
export type NodeCompiler = (node: SyntaxNode, context: Context) => Code;

/** What all parts of one expression share. */
interface Whole {
  /** It is a cell of a table, in a column of that type. */
  readonly column: { readonly type: FeelType; readonly isTest: boolean } | undefined;
  /** What is known of its parts before it runs. */
  readonly known: Map<Code, Known>;
  /** Its parts with faults. */
  readonly faults: Site[];
}

/** One expression while it is compiled. */
export class Context {
  readonly unit: Unit;
  readonly place: Place;
  readonly scope: Scope;
  /** Compiles a node of any kind. */
  readonly dispatch: NodeCompiler;
  readonly #whole: Whole;

  constructor(unit: Unit, place: Place, scope: Scope, dispatch: NodeCompiler, whole: Partial<Whole> = {}) {
    this.unit = unit;
    this.place = place;
    this.scope = scope;
    this.dispatch = dispatch;
    this.#whole = { column: undefined, known: new Map(), faults: [], ...whole };
  }

  compile(node: SyntaxNode): Code {
    return this.dispatch(node, this);
  }

  /** The same with the names of another scope. */
  inside(scope: Scope): Context {
    return new Context(this.unit, this.place, scope, this.dispatch, this.#whole);
  }

  /** A part that has always that value. */
  constant(value: Feel): Code {
    return this.ofKind(() => value, { kind: kindOf(value), value });
  }

  /** A part of which something is known before it runs. */
  ofKind(code: Code, known: Known | undefined): Code {
    if (known !== undefined) this.#whole.known.set(code, known);
    return code;
  }

  known(code: Code): Known | undefined {
    return this.#whole.known.get(code);
  }

  text({ from, to }: { from: number; to: number }): string {
    return this.place.source.slice(from, to);
  }

  /** The name that a node writes, in its one form. */
  nameIn(node: SyntaxNode): string {
    return normalName(this.text(node).replace(/\s+/g, ' '));
  }

  site({ from, to }: { from: number; to: number }): Site {
    return { place: this.place, from, to };
  }

  /**
   * An expression that is always null, and says why, when it is compiled and when it is reached.
   * @param otherwise what to do about it, where nothing better can be read from the expression
   */
  fault(
    node: { from: number; to: number },
    message: string,
    code: Fault['code'] = 'syntax_error',
    otherwise = 'What FEEL knows stands in the guide at `/docs/dmn`.',
  ): Code {
    const site = this.site(node);
    this.#whole.faults.push(site);
    this.unit.report({ code, message, site, ...this.#advice({ hint: otherwise }) });
    return ({ run }) => run.warn(site, message);
  }

  /** Tells of a part that is FEEL, but never what its author can mean. @param otherwise as for `fault` */
  doubt(node: { from: number; to: number }, message: string, otherwise: Advice = { hint: this.example }): void {
    // What is odd about a part with a fault follows from that.
    if (this.#whole.faults.some(({ from, to }) => from >= node.from && to <= node.to)) return;
    const advice = this.#advice(otherwise);
    this.unit.report({ code: 'type_error', severity: 'warning', message, site: this.site(node), ...advice });
  }

  /** How a value of the column is written. */
  get example(): string {
    const cell = this.#cell;
    return (cell && exampleOf(cell)) ?? 'Compare values of one kind: `number("5")` is the number of a text.';
  }

  /** What a cell that is nothing but this part is meant as, where its column has a kind. */
  meantBy(node: SyntaxNode): Advice | undefined {
    const cell = this.#cell;
    if (cell?.kind === undefined || this.text(node) !== this.place.source.trim()) return undefined;
    const advice = this.#advice({ hint: '' });
    return advice.hint === '' ? undefined : advice;
  }

  #advice(otherwise: Advice): Advice {
    return adviceFor(this.place.source, this.#cell, otherwise);
  }

  get #cell(): Cell | undefined {
    const { column } = this.#whole;
    return column && { isTest: column.isTest, kind: knownOf(column.type)?.kind, values: textsOf(column.type) };
  }
}

/** A frame within another one. */
export const within = (frame: Frame, values: Frame['values']): Frame => new Frame(frame.run, frame, values);
