// Runs on every page of /docs: the service's address and tabs of samples, buttons that copy, the search. Without it the pages show all the same.

import { find, type Entry } from './find.js';

const remembered = 'verdict-docs-language';

/** One language of each sample that has several: the one that the reader chose last. */
function makeTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.samples')];
  const show = (language: string): void => {
    for (const group of groups) {
      const parts = [...group.querySelectorAll<HTMLElement>('section')];
      const shown = parts.find((part) => part.dataset['language'] === language);
      if (shown === undefined) continue;
      for (const part of parts) part.hidden = part !== shown;
      for (const tab of group.querySelectorAll<HTMLElement>('[role=tab]')) {
        const isShown = tab.textContent === language;
        tab.ariaSelected = String(isShown);
        tab.tabIndex = isShown ? 0 : -1;
      }
    }
  };
  for (const group of groups) {
    const tabs = document.createElement('div');
    tabs.role = 'tablist';
    tabs.ariaLabel = 'Language';
    for (const part of group.querySelectorAll<HTMLElement>('section')) tabs.append(makeTab(part, choose));
    tabs.addEventListener('keydown', moveByArrows);
    group.prepend(tabs);
    show(group.querySelector<HTMLElement>('section')?.dataset['language'] ?? '');
  }
  show(localStorage.getItem(remembered) ?? '');

  function choose(tab: HTMLElement): void {
    const before = tab.getBoundingClientRect().top;
    localStorage.setItem(remembered, tab.textContent);
    show(tab.textContent);
    // Samples above may have become longer: what was pressed stays where it was.
    scrollBy(0, tab.getBoundingClientRect().top - before);
  }
}

/** The address that samples have in place of a service's. */
const placeholder = 'https://verdict.example';

/** The service that shows the page is the one that its reader means. */
function nameThisService(): void {
  const address = location.origin + location.pathname.replace(/\/docs(\/.*)?$/, '');
  for (const code of document.querySelectorAll('code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      node.nodeValue = node.nodeValue?.replaceAll(placeholder, address) ?? null;
  }
}

let tabCount = 0;

function makeTab(part: HTMLElement, choose: (tab: HTMLElement) => void): HTMLElement {
  const tab = document.createElement('button');
  tab.type = 'button';
  tab.role = 'tab';
  tab.id = `tab-${++tabCount}`;
  tab.textContent = part.dataset['language'] ?? '';
  part.id = `panel-${tabCount}`;
  part.role = 'tabpanel';
  part.setAttribute('aria-labelledby', tab.id);
  tab.setAttribute('aria-controls', part.id);
  tab.addEventListener('click', () => {
    choose(tab);
  });
  return tab;
}

function moveByArrows(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const next = tabs.at((tabs.findIndex((tab) => tab === document.activeElement) + step) % tabs.length);
  next?.click();
  next?.focus();
  event.preventDefault();
}

function makeCopyButtons(): void {
  for (const code of document.querySelectorAll<HTMLElement>('pre.sample')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const done = (text: string): void => {
        button.textContent = text;
        setTimeout(() => (button.textContent = 'Copy'), 2000);
      };
      navigator.clipboard.writeText(code.querySelector('code')?.textContent ?? '').then(
        () => {
          done('Copied');
        },
        () => {
          // A page that came by plain HTTP from another host may not: what is selected is copied by keys.
          getSelection()?.selectAllChildren(code.querySelector('code') ?? code);
          done('Selected');
        },
      );
    });
    code.after(button);
  }
}

function lineOf({ page, title, heading, text }: Entry, prefix: string, query: string): HTMLElement {
  const link = document.createElement('a');
  link.href = prefix + page;
  const head = document.createElement('b');
  head.textContent = heading === '' ? title : `${title}: ${heading}`;
  const at = Math.max(0, text.toLowerCase().indexOf(query.toLowerCase().trim().split(/\s+/)[0] ?? '') - 30);
  const part = document.createElement('span');
  part.textContent = `${at > 0 ? '…' : ''}${text.slice(at, at + 110)}`;
  link.append(head, part);
  const line = document.createElement('li');
  line.append(link);
  return line;
}

function makeSearch(): void {
  const search = document.querySelector<HTMLElement>('header search');
  const input = search?.querySelector('input') ?? null;
  const found = search?.querySelector<HTMLElement>('.found') ?? null;
  if (search === null || input === null || found === null) return;
  search.hidden = false;
  const { index = '', prefix = '' } = input.dataset;
  let entries: Promise<readonly Entry[]> | undefined;
  const load = (): Promise<readonly Entry[]> =>
    (entries ??= fetch(index).then((answer) => answer.json() as Promise<readonly Entry[]>));
  const list = (): HTMLElement[] => [...found.querySelectorAll<HTMLElement>('a')];
  const close = (): void => {
    found.hidden = true;
  };
  input.addEventListener('focus', () => void load());
  input.addEventListener('input', () => {
    void load().then((all) => {
      const query = input.value;
      const lines = find(all, query).map((entry) => lineOf(entry, prefix, query));
      found.replaceChildren(...lines);
      if (lines.length === 0) found.textContent = 'Nothing found';
      found.hidden = query.trim() === '';
    });
  });
  search.addEventListener('keydown', (event) => {
    const links = list();
    const at = links.findIndex((link) => link === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && at < 0) links[0]?.click();
    if (step === undefined || found.hidden) return;
    (at + step < 0 ? input : links[at + step])?.focus();
    event.preventDefault();
  });
  search.addEventListener('focusout', (event) => {
    if (!(event.relatedTarget instanceof Node && search.contains(event.relatedTarget))) close();
  });
  found.addEventListener('click', close);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || (event.target instanceof Element && event.target.matches('input, textarea, select')))
      return;
    event.preventDefault();
    input.focus();
  });
}

nameThisService();
makeTabs();
makeCopyButtons();
makeSearch();
