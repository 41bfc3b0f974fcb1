/** What the page remembers of facts while it is open. They may be about people, and so are stored nowhere. */
export interface FactMemory {
  /** Whether the person wants to see facts as JSON. */
  asJson: boolean;
  /** The facts that were run last on a decision, newest first. */
  last(decisionId: string): readonly string[];
  keep(decisionId: string, fact: string): void;
}

const maxFacts = 10;
const maxDecisions = 50;
/** UTF-16 units; what is longer is not remembered. */
const maxLength = 100_000;

export function createFactMemory(): FactMemory {
  const facts = new Map<string, readonly string[]>();
  return {
    asJson: false,
    last: (decisionId) => facts.get(decisionId) ?? [],
    keep(decisionId, fact) {
      if (fact.length > maxLength) return;
      const before = facts.get(decisionId) ?? [];
      // The decision that was run last stands last.
      facts.delete(decisionId);
      facts.set(decisionId, [fact, ...before.filter((each) => each !== fact)].slice(0, maxFacts));
      const [oldest] = facts.keys();
      if (facts.size > maxDecisions && oldest !== undefined) facts.delete(oldest);
    },
  };
}
