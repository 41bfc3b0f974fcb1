import { ZenDecisionContent, ZenEngine, type ZenDecision } from '@gorules/zen-engine';
import type { PackageTimes, Subject } from './package.js';

// The package in a process of its own, because it may die: one subject in, its times out.

/** Calls at once where many are in flight. */
const inFlight = 32;

process.on('message', (subject: Subject) => {
  void measure(subject).then(
    (times) => process.send?.(times),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function measure({ model, facts, milliseconds }: Subject): Promise<PackageTimes> {
  const engine = new ZenEngine();
  const started = performance.now();
  const decision = engine.createDecision(new ZenDecisionContent(model as object));
  const compileMs = performance.now() - started;
  await together(decision, facts, { inFlight: inFlight, trace: false, milliseconds: milliseconds / 4 });
  const alone = await together(decision, facts, { inFlight: 1, trace: false, milliseconds });
  const crowd = await together(decision, facts, { inFlight: inFlight, trace: false, milliseconds });
  const traced = await together(decision, facts, { inFlight: inFlight, trace: true, milliseconds });
  engine.dispose();
  return { compileMs, alone, crowd, traced };
}

interface Load {
  readonly inFlight: number;
  readonly trace: boolean;
  readonly milliseconds: number;
}

/** Microseconds for each run, with `inFlight` calls in flight all the time. */
async function together(
  decision: ZenDecision,
  facts: readonly unknown[],
  { inFlight, trace, milliseconds }: Load,
): Promise<number> {
  const started = performance.now();
  const until = started + milliseconds;
  let runs = 0;
  const caller = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < until; turn++) {
      await decision.evaluate(facts[turn % facts.length], { trace });
      runs++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => caller(index)));
  return ((performance.now() - started) / runs) * 1000;
}
