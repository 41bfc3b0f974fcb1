/** Callers that ask for the same thing while it is being fetched get the same promise. */
export type SingleFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A key must name what is fetched, so that what it gives is of one type. */
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
