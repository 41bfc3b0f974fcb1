/** Concurrent callers of the same key share one promise. */
export type SingleFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A key must identify its work, so that all results of a key have one type. */
export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const flight = flights.get(key);
    if (flight !== undefined) return flight as Promise<T>;
    const started = work().finally(() => flights.delete(key));
    flights.set(key, started);
    return started;
  };
}
