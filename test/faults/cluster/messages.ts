import type { Asker } from '../../bench/soak/asker.js';
import { buildInquiry, type Store } from '../../support/factories.js';
import { pathOf, sms } from '../../support/inquiries.js';
import { testServer, type TestServer } from '../../support/target-server.js';
import { basic } from '../../support/tokens.js';
import type { World } from '../../bench/soak/world.js';

const inquiries = 200;

/** What became of the messages that were acknowledged. */
export interface MessagesJudged {
  readonly acknowledged: number;
  readonly lost: number;
  /** Two messages where one was asked for; a receiver cannot know that they are one. */
  readonly twice: number;
  /** One message sent again with the same Idempotency-Key, as its outcome could not be written. */
  readonly resent: number;
}

/** Inquiries whose people are written to, and the gateway that their messages go through. */
export class Messages {
  readonly gateway: TestServer;
  readonly #free: string[] = [];
  readonly #inquiryOf = new Map<string, string>();
  readonly #acknowledged = new Set<string>();
  /** The keys that each text came with, once for each time that it came. */
  readonly #came = new Map<string, string[]>();
  #authorization = '';
  #sent = 0;

  private constructor(gateway: TestServer) {
    this.gateway = gateway;
  }

  static async open(): Promise<Messages> {
    const gateway = await testServer(({ headers, body }, response) => {
      messages.#receive(String(headers['idempotency-key']), body);
      response.writeHead(202).end();
    });
    const messages = new Messages(gateway);
    return messages;
  }

  async prepare(store: Store, { scene }: World): Promise<void> {
    this.#authorization = basic(scene.client.id, scene.client.secret);
    for (let made = 0; made < inquiries; made++) this.#free.push((await buildInquiry(store, scene.tenantId)).id);
  }

  #receive(key: string, body: string): void {
    const text = /message number \d+,/.exec(body)?.[0] ?? body;
    const keys = this.#came.get(text);
    if (keys !== undefined) keys.push(key);
    else {
      this.#came.set(text, [key]);
      // A message that is not sent yet would be replaced by the inquiry's next one.
      this.#giveBack(text);
    }
  }

  /** Once, of what comes of a message first: that it was sent, or that it was refused. */
  #giveBack(text: string): void {
    const inquiry = this.#inquiryOf.get(text);
    if (inquiry === undefined) return;
    this.#inquiryOf.delete(text);
    this.#free.push(inquiry);
  }

  /** One message more, for an inquiry that waits for none. */
  async send(asker: Asker): Promise<void> {
    const id = this.#free.shift();
    if (id === undefined) return;
    const text = `message number ${++this.#sent},`;
    this.#inquiryOf.set(text, id);
    const question = {
      method: 'PATCH',
      path: pathOf(id),
      headers: { Authorization: this.#authorization },
      body: { notifications: [sms(`${text} $link`)] },
    } as const;
    const { label } = await asker.ask('message', question, (reply) => reply.label === '200');
    if (label === '200') this.#acknowledged.add(text);
    else this.#giveBack(text);
  }

  get waiting(): number {
    return [...this.#acknowledged].filter((text) => !this.#came.has(text)).length;
  }

  judge(): MessagesJudged {
    const all = [...this.#came.values()];
    return {
      acknowledged: this.#acknowledged.size,
      lost: this.waiting,
      twice: all.filter((keys) => new Set(keys).size > 1).length,
      resent: all.reduce((sum, keys) => sum + keys.length - new Set(keys).size, 0),
    };
  }
}
