/**
 * What rolling back brings into force, for the command line and for pages: what was there before the last version that went
 * forward. Who rolls back twice does not come forward again, to what was rolled back. Undefined where nothing was before.
 * @param history of a decision in an environment, newest first
 */
export const rollBackTarget = <Step extends { readonly version: number }>(history: readonly Step[]): Step | undefined =>
  stepsOf(history).at(-2);

/** Whether a deployment of that version would roll back, if only to one further back; what was rolled back comes forward again. */
export const isRollBack = (history: readonly { readonly version: number }[], version: number): boolean =>
  stepsOf(history)
    .slice(0, -1)
    .some((step) => step.version === version);

/** What was in force and not taken back since, the oldest first. */
function stepsOf<Step extends { readonly version: number }>(history: readonly Step[]): readonly Step[] {
  const steps: Step[] = [];
  for (const deployment of [...history].reverse()) {
    const at = steps.findIndex(({ version }) => version === deployment.version);
    if (at === -1) steps.push(deployment);
    // A version that was there before takes back all that came after it.
    else steps.splice(at + 1);
  }
  return steps;
}
