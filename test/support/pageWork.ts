import type { Page } from 'playwright-core';

/**
 * Measures the processor time in milliseconds that a page itself takes while something is done, for scripts, styles and layout:
 * a busy machine changes it little.
 */
export async function measurePageWork(page: Page): Promise<(work: () => Promise<unknown>) => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string): number => metrics.find((each) => each.name === name)?.value ?? NaN;
    return 1000 * (of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration'));
  };
  return async (work) => {
    const before = await spent();
    await work();
    return (await spent()) - before;
  };
}
