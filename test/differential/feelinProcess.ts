import { evaluate } from 'feelin';
import type { Answer, SourceCase } from './cases.js';

// The process of feelin: one expression in, one answer out. What it reads of strangers' text stays away from the tests.

process.on('message', ({ source, data }: SourceCase) => process.send?.(answerTo(source, data)));
process.on('disconnect', () => process.exit());

function answerTo(source: string, data: unknown): Answer {
  try {
    const { value } = evaluate(source, data as Record<string, unknown>) as { value: unknown };
    return { value: JSON.parse(JSON.stringify(value ?? null)) as unknown };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
