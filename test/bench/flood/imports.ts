import { logicHeaders, type Scene } from '../../support/scene.js';
import { requestBytes } from '../connection.js';
import type { Attack } from './attacks.js';

const bodyBytes = 64 * 1024 * 1024;
/** Models of an import: as many as one may have, then a few large ones, in turns. */
const sizes = [10_000, 200];
/** Stands in every model, in place of the import's number: what is imported is new each time. */
const mark = '0000000000';

/** Imports as large as they may be, one after the other. */
export function imports(scene: Scene, baseUrl: string): Promise<Attack[]> {
  const headers = { ...logicHeaders(scene), 'Content-Type': 'application/json' };
  const requests = sizes.map((models) => {
    const request = requestBytes({ method: 'POST', baseUrl, path: '/logic/imports', headers, body: bodyOf(models) });
    return { request, places: placesOf(request) };
  });
  const turns = (turn: number): Buffer => {
    const { request = Buffer.alloc(0), places = [] } = requests[turn % requests.length] ?? {};
    const number = String(turn + 1).padStart(mark.length, '0');
    for (const place of places) request.write(number, place);
    return request;
  };
  return Promise.resolve([{ request: turns, reads: true }]);
}

function bodyOf(models: number): string {
  const row = (number: number): string => `{"_id":"r${number}","in":"> ${number}","out":"${number} * 2"}`;
  const modelBytes = Math.floor((bodyBytes - 1000) / models) - 700;
  const rows: string[] = [];
  for (let bytes = 0; bytes < modelBytes; bytes += (rows.at(-1)?.length ?? 0) + 1) rows.push(row(rows.length));
  rows.pop();
  const item = (index: number): string =>
    `{"key":"m${models}/${index}.json","content":{"nodes":[{"id":"i","type":"inputNode","name":"Request"},` +
    `{"id":"t","type":"decisionTableNode","name":"Table ${mark} ${index}","content":{"hitPolicy":"first",` +
    '"inputs":[{"id":"in","name":"In","field":"x"}],"outputs":[{"id":"out","name":"Out","field":"y"}],' +
    `"rules":[${rows.join()}]}},{"id":"o","type":"outputNode","name":"Response"}],` +
    '"edges":[{"id":"a","sourceId":"i","targetId":"t"},{"id":"b","sourceId":"t","targetId":"o"}]}}';
  return `{"decisions":[${Array.from({ length: models }, (_, index) => item(index)).join()}]}`;
}

function placesOf(request: Buffer): number[] {
  const places: number[] = [];
  for (let at = request.indexOf(mark); at !== -1; at = request.indexOf(mark, at + mark.length)) places.push(at);
  return places;
}
