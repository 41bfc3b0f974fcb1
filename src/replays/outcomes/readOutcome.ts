import { formatJson, losesDigits, parseExactly } from '../../../workers/json/index.js';
import { createFinder } from '../../api/validate.js';
import { Problem, type Violation } from '../../errors.js';
import { parseTimestamp } from '../../formats.js';
import type { ReadText } from '../../http/body/jsonText.js';
import { Outcome } from './outcomes.schema.js';
import type { ReportedOutcome } from './outcomes.store.js';

/** Of one outcome, as it is sent. */
export const maxOutcomeBytes = 8192;

export type ReadOutcome = ReportedOutcome | { readonly violations: readonly Violation[] };

/** Clocks differ. What lies further ahead is a mistake, and as the latest value it would outweigh all that is told until then. */
const clockToleranceMs = 5 * 60_000;

const find = createFinder(Outcome, 'body');

/** Reads an outcome, and says what is wrong with it. @param owner whose it is */
export async function readOutcome(bytes: Buffer, readText: ReadText, owner: string): Promise<ReadOutcome> {
  if (bytes.length > maxOutcomeBytes) return tooLong;
  try {
    const { value, text, large } = await readText(bytes, owner, 'closed');
    const violations = find(value, large);
    return violations.length > 0 ? { violations } : toldOf(value as Outcome, text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.options.errors === undefined ? faulty('', error.message) : { violations: error.options.errors };
  }
}

function toldOf(outcome: Outcome, text: string): ReadOutcome {
  const { reference, executionId, name, at } = outcome;
  if ((reference === undefined) === (executionId === undefined)) {
    return faulty('', 'must have either reference or executionId');
  }
  const time = at === undefined ? undefined : parseTimestamp(at);
  if (time !== undefined && time.getTime() < 0) return faulty('/at', 'must be 1970-01-01 or later');
  const latest = new Date(Date.now() + clockToleranceMs);
  if (time !== undefined && time > latest)
    return faulty('/at', `must not be in the future: ${latest.toISOString()} at most`);
  const { value } = losesDigits(text) ? (parseExactly(text) as { value: unknown }) : outcome;
  return {
    subject: reference === undefined ? { executionId: executionId?.toLowerCase() ?? '' } : { reference },
    name: name.trim(),
    value: formatJson(value),
    at: time,
  };
}

const faulty = (pointer: string, message: string): ReadOutcome => ({ violations: [{ in: 'body', pointer, message }] });

export const tooLong = faulty('', `must have at most ${maxOutcomeBytes} bytes`);
