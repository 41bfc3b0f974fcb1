import { readFile } from 'node:fs/promises';
import { RELEASE_SYNC, newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten';
import type { EmscriptenModuleLoaderOptions, QuickJSWASMModule } from 'quickjs-emscripten';
import { once } from '../onDemand.js';
import { guestFolder } from './guestFolder.js';
import { WasmGuard } from './wasmGuard.js';
import { initialWasmPages } from './limits.js';

export interface WasmInstance {
  readonly quickjs: QuickJSWASMModule;
  readonly memory: WebAssembly.Memory;
  readonly guard: WasmGuard;
}

/** Aborts raise exceptions too; output that tenants cause must not reach the worker's standard error. */
const quiet: EmscriptenModuleLoaderOptions & { print(): void; printErr(): void } = {
  print: () => undefined,
  printErr: () => undefined,
};

const pageBytes = 64 * 1024;

/** Compiles QuickJS once and hands out instances of it, each with a capped memory and a guard of its own. */
export function quickjsInstances(memoryBytes: number): () => Promise<WasmInstance> {
  const maximum = Math.max(initialWasmPages, Math.floor(memoryBytes / pageBytes));
  const compiled = once(compile);
  return async () => {
    const wasmModule = await compiled();
    const memory = new WebAssembly.Memory({ initial: initialWasmPages, maximum });
    const guard = new WasmGuard();
    const emscriptenModule: EmscriptenModuleLoaderOptions = {
      ...quiet,
      instantiateWasm(imports, onSuccess) {
        const instance = new WebAssembly.Instance(wasmModule, guard.imports(imports));
        const exports = guard.exports(instance.exports);
        onSuccess({ exports });
        return exports;
      },
    };
    const variant = newVariant(RELEASE_SYNC, { wasmMemory: memory, emscriptenModule });
    return { quickjs: await newQuickJSWASMModuleFromVariant(variant), memory, guard };
  };
}

/** It lies where the build puts it, so that a command line that was handed out without its packages has it too. */
async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('quickjs.wasm', guestFolder)));
}
