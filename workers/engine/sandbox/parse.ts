import type { Diagnostic } from '../errors.js';
import { userDiagnostic, type UserModule } from './diagnostics.js';
import type { Ending, Machine } from './machine.js';
import type { Machines } from './sandboxRun.js';
import type { FunctionScript } from './types.js';

/** The module that a source is evaluated as. @param javascript of it, where it is known to be TypeScript */
export function moduleOf({ source, version }: FunctionScript, name: string, javascript = source): UserModule {
  if (version === 1)
    return { name, written: source, source: `${source}\n;export default handler;`, keepsColumns: true };
  return { name, written: source, source: javascript, keepsColumns: javascript === source };
}

/** Why a function does not parse, as its run would tell it; undefined where it does, or it took too long to know. */
export async function faultOfSource(
  { acquire, release, typescript }: Machines,
  script: FunctionScript,
  isOver: () => boolean,
): Promise<Diagnostic | undefined> {
  const module = moduleOf(script, 'node:function');
  const ending = await parsed(module);
  if (!isSyntaxError(ending)) return undefined;
  const javascript = script.version === 1 ? undefined : await typescript.strip(script.source, isOver);
  if (javascript === undefined || javascript === script.source) return told(ending, module);
  const stripped = moduleOf(script, module.name, javascript);
  return told(await parsed(stripped), stripped);

  async function parsed({ name, source }: UserModule): Promise<Ending> {
    const machine: Machine = await acquire();
    machine.reset({ isOver, ask: () => undefined });
    const ending = machine.parse({ name, source });
    release(machine);
    return ending;
  }
}

const isSyntaxError = (ending: Ending): ending is Extract<Ending, { readonly kind: 'threw' }> =>
  ending.kind === 'threw' && ending.error.name === 'SyntaxError';

const told = (ending: Ending, module: UserModule): Diagnostic | undefined =>
  isSyntaxError(ending) ? userDiagnostic(ending.error, module, (text) => text) : undefined;
