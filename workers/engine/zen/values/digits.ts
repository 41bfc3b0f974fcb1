/** `-12.50e3` as `-125e2`: the same text for the same number. */
export function normalized(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start++;
  if (start === end) return '0';
  while (digits[end - 1] === '0') end--;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${number.startsWith('-') ? '-' : ''}${digits.slice(start, end)}e${power}`;
}
