/** What a worker thread loads. Alone in its file, because it is found from here, and not from a bundle. */
export const workerFile = new URL('../../../workers/thread/run.js', import.meta.url);
