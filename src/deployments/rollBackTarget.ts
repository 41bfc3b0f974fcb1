/** What was there before the last version that went forward (newest first): done twice, it goes back twice. */
export function rollBackTarget<Step extends { readonly version: number }>(history: readonly Step[]): Step | undefined {
  const steps: Step[] = [];
  for (const deployment of [...history].reverse()) {
    const at = steps.findIndex(({ version }) => version === deployment.version);
    if (at === -1) steps.push(deployment);
    // A version that was there before takes back all that came after it.
    else steps.splice(at + 1);
  }
  return steps.at(-2);
}
