/** So many at a time: others' work is waiting, too. */
const atOnce = 4;

/** Does something with each of a list, a few at once. */
export async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      if (item !== undefined) results[at] = await work(item, at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
