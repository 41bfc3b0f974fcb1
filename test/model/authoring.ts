import fc from 'fast-check';
import { commandOf, nth, someIndex, type Command } from './command.js';
import { rateOf, type Model } from './model.js';
import { variable, type System } from './system.js';

// What the command line does: the processes hear of it by reading again.

interface Authored {
  readonly decision: number;
  readonly factor: number;
  readonly save: boolean;
}

async function author(model: Model, system: System, { decision, factor, save }: Authored): Promise<void> {
  const { versions, workingCopy } = model.decisions[decision]!;
  await system.author(decision, factor, save);
  // A version of the same content would be the latest one again.
  if (save && versions.at(-1) !== factor) versions.push(factor);
  workingCopy.change(factor);
}

async function setRate(
  model: Model,
  { scene }: System,
  { index, value }: { index: number; value: string },
): Promise<void> {
  const { id, alive } = nth(model.environments.values(), index);
  if (!alive) return;
  await scene.variable(id, variable, value);
  rateOf(model, id).change(value);
}

async function unsetRate(model: Model, system: System, { index }: { index: number }): Promise<void> {
  const { id, alive } = nth(model.environments.values(), index);
  if (!alive) return;
  await system.unset(id);
  rateOf(model, id).change(null);
}

const some = ({ environments }: Readonly<Model>): boolean => environments.size > 0;
const someAuthored = fc.record({ decision: fc.nat(1), factor: fc.integer({ min: 2, max: 9 }), save: fc.boolean() });
const someRate = fc.record({ index: someIndex, value: fc.constantFrom('low', 'high', 'none') });

export const authoringCommands: fc.Arbitrary<Command>[] = [
  commandOf('author decision', someAuthored, author),
  commandOf('set variable', someRate, setRate, some),
  commandOf('unset variable', fc.record({ index: someIndex }), unsetRate, some),
];
