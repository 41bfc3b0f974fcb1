/** How people write cells that ZEN writes otherwise; each is a kind of repair. */
export type FormName =
  | 'range'
  | 'comparison'
  | 'alternatives'
  | 'number'
  | 'percent'
  | 'share'
  | 'currency'
  | 'unit'
  | 'scale'
  | 'date'
  | 'time'
  | 'order'
  | 'bound'
  | 'truth'
  | 'text'
  | 'quotes'
  | 'capitals'
  | 'exception'
  | 'nothing'
  | 'inverted'
  | 'everything'
  | 'code'
  | 'formula'
  | 'foreign';

/** What a cell is in ZEN, and which habits its author has. */
export interface Written {
  readonly text: string;
  readonly form: FormName;
  readonly units: readonly string[];
}
