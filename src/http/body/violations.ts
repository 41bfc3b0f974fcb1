import { Problem, type Violation } from '../../errors.js';

/** Most faults of one request that are reported. */
export const maxViolations = 50;

/** Most characters of a name that are shown, so that the response does not grow with what a client sent. */
const longestName = 100;

/** A name as a step of a JSON Pointer (RFC 6901), cut where it is long. */
export function pointerStep(name: string): string {
  const shown = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  return `/${shown.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** `validation_failed`, with what is wrong in one or several places of a request. */
export function broken(errors: readonly Violation[]): Problem {
  const locations = [...new Set(errors.map(({ in: location }) => `the ${location}`))].join(' and ');
  const [verb, whose] = locations.includes(' and ') ? ['break', 'their schemas'] : ['breaks', 'its schema'];
  return new Problem('validation_failed', `T${locations.slice(1)} ${verb} ${whose}.`, { errors });
}
