import { Problem, type Violation } from '../../errors.js';

/** `validation_failed`, with what is wrong in one or several places of a request. */
export function broken(errors: readonly Violation[]): Problem {
  const locations = [...new Set(errors.map(({ in: location }) => `the ${location}`))].join(' and ');
  const [verb, whose] = locations.includes(' and ') ? ['break', 'their schemas'] : ['breaks', 'its schema'];
  return new Problem('validation_failed', `T${locations.slice(1)} ${verb} ${whose}.`, { errors });
}
