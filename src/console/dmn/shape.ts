/** What a table gives by its hit policy: one value (empty), a list, or a number made of all rules that match; of several outputs objects. */
export function resultShape(hitPolicy: string, outputs: number): '' | 'list' | 'number' | 'object' | 'list of objects' {
  if (hitPolicy.startsWith('COLLECT ')) return 'number';
  const isList = /^(COLLECT|RULE ORDER|OUTPUT ORDER)$/.test(hitPolicy);
  if (outputs > 1) return isList ? 'list of objects' : 'object';
  return isList ? 'list' : '';
}
