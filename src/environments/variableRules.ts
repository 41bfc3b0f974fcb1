/** Names as programs' environments have them. */
export const variableName = '^[A-Za-z_][A-Za-z0-9_]{0,127}$';

const pattern = new RegExp(variableName);

export const isVariableName = (name: string): boolean => pattern.test(name);

/** Largest value as JSON text, in characters; all variables go to every worker thread. */
export const maxValueLength = 64 * 1024;
