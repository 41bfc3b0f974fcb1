import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten';
import type { WasmGuard } from './wasmGuard.js';
import type { Guest } from './guests.js';
import { MemoryImage } from './image.js';
import { discardAboveBytes, parserStackBytes } from './limits.js';
import type { SandboxLimits } from './types.js';
import type { WasmInstance } from './wasm.js';

/** The run that uses the machine. Texts come from the tenant's code and are untrusted. */
export interface Tenant {
  readonly isOver: () => boolean;
  /** Answers the guest, whatever it asks: a number or JSON text. `op` should be one of `Op`. Throws nothing. */
  readonly ask: (op: number, text: string) => number | string | undefined;
}

/**
 * How guest code ended: `done`, with an error that it `threw`, or stopped midway because the guard `closed` (deadline,
 * lack of memory, trap).
 */
export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'threw'; readonly error: Thrown }
  | { readonly kind: 'closed'; readonly reason: Error };

/** An exception of the guest's that reached the host: a syntax error, for example. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

const idle: Tenant = { isOver: () => false, ask: () => undefined };

/**
 * One QuickJS in one WebAssembly instance. It is set up once (prelude, dayjs, big.js, zod), its memory is copied, and
 * `reset` puts the copy back for each run, so that each begins in a runtime that no tenant's code has touched.
 *
 * Handles made during a run are never disposed of after it: `reset` takes the memory they point to back wholesale.
 * That also spares the run the freeing of a heap that the tenant shaped. The handles below live in the image.
 */
export class Machine {
  readonly #memory: WebAssembly.Memory;
  readonly #guard: WasmGuard;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #invoke: QuickJSHandle;
  readonly #deliver: QuickJSHandle;
  readonly #image: MemoryImage;
  /** Held so that the guest can never drop the last reference, which would free it on the host's side too. */
  readonly #hostFunction: QuickJSHandle;
  #tenant: Tenant = idle;
  #modules = new Map<string, QuickJSHandle>();
  #runs = 0;

