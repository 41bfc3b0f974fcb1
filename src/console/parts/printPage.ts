import { saveFile } from './action.js';

/**
 * Opens a page of the service's in a window of its own and has the browser print it. Where the browser opens none, the page is
 * kept as a file. Called by a click: of anything later browsers open no window.
 */
export async function printPage(load: () => Promise<Blob>, name: string): Promise<void> {
  const shown = open('', '_blank');
  try {
    const file = await load();
    // Somebody may have closed it meanwhile.
    const view = shown?.document.defaultView ?? null;
    if (shown === null || view === null) {
      saveFile(file, name);
      return;
    }
    const { title, head, body } = new DOMParser().parseFromString(await file.text(), 'text/html');
    // The console's own policy holds there: it takes no style out of a page's text.
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(head.querySelector('style')?.textContent ?? '');
    shown.document.adoptedStyleSheets = [sheet];
    shown.document.documentElement.lang = 'en';
    shown.document.title = title;
    shown.document.body.replaceChildren(...shown.document.importNode(body, true).childNodes);
    shown.print();
  } catch (error) {
    shown?.close();
    throw error;
  }
}
