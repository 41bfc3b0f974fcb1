import { isRecord, pointerStep } from '../../json/index.js';
import { EngineError, type Diagnostic } from '../errors.js';

/** Takes a diagnostic: `validate` collects them, `compile` throws the first error. */
export type Report = (diagnostic: Diagnostic) => void;

/** Throws an error as an `EngineError` and lets warnings pass. */
export const throwErrors: Report = (diagnostic) => {
  if (diagnostic.severity !== 'warning') throw EngineError.from(diagnostic);
};

/** Reads the keys of one node's content, reporting what has the wrong type and going on with a harmless value. */
export class Reader {
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #pointer: string;
  readonly #report: Report;

  /** @param pointer from the node to `raw` */
  constructor(raw: unknown, path: string, report: Report, pointer = pointerStep(path)) {
    this.#path = path;
    this.#pointer = pointer;
    this.#report = report;
    if (isRecord(raw)) {
      this.#record = raw;
    } else {
      this.#record = {};
      this.reject(undefined, 'must be an object.');
    }
  }

  /** Text; '' where it is null or missing. */
  text(key: string): string {
    const value = this.#own(key);
    if (typeof value === 'string') return value;
    if (value !== undefined && value !== null) this.reject(key, 'must be text.');
    return '';
  }

  /** Text that must be there, though it may be empty. */
  required(key: string): string {
    const value = this.#own(key);
    if (value === undefined || value === null) this.reject(key, 'is missing.');
    return this.text(key);
  }

  flag(key: string): boolean {
    const value = this.#own(key);
    if (value !== undefined && value !== null && typeof value !== 'boolean') this.reject(key, 'must be true or false.');
    return value === true;
  }

  /** One of `options`; the first where it is null or missing. */
  choice<T extends string>(key: string, options: readonly [T, ...T[]]): T {
    const value = this.#own(key);
    if (value === undefined || value === null) return options[0];
    const found = options.find((option) => option === value);
    if (found === undefined) this.reject(key, `must be one of ${options.join(', ')}.`);
    return found ?? options[0];
  }

  /** Items of an array of objects, each with a reader of its own. */
  list(key: string): Reader[] {
    const value = this.#own(key);
    if (!Array.isArray(value)) {
      this.reject(key, 'must be an array.');
      return [];
    }
    return value.map((item: unknown, index) => {
      const pointer = `${this.#pointer}${pointerStep(key)}/${index}`;
      return new Reader(item, `${this.#path}.${key}[${index}]`, this.#report, pointer);
    });
  }

  /** All own keys with their raw values. */
  entries(): [string, unknown][] {
    return Object.entries(this.#record);
  }

  /** Reports what is wrong with a key, or with the object itself. */
  reject(key: string | undefined, message: string, severity?: 'warning'): void {
    const field = key === undefined ? this.#path : `${this.#path}.${key}`;
    const pointer = key === undefined ? this.#pointer : this.#pointer + pointerStep(key);
    const text = `\`${field}\` ${message}`;
    this.#report({ code: 'model_invalid', message: text, field, pointer, ...(severity && { severity }) });
  }

  #own(key: string): unknown {
    return Object.hasOwn(this.#record, key) ? this.#record[key] : undefined;
  }
}
