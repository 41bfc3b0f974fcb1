import { DateTime, type Zone } from 'luxon';
import type { RunState, Value } from '../../values.js';
import { chargeText } from '../budget.js';
import { readMoment } from '../dates/read.js';
import { utc, zoneNamed } from '../dates/zones.js';
import { quoted } from '../sourceSpan.js';
import { ZenDate } from '../values/date.js';
import { isNumeric } from '../values/numbers.js';
import { wholePart } from '../values/rounding.js';
import { anything, callError, define, optional, string, type CallSite, type ZenFunction } from './define.js';

export function now(run: RunState, zone: Zone = utc): ZenDate {
  return new ZenDate(DateTime.fromMillis(run.now(), { zone }));
}

/** The zone of a name. @throws EngineError `type_error` when there is none. */
export function zoneOf(call: CallSite, name: string): Zone {
  const zone = zoneNamed(name);
  if (!zone)
    throw callError(call, `does not know the time zone ${quoted(name)}; it takes names such as \`Europe/Berlin\``);
  return zone;
}

/**
 * The date that a value names: a date, milliseconds since 1970, a text, or the name of a zone, which stands for now. The
 * invalid date for the rest. Dates keep their own zone where none is given.
 */
export function toDate(run: RunState, value: Value, zone?: Zone): ZenDate {
  if (value instanceof ZenDate) {
    if (zone === undefined && value.text === undefined) return value;
    return new ZenDate(zone === undefined || value.moment === null ? value.moment : value.moment.setZone(zone));
  }
  return dateNamed(run, value, zone ?? utc);
}

function dateNamed(run: RunState, value: Exclude<Value, ZenDate>, zone: Zone): ZenDate {
  if (isNumeric(value)) {
    const millis = wholePart(value);
    return new ZenDate(
      millis === undefined ? null : DateTime.fromMillis(Math.min(Math.max(millis, -9e15), 9e15), { zone }),
    );
  }
  if (typeof value !== 'string') return new ZenDate(null);
  chargeText(run, value);
  const moment = readMoment(value, zone);
  const named = moment === null ? zoneNamed(value) : undefined;
  return named ? now(run, named) : new ZenDate(moment);
}

export const dateFunctions: readonly ZenFunction[] = [
  define({
    name: 'd',
    parameters: [optional(anything('value')), optional(string('zone'))],
    gives: 'a date',
    summary: 'The date that a text or a number of milliseconds names, in a time zone (UTC); without arguments now.',
    example: "d('2023-10-15 14:30', 'Europe/Berlin')",
    run: (call, run, value: Value | undefined, zone: string | undefined) =>
      value === undefined ? now(run) : toDate(run, value, zone === undefined ? undefined : zoneOf(call, zone)),
  }),
];
