/** The package has no types of its own. */
declare module 'cluster-key-slot' {
  /** The slot of a Redis Cluster that a key falls into (Redis Cluster specification, "Key distribution model"). */
  export default function calculateSlot(key: string): number;
}
