import type { Decision } from '../../decisions/routes/decisions.schema.js';
import { operations } from '#openapi/operations.gen.js';
import { UnreadableAnswer, type Service } from './service.js';

const atOnce = 8;

/**
 * Reads the working copies of decisions, some at once; `take` is called for each as it comes, in no particular order.
 * @param takeUnreadable called for each decision whose stored content is no JSON; without it such a decision is refused
 */
export async function eachWorkingCopy(
  service: Service,
  decisions: readonly Decision[],
  take: (decision: Decision, content: unknown) => void,
  takeUnreadable?: (decision: Decision) => void,
): Promise<void> {
  const left = [...decisions].reverse();
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      try {
        const { body } = await service.send(operations.getVersion, { params: { id: next.id, version: 0 } });
        take(next, body.content);
      } catch (error) {
        if (!(error instanceof UnreadableAnswer) || takeUnreadable === undefined) throw error;
        takeUnreadable(next);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
