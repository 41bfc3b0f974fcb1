/** A request that is wrong all over is told so many of its faults. */
export const maxViolations = 50;

/** Characters. The answer must not grow with what a client chose for a name. */
const longestName = 100;

/** A name as a step of a JSON Pointer (RFC 6901), cut where it is long. */
export function pointerStep(name: string): string {
  const shown = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  return `/${shown.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
