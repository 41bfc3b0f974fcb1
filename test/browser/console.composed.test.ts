import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { freight } from '../support/freight.js';

describe('a decision that is made of others', () => {
  let desk: Desk;
  let page: Page;
  const id = (): string => desk.ids.get('freight/price.json') ?? '';

  atConsole(async (app) => {
    desk = await openDesk(app, freight());
    page = desk.page;
  });

  it('has one form, on its page and at the desk: what the others need, and nothing that they give', async () => {
    const fields = (): Promise<string[]> => page.locator('.fact-field label').allInnerTexts();
    const asked = ['Zone', 'Weight', 'Customer', 'Pieces'];
    await desk.view.go(`/decisions/${id()}`);
    await soon(async () => expect(await fields()).to.have.members(asked));
    await desk.edit('freight/price.json');
    await soon(async () => expect(await fields()).to.have.members(asked));
    // Known from the draft alone, too.
    await desk.button('Add Expressions').click();
    await desk.unsaved().waitFor();
    await soon(async () => expect(await fields()).to.have.members(asked));
  });
});
