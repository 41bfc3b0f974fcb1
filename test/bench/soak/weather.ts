/** Something that is broken on purpose for a while, and the answers that it explains, as `Reply` has them. */
interface Spell {
  readonly fromMs: number;
  untilMs: number;
  readonly explains: ReadonlySet<string>;
}

/** After a fault is mended everything must answer again within this. */
const recoveryMs = 5000;

/** What was broken when: an error that no fault explains is a finding. Times are milliseconds of the clock. */
export class Weather {
  readonly #spells: Spell[] = [];
  readonly #now: () => number;

  /** @param now the clock that requests are timed by */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Returns what ends it. */
  begin(explains: readonly string[]): () => void {
    const spell: Spell = { fromMs: this.#now(), untilMs: Infinity, explains: new Set(explains) };
    this.#spells.push(spell);
    return () => {
      spell.untilMs = this.#now();
    };
  }

  /** Whether an answer of that time may come of a fault. */
  explains(label: string, sentMs: number, answeredMs: number): boolean {
    return this.#spells.some(
      ({ fromMs, untilMs, explains }) => explains.has(label) && fromMs <= answeredMs && untilMs + recoveryMs >= sentMs,
    );
  }
}
