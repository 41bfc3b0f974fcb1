/** Thrown into a guest that asked for memory when there was none left. */
export class Exhausted extends Error {}

type Crossing = (...values: unknown[]) => unknown;

/**
 * Wraps all calls between the host and one WebAssembly instance. The first exception that crosses it, from either side,
 * closes it for good: no further call enters the instance, and guest code in progress is stopped at its next call out.
 *
 * The instance's state is unknown after that. Above all QuickJS does not survive a failed allocation: it leaves shapes
 * that are in no hash table, and loops for ever when it frees one (bellard/quickjs#529); and it lets the guest catch
 * interrupts that it has no memory to describe. So a failed allocation, whoever asked for it, closes the guard instead.
 */
export class WasmGuard {
  #reason: Error | undefined;

  /** Why it is closed, if it is. */
  get closed(): Error | undefined {
    return this.#reason;
  }

  /** The first reason stays. */
  close(reason: unknown): void {
    this.#reason ??= reason instanceof Error ? reason : new Error(String(reason));
  }

  /** What the guest may call. Each call throws once the guard is closed: by the call itself, for example. */
  imports(imports: WebAssembly.Imports): WebAssembly.Imports {
    const checked = (call: Crossing): Crossing => {
      return (...values) => {
        const result = call(...values);
        // Emscripten's import that grows memory answers false when it cannot; no other import answers a boolean.
        if (result === false) this.close(new Exhausted());
        if (this.#reason !== undefined) throw this.#reason;
        return result;
      };
    };
    return Object.fromEntries(Object.entries(imports).map(([name, group]) => [name, mapFunctions(group, checked)]));
  }

  /** What the host may call. Each call throws, and does nothing else, once the guard is closed. */
  exports(exports: WebAssembly.Exports): WebAssembly.Exports {
    return mapFunctions(exports, (call) => (...values) => {
      if (this.#reason !== undefined) throw this.#reason;
      try {
        return call(...values);
      } catch (reason) {
        this.close(reason);
        throw reason;
      }
    });
  }
}

function mapFunctions(group: Readonly<Record<string, unknown>>, map: (call: Crossing) => Crossing) {
  const mapped = Object.entries(group).map(([name, value]) => [name, isCrossing(value) ? map(value) : value] as const);
  return Object.fromEntries(mapped);
}

function isCrossing(value: unknown): value is Crossing {
  return typeof value === 'function';
}
