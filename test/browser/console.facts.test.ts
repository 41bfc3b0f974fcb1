import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { useConsole, type ConsolePage, writeFact } from '../support/consolePage.js';
import { keyboardOf } from '../support/keyboard.js';
import { loan } from '../support/loan.js';
import { expressing, type Model } from '../support/models.js';
import type { Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

const schema = {
  type: 'object',
  required: ['customer'],
  properties: {
    customer: {
      type: 'object',
      required: ['age'],
      properties: {
        age: { type: 'integer', description: 'In whole years' },
        product: { type: 'string', enum: ['Personal', 'Car'] },
        member: { type: 'boolean' },
        account: { type: 'number' },
      },
    },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['price'],
        properties: { name: { type: 'string' }, price: { type: 'number' } },
      },
    },
    codes: { type: 'array', items: { type: 'string' } },
  },
};

/** With that schema of its request. */
function declaring(expressions: Readonly<Record<string, string>>): Model {
  const model = expressing(expressions) as { nodes: { type: string; content: object }[] };
  const nodes = model.nodes.map((node) =>
    node.type === 'inputNode' ? { ...node, content: { schema: JSON.stringify(schema) } } : node,
  );
  return { ...model, nodes };
}

describe('facts as forms', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let decisionId: string;

  const { button } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    const total = 'sum(map(items, #.price))';
    decisionId = await scene.decision('shop/order.json', declaring({ total, account: 'customer.account' }));
    await scene.decision('credit/loan.json', loan(5.4));
    await view.open(`/decisions/${decisionId}`);
  });

  const field = (name: string): Locator => page.getByLabel(name, { exact: true });
  const fact = (): Locator => page.getByRole('textbox', { name: 'Fact', exact: true });
  const json = (): Locator => page.getByRole('switch', { name: 'JSON', exact: true });
  /** What the form has written, as JSON. */
  const written = async (): Promise<string> => {
    await json().check();
    const text = await fact().inputValue();
    await json().uncheck();
    return text;
  };
  const result = (): Locator => page.getByRole('region', { name: 'Result', exact: true });
  /** Of the table that a list of the fact is. */
  const heads = (list: string): Promise<string[]> =>
    page
      .getByRole('table', { name: `Rows of ${list}` })
      .getByRole('columnheader')
      .allInnerTexts();

  it('a declared schema is a form: choices, required marks, rows; what is typed in it runs', async () => {
    await field('customer.age').fill('41');
    await field('customer.product').selectOption('Car');
    await field('customer.member').selectOption('true');
    // More digits than JavaScript's numbers have.
    await field('customer.account').fill('12345678901234567891.5');
    await button('Add row to items').click();
    // Who adds a row writes in it next.
    await soon(async () => expect(await keyboardOf(page).isOn(field('items[0].name'))).to.equal(true));
    await page.keyboard.type('Book');
    await field('items[0].price').fill('12.50');
    await button('Add row to items').click();
    await soon(async () => expect(await keyboardOf(page).isOn(field('items[1].name'))).to.equal(true));
    await field('items[1].price').fill('7.5');
    await soon(async () => expect(await heads('items')).to.deep.equal(['Row', 'name', 'price *', 'Actions']));
    await button('Add row to codes').click();
    await soon(async () => expect(await heads('codes')).to.deep.equal(['Row', 'Value', 'Actions']));
    await button('Remove codes[0]').click();
    await soon(async () => expect(await field('customer.age').getAttribute('aria-required')).to.equal('true'));
    await soon(async () => expect(await field('customer.product').getAttribute('aria-required')).to.equal('false'));
    await button('Run').click();
    await result().getByText('total 20').waitFor();
    await result().getByText('account 12345678901234567891.5').waitFor();
  });

  it('form and text box are one value, with every digit', async () => {
    // The text box is behind its switch.
    await soon(async () => expect(await fact().count()).to.equal(0));
    await json().click();
    const text = await fact().inputValue();
    expect(text).to.contain('12345678901234567891.5').and.to.contain('12.5');
    await field('customer.age').waitFor({ state: 'detached' });
    await fact().fill(text.replace('41', '42').replace('12345678901234567891.5', '98765432109876543210.5'));
    await json().click();
    await soon(async () => expect(await field('customer.age').inputValue()).to.equal('42'));
    await soon(async () => expect(await field('customer.account').inputValue()).to.equal('98765432109876543210.5'));
    await button('Remove items[0]').click();
    await soon(async () => expect(await field('items[0].price').inputValue()).to.equal('7.5'));
    await soon(async () => expect(await keyboardOf(page).isOn(button('Add row to items'))).to.equal(true));
    await field('items[0].price').fill('1.505');
    await soon(async () => expect(await field('items[0].price').inputValue()).to.equal('1.505'));
    await soon(async () =>
      expect(await written())
        .to.contain('"price": 1.505')
        .and.not.to.contain('Book'),
    );
  });

  it('says beside a field what does not fit it, and keeps it', async () => {
    await field('customer.age').fill('forty');
    await page.getByText('This is no number, such as 1200.5.').waitFor();
    await soon(async () => expect(await field('customer.age').getAttribute('aria-invalid')).to.equal('true'));
    // Who means it runs it again: it runs as it is then, and whoever looks at the result is told so.
    await button('Run').click();
    await page.getByText('It has not run').waitFor();
    const focused = 'document.activeElement.getAttribute("aria-invalid")';
    await soon(async () => expect(await page.evaluate(focused)).to.equal('true'));
    await soon(async () => expect(await page.getByText('It ran with').count()).to.equal(0));
    await button('Run').click();
    await page.getByText('It ran with “forty” as it is, where something else belongs').waitFor();
    await soon(async () => expect(await written()).to.contain('"age": "forty"'));
    await field('customer.age').fill('41.5');
    await page.getByText('It ran with “forty”').waitFor({ state: 'detached' });
    await page.getByText('This is no whole number.').waitFor();
    await expectAccessible(page, 'a form of a fact');
    // Five to JSON, and five thousand to half of the world.
    await field('customer.age').fill('5.000');
    await page.getByText('Taken for 5. For 5000 leave out the point.').waitFor();
    await field('customer.age').fill('41');
    await page.getByText('In whole years').waitFor();
  });

  it('what the schema does not name is in the form as well', async () => {
    await writeFact(page, '{"customer": {"age": 41, "nick": "Ada"}, "coupon": 7, "items": []}');
    await json().uncheck();
    await soon(async () => expect(await field('coupon').inputValue()).to.equal('7'));
    await field('customer.nick').fill('Bea');
    await soon(async () =>
      expect(JSON.parse(await written())).to.deep.equal({
        customer: { age: 41, nick: 'Bea' },
        coupon: 7,
        items: [],
      }),
    );
  });

  it('remembers the facts that were run, in the page alone', async () => {
    await button('Run').click();
    await result().getByText('COMPLETED').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Pool' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pool' }).waitFor();
    await page.goBack();
    await soon(async () => expect(await field('coupon').inputValue()).to.equal('7'));
    const source = page.getByRole('combobox', { name: 'Start from' });
    await source.selectOption('last:1');
    await soon(async () => expect(await field('customer.product').inputValue()).to.equal('Car'));
    const kept = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).to.not.include('Bea').and.not.include('12345678901234567891');
    expect(page.url()).to.not.include('last');
  });

  it('an inferred schema is a form too, which runs by keyboard alone', async () => {
    const keyboard = keyboardOf(page);
    await page.getByRole('link', { name: 'Decisions', exact: true }).click();
    await page.getByRole('link', { name: 'loan' }).click();
    await field('age').waitFor();
    for (const [name, value] of Object.entries({
      age: 41,
      income: 5000,
      debts: 400,
      amount: 12000,
      months: 48,
      score: 700,
    })) {
      await keyboard.tabTo(field(name));
      await keyboard.type(String(value));
    }
    await keyboard.press('Enter');
    await result().getByText('rate 5.4').waitFor();
    await keyboard.tabTo(json());
    await keyboard.press('Space');
    await keyboard.tabTo(fact());
    await keyboard.replace('{"age": 17, "income": 1, "debts": 0, "amount": 0, "months": 1}');
    await keyboard.press('Control+Enter');
    await result().getByText('under age').waitFor();
  });

  it('the fields of a request are named in a form, by keyboard alone, and what the form does not show of them stays', async () => {
    const keyboard = keyboardOf(page);
    const model = expressing({ y: 'age' }) as { nodes: { type: string; content: object }[] };
    const kept = { $id: 'urn:request', type: 'object', properties: { age: { type: 'integer', minimum: 18 } } };
    for (const node of model.nodes) if (node.type === 'inputNode') node.content = { schema: JSON.stringify(kept) };
    const id = await scene.decision('shop/person.json', { ...model });
    await view.go(`/decisions/${id}/edit`);
    await keyboard.tabTo(button('Request'));
    await keyboard.press('Enter');
    await keyboard.tabTo(button('Add field'));
    await keyboard.press('Enter');
    // The name of the new one has the focus, once it is drawn.
    await page.locator('input.schema-name:focus').nth(0).waitFor();
    await soon(async () => expect(await page.locator('input.schema-name:focus').inputValue()).to.equal('field2'));
    // What was typed so far stays while the page is drawn anew, as it is when the answer to a check arrives.
    const checked = page.waitForResponse('**/logic/validations');
    await keyboard.replace('pro');
    await checked;
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))');
    await keyboard.type('duct');
    await keyboard.press('Tab');
    const product = page.getByRole('group', { name: 'product', exact: true });
    await keyboard.tabTo(product.getByRole('checkbox', { name: 'Required' }));
    await keyboard.press('Space');
    await keyboard.tabTo(product.getByRole('textbox', { name: 'Choices, one a line' }));
    await keyboard.replace('Personal\nCar');
    await keyboard.tabTo(product.getByRole('textbox', { name: 'Description' }));
    await keyboard.type('What is lent for');
    await keyboard.tabTo(page.getByRole('textbox', { name: 'Message' }));
    await keyboard.type('Products');
    await keyboard.press('Enter');
    await page.getByRole('link', { name: 'v2', exact: true }).waitFor();
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/2/schema`);
    expect((body as { input: unknown }).input).to.deep.equal({
      ...kept,
      required: ['product'],
      properties: {
        ...kept.properties,
        product: { type: 'string', enum: ['Personal', 'Car'], description: 'What is lent for' },
      },
    });
    await view.go(`/decisions/${id}`);
    await json().uncheck();
    await field('product').selectOption('Car');
    await soon(async () => expect(JSON.parse(await written())).to.deep.equal({ product: 'Car' }));
  });

  it('asks with the same controls where a model is read as where it is edited, for what its tables say', async () => {
    const columns = { validFrom: '>= d("2026-01-01")', age: '< 26', isMember: 'true', grade: '"A"' };
    const content = {
      hitPolicy: 'first',
      inputs: Object.keys(columns).map((name) => ({ id: name, name, field: name })),
      outputs: [{ id: 'rate', name: 'rate', field: 'rate' }],
      rules: [{ _id: 'r', ...columns, rate: '1' }],
    };
    const model = expressing({ y: 'rate' }) as { nodes: { type: string; content: object }[] };
    for (const node of model.nodes)
      if (node.type === 'expressionNode') Object.assign(node, { type: 'decisionTableNode', content });
    const id = await scene.decision('shop/rates.json', { ...model });
    const controls = async (path: string): Promise<readonly string[]> => {
      await view.go(path);
      await field('grade').waitFor();
      return page
        .getByRole('group', { name: 'Fact, field by field' })
        .locator('input, select')
        .evaluateAll((all) =>
          (all as unknown as { localName: string; getAttribute(name: string): string | null }[]).map(
            (each) => `${each.localName} ${each.getAttribute('type') ?? ''}`,
          ),
        );
    };
    const edited = await controls(`/decisions/${id}/edit`);
    expect(edited).to.deep.equal(['input date', 'input ', 'select ', 'input ']);
    expect(await controls(`/decisions/${id}`)).to.deep.equal(edited);
    expect(await controls(`/decisions/${id}?version=1`)).to.deep.equal(edited);
  });
});
