/** A number with its point moved to the right, or to the left, with all its digits. */
export function shifted(number: string, places: number): string {
  if (places === 0) return number;
  const [whole = '', fraction = ''] = number.split('.');
  const point = whole.length + places;
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`.padEnd(Math.max(point, 0), '0');
  const at = Math.max(point, 1);
  const before = digits.slice(0, at).replace(/^0+(?=\d)/, '');
  const after = digits.slice(at).replace(/0+$/, '');
  return after === '' ? before : `${before}.${after}`;
}
