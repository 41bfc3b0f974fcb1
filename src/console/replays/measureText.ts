/** To so many digits that a sum of money is whole to the cent, and what a computer adds wrongly far behind the point is not told. */
export const measureText = (value: number | null): string =>
  value === null ? 'nothing' : String(Number(Math.abs(value) < 1e6 ? value.toPrecision(8) : value.toFixed(2)));
