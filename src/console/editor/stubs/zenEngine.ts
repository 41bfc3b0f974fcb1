/**
 * In place of the other engine's WASM, by which the editor would complete and check expressions as that engine sees them.
 * Hints and faults come from the service. It never becomes ready, so that the editor does without it; what is used all the
 * same knows nothing.
 */
export default (): Promise<never> => new Promise(() => undefined);

export const isReady = (): boolean => false;

export class VariableType {
  static fromJson = (): VariableType => new VariableType();
  static fromIncoming = (): VariableType => new VariableType();
  static fromVariable = (): VariableType => new VariableType();
  clone = (): this => this;
  toJson = (): string => 'Any';
  get = (): this => this;
  set = (): void => undefined;
  merge = (): this => this;
  calculateType = (): this => this;
  calculateUnaryType = (): this => this;
  typeCheck = (): readonly never[] => [];
  typeCheckUnary = (): readonly never[] => [];
  toArray = (): this => this;
  itemType = (): undefined => undefined;
  equal = (): boolean => true;
  satisfies = (): boolean => true;
  hash = (): string => '';
  free = (): void => undefined;
}

export class Variable {
  cloneWith = (): this => this;
  evaluateExpression = (): null => null;
  evaluateUnaryExpression = (): null => null;
  toJson = (): null => null;
  free = (): void => undefined;
}

export class ExpressionBuilder {
  static parseUnary = (): ExpressionBuilder => new ExpressionBuilder();
  static fromJson = (): ExpressionBuilder => new ExpressionBuilder();
  toJson = (): null => null;
  toString = (): string => '';
  free = (): void => undefined;
}

export const createVariableType = (): VariableType => new VariableType();
export const getCompletions = (): readonly never[] => [];
export const validateExpression = (): null => null;
export const validateUnaryExpression = (): null => null;
export const parseStandardExpression = (): { readonly kind: 'expression' } => ({ kind: 'expression' });
