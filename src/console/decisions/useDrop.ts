import { useListener } from '../parts/useListener.js';

/** Takes a file that is dropped anywhere on the page, where the browser would open it in the page's place. */
export function useDrop(onFile: (file: File) => void): void {
  useListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  });
  useListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    onFile(file);
  });
}