  /** Takes some 15 ms: it evaluates the libraries. Throws when the bundles are not as build.ts makes them. */
  constructor(instance: WasmInstance, guest: Guest, limits: SandboxLimits) {
    this.#memory = instance.memory;
    this.#guard = instance.guard;
    const runtime = instance.quickjs.newRuntime();
    runtime.setMaxStackSize(limits.stackBytes);
    runtime.setInterruptHandler(() => {
      // Returning true would make QuickJS allocate an error; where that fails, the guest would go on.
      if (this.#tenant.isOver()) this.#guard.close(new Error('the run is over'));
      return false;
    });
    runtime.setModuleLoader((name) => guest.modules.get(name) ?? { error: unknownModule(name, guest) });
    const context = runtime.newContext();
    this.#runtime = runtime;
    this.#context = context;
    this.#hostFunction = context.newFunction('host', (op, text) => this.#ask(op, text));
    const boot = context.unwrapResult(context.evalCode(guest.prelude, 'prelude'));
    const handles = context.unwrapResult(context.callFunction(boot, context.undefined, this.#hostFunction));
    this.#invoke = context.getProp(handles, 'invoke');
    this.#deliver = context.getProp(handles, 'deliver');
    // The libraries' modules reach the prelude's services through this global, which goes before any tenant comes.
    context.setProp(context.global, guest.bootGlobal, handles);
    context.unwrapResult(context.evalCode(guest.loader, 'loader', { type: 'module' }));
    context.unwrapResult(runtime.executePendingJobs());
    context.unwrapResult(context.evalCode(`delete globalThis.${guest.bootGlobal}`, 'loader'));
    this.#image = new MemoryImage(this.#memory);
  }

  /** Bytes copied by each reset. */
  get imageBytes(): number {
    return this.#image.size;
  }

  /** Bytes of WebAssembly memory, which only grows. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Begins a run, in a runtime that no earlier run has touched. */
  reset(tenant: Tenant): void {
    this.#image.restore(this.#memory);
    this.#modules = new Map();
    this.#tenant = tenant;
    this.#runs += 1;
  }

  /** Ends a run. False: the instance must not be used again. */
  release(limits: SandboxLimits): boolean {
    this.#tenant = idle;
    const isFit = this.#guard.closed === undefined && this.memoryBytes <= discardAboveBytes;
    return isFit && this.#runs < limits.runsPerInstance;
  }

  /** Starts a handler; its outcome comes by a host call. The same module is evaluated once per run. */
  invoke(module: { name: string; source: string }, input: string, header: string): Ending {
    return this.#runGuarded(() => {
      const context = this.#context;
      let handle = this.#modules.get(module.name);
      if (handle === undefined) {
        const result = context.evalCode(module.source, module.name, { type: 'module' });
        if (result.error !== undefined) return this.#threw(result.error);
        handle = result.value;
        this.#modules.set(module.name, handle);
      }
      return this.#callGuest(this.#invoke, handle, context.newString(input), context.newString(header));
    });
  }

  /** Reads a module, of which nothing is run. */
  parse({ name, source }: { name: string; source: string }): Ending {
    return this.#runGuarded(() => {
      const result = this.#context.evalCode(source, name, { type: 'module', compileOnly: true });
      return result.error === undefined ? { kind: 'done' } : this.#threw(result.error);
    });
  }

  /** Applies the function that a script evaluates to; undefined where it raises, or the tenant's run is over. */
  apply(script: string, text: string): string | undefined {
    let made: string | undefined;
    this.#runGuarded(() => {
      const context = this.#context;
      // A parser recurses deeper than the source nests. The next reset restores the limit.
      this.#runtime.setMaxStackSize(parserStackBytes);
      const callee = context.evalCode(script, 'script');
      if (callee.error !== undefined) return this.#threw(callee.error);
      const result = context.callFunction(callee.value, context.undefined, context.newString(text));
      if (result.error !== undefined) return this.#threw(result.error);
      made = context.getString(result.value);
      return { kind: 'done' };
    });
    return this.#guard.closed === undefined ? made : undefined;
  }

  /** Hands the guest the outcome of something that it asked for. */
  deliver(id: number, text: string): Ending {
    return this.#runGuarded(() => {
      const context = this.#context;
      return this.#callGuest(this.#deliver, context.newNumber(id), context.newString(text));
    });
  }

  /** Runs pending jobs until there are none or `enough` says so, which is asked every few dozen of them. */
  runJobs(enough: () => boolean): Ending {
    return this.#runGuarded(() => {
      while (!enough() && this.#runtime.hasPendingJob()) {
        const result = this.#runtime.executePendingJobs(32);
        if (result.error !== undefined) return this.#threw(result.error);
        result.dispose();
      }
      return { kind: 'done' };
    });
  }

  #callGuest(callee: QuickJSHandle, ...values: QuickJSHandle[]): Ending {
    const result = this.#context.callFunction(callee, this.#context.undefined, values);
    if (result.error !== undefined) return this.#threw(result.error);
    result.value.dispose();
    return { kind: 'done' };
  }

  /**
   * Must not throw: quickjs-emscripten would turn the exception into an error of the guest. The guard throws instead,
   * outside of quickjs-emscripten's handlers.
   */
  #ask(op: QuickJSHandle, text: QuickJSHandle | undefined): QuickJSHandle | undefined {
    const context = this.#context;
    try {
      const answer = this.#tenant.ask(context.getNumber(op), text === undefined ? '' : context.getString(text));
      if (answer === undefined) return undefined;
      const handle = typeof answer === 'number' ? context.newNumber(answer) : context.newString(answer);
      // quickjs-emscripten duplicates the handle after this has returned. Doing it here first makes a lack of memory
      // surface inside this `try`; the later copy reuses the freed memory.
      handle.dup().dispose();
      return handle;
    } catch (reason) {
      this.#guard.close(reason);
      return undefined;
    }
  }

  #threw(error: QuickJSHandle): Ending {
    return { kind: 'threw', error: this.#describe(error) };
  }

  /** Getters of the tenant's may run here, within the run's limits, and may raise in turn. */
  #describe(error: QuickJSHandle): Thrown {
    const read = (key: string): string => {
      const value = this.#context.getProp(error, key);
      return this.#context.typeof(value) === 'string' ? this.#context.getString(value) : '';
    };
    if (this.#context.typeof(error) === 'string')
      return { name: '', message: this.#context.getString(error), stack: '' };
    return { name: read('name'), message: read('message'), stack: read('stack') };
  }

  /** Anything thrown on the host's side is no error of QuickJS's: a trap, a failed allocation, a bug. */
  #runGuarded(work: () => Ending): Ending {
    let ending: Ending = { kind: 'done' };
    try {
      ending = work();
    } catch (reason) {
      this.#guard.close(reason);
    }
    const reason = this.#guard.closed;
    return reason === undefined ? ending : { kind: 'closed', reason };
  }
}

function unknownModule(name: string, guest: Guest): Error {
  return new Error(`there is no module '${name}': function nodes may import ${[...guest.modules.keys()].join(', ')}`);
}
