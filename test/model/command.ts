import fc from 'fast-check';
import type { Server } from './history.js';
import type { Model } from './model.js';
import type { System } from './system.js';

export type Command = fc.AsyncCommand<Model, System>;

/** One step: what it asks of the system, judged by the model, which then takes the step too. */
export type Step<P> = (model: Model, system: System, parameters: P) => Promise<void>;

/** Commands of random parameters that are shown as `name {"server":0,…}`. @param possible whether it makes sense now */
export function commandOf<P>(
  name: string,
  parameters: fc.Arbitrary<P>,
  run: Step<P>,
  possible: (model: Readonly<Model>, parameters: P) => boolean = () => true,
): fc.Arbitrary<Command> {
  return parameters.map((given) => ({
    check: (model) => possible(model, given),
    run: (model, system) => run(model, system, given),
    toString: () => `${name} ${JSON.stringify(given)}`,
  }));
}

export const someServer: fc.Arbitrary<Server> = fc.constantFrom<Server>(0, 1);

/** The item that an index means, among however many there are by then. */
export function nth<T>(items: Iterable<T>, index: number): T {
  const list = [...items];
  if (list.length === 0) throw new Error('there is nothing yet; the command should not have been possible');
  return list[index % list.length]!;
}

export const someIndex: fc.Arbitrary<number> = fc.nat(30);
