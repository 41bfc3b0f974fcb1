import type { Diagnostic } from '../errors.js';
import { userDiagnostic } from './diagnostics.js';
import type { Ending, Machine } from './machine.js';
import type { Machines } from './sandboxRun.js';
import type { FunctionScript } from './types.js';
import { moduleOf, type UserModule } from './userModule.js';

/** Why a function does not parse, as its run would tell it; undefined where it does, or it took too long to know. */
export async function faultOfSource(
  machines: Machines,
  script: FunctionScript,
  isOver: () => boolean,
): Promise<Diagnostic | undefined> {
  const module = moduleOf(script, 'node:function');
  const ending = await parsed(module);
  if (!isSyntaxError(ending)) return undefined;
  const javascript = script.version === 1 ? undefined : await machines.typescript.strip(script.source, isOver);
  if (javascript === undefined || javascript === script.source) return told(ending, module);
  const stripped = moduleOf(script, module.name, javascript);
  return told(await parsed(stripped), stripped);

  async function parsed({ name, source }: UserModule): Promise<Ending> {
    const machine: Machine = await machines.acquire();
    machine.reset({ isOver, ask: () => undefined });
    const ending = machine.parse({ name, source });
    machines.release(machine);
    return ending;
  }
}

const isSyntaxError = (ending: Ending): ending is Extract<Ending, { readonly kind: 'threw' }> =>
  ending.kind === 'threw' && ending.error.name === 'SyntaxError';

const told = (ending: Ending, module: UserModule): Diagnostic | undefined =>
  isSyntaxError(ending) ? userDiagnostic(ending.error, module, (text) => text) : undefined;
