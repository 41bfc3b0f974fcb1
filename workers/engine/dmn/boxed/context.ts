import {
  compileExpression,
  held,
  type Code,
  type FeelType,
  type Place,
  type Scope,
  type Site,
  type Unit,
  type ValueCell,
} from '../../feel/index.js';
import { isFeel } from '../definitions.js';
import { typesHint } from '../items.js';
import type { TypeNamed } from '../items.js';
import { textWithin, type Element } from '../element.js';

/** The element of the requirements graph that an expression belongs to. */
interface Owner {
  readonly id: string;
  readonly name: string;
  /** Of expressions that name none themselves; empty for FEEL. */
  readonly language: string;
  /** Of its value, as its variable declares it. */
  readonly type: FeelType;
  /** Is told of each decision table (`CompiledTable`), for whoever proves something of them. */
  readonly onTable?: ((table: unknown) => void) | undefined;
  readonly typeNamed: TypeNamed;
  /** What cells call the value of their input, beside `?`, where it names nothing itself. */
  readonly cellName: string | undefined;
  /** Compiles an expression of any kind. */
  readonly dispatch: BoxedCompiler;
}

/** Compiles one kind of boxed expression. */
export type BoxedCompiler = (element: Element, context: BoxedContext) => Code;

/** A boxed expression while it is compiled. */
export class BoxedContext {
  readonly unit: Unit;
  readonly owner: Owner;
  readonly scope: Scope;
  /** The expression is all of its owner's logic: what it does is shown in the owner's trace. */
  readonly isWhole: boolean;

  constructor(unit: Unit, owner: Owner, scope: Scope, isWhole = false) {
    this.unit = unit;
    this.owner = owner;
    this.scope = scope;
    this.isWhole = isWhole;
  }

  /** An expression within this one. */
  compile(element: Element): Code {
    return this.owner.dispatch(element, this.isWhole ? this.inside(this.scope) : this);
  }

  /** @param isWhole for the body of a business knowledge model's function */
  inside(scope: Scope, isWhole = false): BoxedContext {
    return new BoxedContext(this.unit, this.owner, scope, isWhole);
  }

  /**
   * An entry of this expression: the owner's trace shows its value where the expression is all of the owner's logic.
   * @param isOneOfMany it runs once for each item of a list
   */
  noted(name: string, code: Code, isOneOfMany = false): Code {
    if (!this.isWhole) return code;
    return (frame) => {
      const value = code(frame);
      frame.run.note?.(name, value, isOneOfMany);
      return value;
    };
  }

  place(element: Element, source = textWithin(element) ?? ''): Place {
    const { id, name } = this.owner;
    return { nodeId: id, node: name, pointer: element.pointer, source };
  }

  site(element: Element): Site {
    const place = this.place(element);
    return { place, from: 0, to: place.source.length };
  }

  /** The text of an element, an expression of FEEL. */
  expression(element: Element, cell?: ValueCell): Code {
    return this.foreign(element) ?? compileExpression(this.place(element), this.scope, this.unit, cell);
  }

  /** What is written in another language than FEEL, which is always null; undefined for what is FEEL. */
  foreign(element: Element): Code | undefined {
    const language = element.attributes['expressionLanguage'] ?? this.owner.language;
    if (language === '' || isFeel(language)) return undefined;
    const hint = 'Write it in FEEL, and leave the attribute `expressionLanguage` out.';
    return this.fault(element, `Expressions of \`${language}\` are not run here.`, 'syntax_error', hint);
  }

  /** The type of an attribute; one that there is not is reported, and counts as any. */
  type(name: string | undefined, element: Element): FeelType | undefined {
    if (name === undefined || name === '') return undefined;
    const found = this.owner.typeNamed(name);
    if (found === undefined) this.fault(element, `There is no type "${name}".`, 'unknown_name', typesHint);
    return found;
  }

  /** An expression that is always null, and says why, when it is compiled and when it is reached. */
  fault(
    element: Element,
    message: string,
    code: 'syntax_error' | 'unknown_name' | 'type_error' = 'syntax_error',
    hint = 'Mend it in your modeler, and bring the document in again.',
  ): Code {
    const site = this.site(element);
    this.unit.report({ code, message, site, hint });
    return ({ run }) => run.warn(site, message);
  }

  /** Holds a value to a type: one that is not of it becomes null. */
  typed(code: Code, type: FeelType | undefined, element: Element, what: string): Code {
    if (type === undefined || type.kind === 'any') return code;
    const site = this.site(element);
    return (frame) => held(code(frame), type, frame.run, { site, what });
  }
}
