/** Something that is broken on purpose for a while, and the answers that it explains, as `Reply` has them. */
export interface Spell {
  readonly name: string;
  readonly fromMs: number;
  untilMs: number;
  readonly explains: ReadonlySet<string>;
}

/** After a fault is mended everything must answer again within this. */
const recoveryMs = 5000;

/** What was broken when: an error that no fault explains is a finding. Times are of `performance.now()`. */
export class Weather {
  readonly #spells: Spell[] = [];

  get spells(): readonly Spell[] {
    return this.#spells;
  }

  /** Returns what ends it. */
  begin(name: string, explains: readonly string[]): () => void {
    const spell: Spell = { name, fromMs: performance.now(), untilMs: Infinity, explains: new Set(explains) };
    this.#spells.push(spell);
    return () => {
      spell.untilMs = performance.now();
    };
  }

  /** The name of the latest fault that an answer of that time may come of; undefined when there was none. */
  explanationOf(label: string, sentMs: number, answeredMs: number): string | undefined {
    return this.#spells.findLast(
      ({ fromMs, untilMs, explains }) => explains.has(label) && fromMs <= answeredMs && untilMs + recoveryMs >= sentMs,
    )?.name;
  }
}
