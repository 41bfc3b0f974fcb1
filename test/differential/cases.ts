/** An expression or a unary test, whose field is `$` of the data. */
export interface SourceCase {
  readonly kind: 'expression' | 'unary';
  readonly source: string;
  readonly data: unknown;
}

export interface GraphCase {
  readonly kind: 'graph';
  readonly model: unknown;
  readonly fact: unknown;
  /** Models that decision nodes may name. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** Something that both engines can compute. JSON, so that it crosses to the oracle's process as it is. */
export type Case = SourceCase | GraphCase;

/** What an engine made of a case. */
export type Answer =
  | { readonly value: unknown }
  | { readonly failed: string }
  /** The oracle's process died, or did not answer in time. */
  | { readonly died: string };

export function describeAnswer(answer: Answer): string {
  if ('value' in answer) return JSON.stringify(answer.value);
  return 'failed' in answer ? `failed: ${answer.failed}` : `died: ${answer.died}`;
}

export function describeCase(subject: Case): string {
  if (isGraph(subject)) {
    const { model, fact, others } = subject;
    return `graph ${JSON.stringify(model)}\n    fact ${JSON.stringify(fact)}\n    others ${JSON.stringify(others)}`;
  }
  return `${subject.kind} ${subject.source}\n    data ${JSON.stringify(subject.data)}`;
}

export function isGraph(subject: Case): subject is GraphCase {
  return subject.kind === 'graph';
}
