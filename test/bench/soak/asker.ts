import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { problems } from '../../../src/errors.js';
import { oauthErrorStatuses } from '../../../src/oauth/oauthError.js';

import type { Tally } from './tally.js';
import type { Weather } from './weather.js';

/** One request, as a kind of the mix makes it. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly requestId?: string;
}

type Headers = Readonly<Record<string, unknown>>;

/** What came back, read. */
export interface Reply {
  /** `201`, `404 routing_not_found`, `network`, or what is outside of the contract. */
  readonly label: string;
  /** Of a JSON body; empty otherwise. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  /** Clock of `performance.now()`. */
  readonly sentMs: number;
  readonly answeredMs: number;
}

const lostPauseMs = 50;
/** A server on which nothing comes for as long is given up. */
const limits = { headersTimeout: 20_000, bodyTimeout: 20_000 };
/** Connections are shared out as they are opened: a process that has just begun has work only of those that are newer. */
const connectionMs = 2000;

/** Sends one request after the other, and holds each answer against the contract. */
export class Asker {
  #client: Client;
  #openedMs = performance.now();
  readonly #baseUrl: string;
  readonly #tally: Tally;
  readonly #weather: Weather;

  constructor(baseUrl: string, tally: Tally, weather: Weather) {
    this.#client = new Client(baseUrl, limits);
    this.#baseUrl = baseUrl;
    this.#tally = tally;
    this.#weather = weather;
  }

  /** @param expected labels that are right for this request; another one is a finding unless a fault explains it */
  async ask(kind: string, question: Question, expected: (reply: Reply) => boolean): Promise<Reply> {
    const { method, path, headers, body, requestId = randomUUID() } = question;
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const type = body === undefined || typeof body === 'string' ? {} : { 'Content-Type': 'application/json' };
    const all = { 'X-Request-Id': requestId, ...type, ...headers };
    const sentMs = performance.now();
    if (sentMs - this.#openedMs > connectionMs) this.#renew(sentMs);
    const answer = await this.#client.request({ method, path, headers: all, body: text }).then(
      async ({ statusCode, headers: found, body: answered }) => ({
        status: statusCode,
        headers: found,
        body: await answered.text(),
      }),
      () => undefined,
    );
    const answeredMs = performance.now();
    const reply = { ...read(answer, requestId), sentMs, answeredMs };
    this.#tally.count(kind, reply.label, answeredMs - sentMs);
    if (!expected(reply)) this.#account(kind, reply);
    // A server that is gone refuses connections as fast as they are tried.
    if (answer === undefined) await sleep(lostPauseMs);
    return reply;
  }

  #renew(nowMs: number): void {
    this.close();
    this.#client = new Client(this.#baseUrl, limits);
    this.#openedMs = nowMs;
  }

  #account(kind: string, { label, sentMs, answeredMs }: Reply): void {
    if (!this.#weather.explains(label, sentMs, answeredMs)) this.#tally.find(`${kind}: ${label}`);
  }

  /** A finding of the caller's own, about an answer that was right in form. */
  find(text: string): void {
    this.#tally.find(text);
  }

  close(): void {
    void this.#client.destroy();
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

type Read = Pick<Reply, 'label' | 'json' | 'headers'>;

function read(answer: Answer | undefined, requestId: string): Read {
  if (answer === undefined) return { label: 'network', json: {}, headers: {} };
  const { status, headers, body } = answer;
  const outside = (what: string): Read => ({ label: `outside of the contract: ${status} ${what}`, json: {}, headers });
  if (headers['x-request-id'] !== requestId) return outside('without its request id');
  const json = body === '' ? {} : parsed(body);
  if (json === undefined) return outside('with a body that is not JSON');
  return status < 400
    ? { label: String(status), json, headers }
    : (refusal(status, json, headers) ?? outside('without a code'));
}

/** Undefined where the code is none of contract.md's, or has another status there. */
function refusal(status: number, json: Reply['json'], headers: Headers): Read | undefined {
  const { code, error } = json as { code?: string; error?: string };
  const known: Readonly<Record<string, { readonly status: number }>> = problems;
  const tokens: Readonly<Record<string, number>> = oauthErrorStatuses;
  const right =
    code === undefined
      ? error !== undefined && tokens[error] === status
      : known[code]?.status === status && headers['content-type'] === 'application/problem+json';
  return right ? { label: `${status} ${code ?? error ?? ''}`, json, headers } : undefined;
}

function parsed(body: string): Reply['json'] | undefined {
  try {
    return JSON.parse(body) as Reply['json'];
  } catch {
    return undefined;
  }
}
