import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { newId } from '../../src/storage/ids.js';
import { useScene } from '../support/scene.js';
import { expectProblem } from '../support/asserts.js';

interface Case {
  readonly what: string;
  readonly method?: 'get' | 'post' | 'put';
  readonly path: string;
  readonly body?: object;
  readonly pointers: readonly string[];
}

const references = { decisionId: newId(), environmentId: newId() };
const measures = [
  { name: 'a', expression: 'x', aggregate: 'sum' },
  { name: 'a', expression: 'y', aggregate: 'sum' },
];

describe('all that is wrong with a request is told at once: what no schema can say', () => {
  const app = useApp();
  const scene = useScene(app);

  const cases: readonly Case[] = [
    {
      what: 'of a monitor',
      path: '/logic/monitors',
      body: { ...references, name: 'm', measure: { pointer: 'x' }, window: '2h', condition: 'sometimes' },
      pointers: ['/condition', '/measure/pointer', '/window'],
    },
    {
      what: 'of a monitor of a field without a value',
      path: '/logic/monitors',
      body: { ...references, name: 'm', measure: { pointer: '/x' }, window: '2h', condition: '> 0.2' },
      pointers: ['/measure/equals', '/window'],
    },
    {
      what: 'of a shadow',
      path: '/logic/shadows',
      body: { ...references, version: 1, sample: 0, expiresAt: '2099-01-01T00:00:00Z', measures },
      pointers: ['/expiresAt', '/measures/1/name', '/sample'],
    },
    {
      what: 'of a replay',
      path: '/logic/replays',
      body: { ...references, candidate: { version: 1 }, limit: 0, from: '2027-01-01', to: '2026-01-01', measures },
      pointers: ['/from', '/limit', '/measures/1/name'],
    },
    {
      what: 'of the time of a replay',
      path: '/logic/replays',
      body: { ...references, candidate: { version: 1 }, from: 'now' },
      pointers: ['/from'],
    },
    {
      what: 'of a protection',
      method: 'put',
      path: `/logic/environments/${newId()}/protection`,
      body: { approvals: 9999, requires: { replay: 'changed < lots', coverage: 2 } },
      pointers: ['/approvals', '/requires/coverage', '/requires/replay'],
    },
    {
      what: 'of an erasure',
      path: '/logic/erasures',
      body: { reference: 'a', executionIds: ['b'] },
      pointers: ['', '/executionIds/0'],
    },
    {
      what: 'of a key',
      path: '/logic/decisions',
      body: { key: '../a.json', more: 1 },
      pointers: ['/content', '/key', '/more'],
    },
    {
      what: 'of the key of a draft',
      path: '/logic/evaluations',
      body: { key: 'a//b', content: {}, fact: {}, more: 1 },
      pointers: ['/key', '/more'],
    },
    {
      what: 'of what is analysed',
      path: '/logic/analyses',
      body: { key: 'a//b', content: {}, version: 1, more: 1 },
      pointers: ['', '/key', '/more'],
    },
    {
      what: 'of the value of a variable',
      method: 'put',
      path: `/logic/environments/${newId()}/variables/LONG`,
      body: { value: 'x'.repeat(70_000), more: 1 },
      pointers: ['/more', '/value'],
    },
    {
      what: 'of a change request',
      path: '/logic/change-requests',
      body: { environmentId: newId(), title: '', changes: [{ type: 'deploy', name: 'a' }, { type: 'nope' }, 5] },
      pointers: [
        ...[
          '/changes/0/decisionId',
          '/changes/0/name',
          '/changes/0/version',
          '/changes/1/type',
          '/changes/2',
          '/title',
        ],
      ],
    },
    {
      what: 'of an analysis',
      path: '/logic/analyses',
      body: { decisionId: 'a', content: {}, key: '../a', properties: [{ name: '' }] },
      pointers: ['', '/decisionId', '/key', '/properties/0/name'],
    },
    {
      what: 'of a policy',
      path: `/core/v1/workspaces/${newId()}/policies`,
      body: { effect: 'maybe', scopes: ['environments:read'] },
      pointers: ['', '/effect'],
    },
    {
      what: 'of a time of measures',
      method: 'get',
      path: `/logic/measures?decisionId=${newId()}&step=minute&from=2026-11-29&to=2026-11-28`,
      pointers: ['from', 'step'],
    },
    {
      what: 'of a place of measures',
      method: 'get',
      path: `/logic/measures?decisionId=${newId()}&pointer=rate`,
      pointers: ['pointer'],
    },
    {
      what: 'of a place of differences',
      method: 'get',
      path: `/logic/replays/${newId()}/differences?pointer=rate&size=0`,
      pointers: ['pointer', 'size'],
    },
    {
      what: 'of places that do not count',
      path: '/logic/replays',
      body: { ...references, candidate: { version: 1 }, ignore: ['/a', '', 'a', '/~2'] },
      pointers: ['/ignore/2', '/ignore/3'],
    },
  ];
  for (const { what, method = 'post', path, body, pointers } of cases)
    it(what, async () => {
      const { caller } = scene;
      const answer = method === 'get' ? await caller.get(path) : await caller[method](path, body ?? {});
      expect(answer.status, answer.text).to.equal(400);
      const { errors } = answer.body as { errors: readonly { readonly pointer: string }[] };
      expect(errors.map(({ pointer }) => pointer).sort()).to.deep.equal(pointers);
    });
});

const unknown = { in: 'query', pointer: 'foo', message: 'is not a known field' } as const;
const badSize = { in: 'query', pointer: 'size', message: 'must be a whole number from 1 to 5000' } as const;
const twice = { in: 'query', pointer: 'size', message: 'must be string' } as const;
const notBoth = { in: 'query', pointer: 'before', message: 'cannot be combined with after' } as const;
const noCursor = (pointer: string) => ({ in: 'query', pointer, message: 'is not a cursor of this service' }) as const;

describe('queries for pages', () => {
  const app = useApp();
  const scene = useScene(app);

  for (const [query, errors] of [
    ['size=0&foo=1', [unknown, badSize]],
    ['size=1&size=2&after=x', [twice, noCursor('after')]],
    ['foo=1&after=A&before=B', [unknown, noCursor('after'), noCursor('before'), notBoth]],
    ['size=9999&after=&before=x', [badSize, noCursor('after'), noCursor('before'), notBoth]],
    ['after=x&after=y&before=z', [{ ...twice, pointer: 'after' }, noCursor('before'), notBoth]],
  ] as const) {
    for (const path of ['/logic/environments', '/logic/deployments']) {
      it(`${path}?${query}: every violation is listed, where the schema's hid the others`, async () => {
        expectProblem(await scene.caller.get(`${path}?${query}`), 'validation_failed', {
          instance: path,
          errors,
          detail: 'The query breaks its schema.',
        });
      });
    }
  }
});
