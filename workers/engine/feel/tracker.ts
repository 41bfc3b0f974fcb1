/** What the library knows at a place of an expression: the names that can be read there, and the parts that were read. */
interface State {
  readonly parent: State | null;
  readonly children: State[];
  readonly context: unknown;
  assign(changes: Partial<State>): State;
}

/** The library's tracker as it is; it shows neither of these. */
interface Open {
  readonly start: State;
  reduce: (state: State, ...read: readonly unknown[]) => State;
}

/**
 * Has the library's tracker of names let go of what was read. With each item of a list and each entry of a context it keeps all
 * that was known when it was read, which has all items before it: memory in proportion to the square of their number, so that
 * 8,000 items took a thread's whole heap. Of an item that was read only its value is asked for, so nothing else is kept.
 */
export function lean<Tracker extends object>(tracker: Tracker): Tracker {
  const open = tracker as unknown as Open;
  const { start, reduce } = open;
  const finished = (part: State): State => {
    if (part.parent === null) return part;
    // A part without a value of its own has its last part's.
    return part.assign({ parent: null, context: start.context, children: part.children.slice(-1).map(finished) });
  };
  open.reduce = (state, ...read) => {
    const next = reduce(state, ...read);
    const last = next.children.at(-1);
    if (last !== undefined && last.parent !== null) next.children[next.children.length - 1] = finished(last);
    return next;
  };
  return tracker;
}
