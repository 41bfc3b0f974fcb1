import type { SyntaxNode } from '@lezer/common';
import type { Footprint } from '../../footprint.js';
import type { Limits } from '../../limits.js';
import { Frame, type Code } from '../frame.js';
import type { FeelParser } from '../parse.js';
import type { Place, Site } from '../feelRun.js';
import { normalName, type Scope } from '../scope.js';
import type { FeelFunction, FeelType } from '../values/value.js';

/** What is wrong with an expression. */
export interface Fault {
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
}

/** Compiles one kind of node. */
export type NodeCompiler = (node: SyntaxNode, context: Context) => Code;

/** One expression while it is compiled. */
export class Context {
  readonly unit: Unit;
  readonly place: Place;
  readonly scope: Scope;
  /** Compiles a node of any kind. */
  readonly dispatch: NodeCompiler;

  constructor(unit: Unit, place: Place, scope: Scope, dispatch: NodeCompiler) {
    this.unit = unit;
    this.place = place;
    this.scope = scope;
    this.dispatch = dispatch;
  }

  compile(node: SyntaxNode): Code {
    return this.dispatch(node, this);
  }

  /** The same with the names of another scope. */
  inside(scope: Scope): Context {
    return new Context(this.unit, this.place, scope, this.dispatch);
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

  /** An expression that is always null, and says why, when it is compiled and when it is reached. */
  fault(node: { from: number; to: number }, message: string, code: Fault['code'] = 'syntax_error'): Code {
    const site = this.site(node);
    this.unit.report({ code, message, site });
    return ({ run }) => run.warn(site, message);
  }
}

/** A frame within another one. */
export const within = (frame: Frame, values: Frame['values']): Frame => new Frame(frame.run, frame, values);
