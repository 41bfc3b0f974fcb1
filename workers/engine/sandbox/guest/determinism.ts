/** The run's clock and randomness in place of the machine's: a memory image would repeat the same random numbers. */

/** Makes `Date` read the host's clock, which tests freeze. */
export function clock(now: () => number): void {
  const NativeDate = Date;
  const { construct } = Reflect;
  function PatchedDate(...parts: unknown[]): unknown {
    // TypeScript takes every function that uses it for a constructor; this one is called both ways, as Date is.
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
    if (new.target === undefined) return new NativeDate(now()).toString();
    return construct(NativeDate, parts.length === 0 ? [now()] : parts, new.target);
  }
  const define = Object.defineProperty;
  define(PatchedDate, 'name', { value: 'Date', configurable: true });
  define(PatchedDate, 'length', { value: 7, configurable: true });
  define(PatchedDate, 'prototype', { value: NativeDate.prototype, writable: false });
  define(NativeDate.prototype, 'constructor', { value: PatchedDate, writable: true, configurable: true });
  const statics = { now, parse: NativeDate.parse.bind(NativeDate), UTC: NativeDate.UTC.bind(NativeDate) };
  for (const [name, value] of Object.entries(statics)) {
    define(PatchedDate, name, { value, writable: true, configurable: true });
  }
  define(globalThis, 'Date', { value: PatchedDate, writable: true, configurable: true });
}

/** Makes `Math.random` draw from the run. */
export function random(draw: () => number): void {
  Object.defineProperty(Math, 'random', { value: () => draw(), writable: true, configurable: true });
}
