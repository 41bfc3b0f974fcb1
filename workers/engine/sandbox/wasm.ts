import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { RELEASE_SYNC, newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten';
import type {
  EmscriptenModuleLoaderOptions,
  QuickJSEmscriptenModule,
  QuickJSSyncVariant,
  QuickJSWASMModule,
} from 'quickjs-emscripten';
import { initialWasmPages, maxWasmPages } from './limits.js';

export interface WasmInstance {
  readonly quickjs: QuickJSWASMModule;
  readonly memory: WebAssembly.Memory;
  /**
   * Whether the allocator could give so many bytes now. quickjs-emscripten does not look at what `malloc` answers, and
   * writes texts of the host's to address 0 when memory is exhausted: so it is asked before.
   */
  readonly hasRoom: (bytes: number) => boolean;
}

/** Aborts are reported by the exception that they also are; a worker's standard error is no place for tenants. */
const quiet: EmscriptenModuleLoaderOptions & { print(): void; printErr(): void } = {
  print: () => undefined,
  printErr: () => undefined,
};

/** Compiles QuickJS once and hands out instances of it, each with a capped memory of its own. */
export function quickjsInstances(): () => Promise<WasmInstance> {
  let compiled: Promise<WebAssembly.Module> | undefined;
  return async () => {
    compiled ??= compile();
    const wasmModule = await compiled;
    const memory = new WebAssembly.Memory({ initial: initialWasmPages, maximum: maxWasmPages });
    let emscripten: QuickJSEmscriptenModule | undefined;
    const variant = newVariant(RELEASE_SYNC, { wasmModule, wasmMemory: memory, emscriptenModule: quiet });
    const quickjs = await newQuickJSWASMModuleFromVariant(watched(variant, (module) => (emscripten = module)));
    const hasRoom = (bytes: number): boolean => {
      const pointer = emscripten?._malloc(bytes) ?? 0;
      if (pointer !== 0) emscripten?._free(pointer);
      return pointer !== 0;
    };
    return { quickjs, memory, hasRoom };
  };
}

/** The same variant, which also shows the Emscripten module that it loads: quickjs-emscripten keeps that to itself. */
function watched(variant: QuickJSSyncVariant, show: (module: QuickJSEmscriptenModule) => void): QuickJSSyncVariant {
  return {
    ...variant,
    importModuleLoader: async () => {
      const load = await variant.importModuleLoader();
      if (typeof load !== 'function') throw new Error('the QuickJS variant is loaded in another way than expected');
      return async (options) => {
        const module = await load(options);
        show(module);
        return module;
      };
    },
  };
}

async function compile(): Promise<WebAssembly.Module> {
  // The variant is a dependency of quickjs-emscripten's, so it is found from there.
  const ours = createRequire(import.meta.url);
  const theirs = createRequire(ours.resolve('quickjs-emscripten'));
  return WebAssembly.compile(await readFile(theirs.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
}
