import { InvalidArgumentError } from '../params.js';
import { countsOfReport, parseBound, possibleReports } from '../../replays/bound.js';
import type { Report } from './report.js';

/** A bound that a report must keep, such as `changed > 0.5%`, which it breaks where that is so. */
export interface Gate {
  readonly text: string;
  readonly isBroken: (report: Report) => boolean;
}

/** Reads a bound. @throws InvalidArgumentError */
export function parseGate(text: string): Gate {
  const holds = parseBound(text);
  if (holds !== undefined) {
    // As the checks of change requests judge it, or a version that is refused there would pass a pipeline.
    return { text: text.trim(), isBroken: (report) => possibleReports(report).some(holds) };
  }
  throw new InvalidArgumentError(
    `It must be a bound such as 'changed > 0.5%' or 'newlyFailed > 0', of one of: ${countsOfReport.join(', ')}.`,
  );
}
