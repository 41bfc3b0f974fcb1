type Close = () => Promise<void>;

const closes = new Set<Close>();

/** Has `close` called after every test file of this process: for what files of a process share. */
export const afterEachFile = (close: Close): void => void closes.add(close);

export async function closeShared(): Promise<void> {
  for (const close of closes) await close();
}
