import type { When } from './job.ts';
import { jobInvalid } from './scheduleErrors.ts';

/** When a job shall be due, as people and models write it. One of the three. */
export interface WhenText {
  /** An ISO 8601 time, local where it names no zone; `tomorrow at 9`, `18:30`; or the time from now: `20m`. */
  readonly at?: string;
  /** `30m`, `2h`, `day`, `weekday at 9:30`. */
  readonly every?: string;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron?: string;
  /** IANA name of the time zone of `cron`; default this machine's. */
  readonly tz?: string;
}

/**
 * What a person types in one line: `20m`, `tomorrow at 9`, `2026-12-01T09:00`, `every 2h`, `every weekday at 9:30`, `0 9 * * 1-5`,
 * `0 9 * * 1-5 Europe/Vienna`. Pure.
 */
export function splitWhen(line: string): WhenText {
  const text = line.trim();
  const { every } = /^every\s+(?<every>.+)$/iu.exec(text)?.groups ?? {};
  if (every !== undefined) return splitEvery(every.trim());
  const { cron, tz } = /^(?<cron>[\d*](?:\S*\s+[\w*,/?#-]+){4})(?:\s+(?<tz>\S+))?$/u.exec(text)?.groups ?? {};
  if (cron !== undefined) return { cron, ...(tz === undefined ? {} : { tz }) };
  return { at: text };
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** `2h`, `hour`, `day at 9`, `weekday at 9:30`, `monday at 18`. */
function splitEvery(text: string): WhenText {
  const { day = '', time } = /^(?<day>\w+)\s+at\s+(?<time>.+)$/iu.exec(text)?.groups ?? {};
  const at = time === undefined ? undefined : readClock(time);
  const onDays = daysOf(day.toLowerCase());
  if (at !== undefined && onDays !== undefined)
    return { cron: `${String(at.minute)} ${String(at.hour)} * * ${onDays}` };
  return { every: text };
}

/** As cron has them. */
function daysOf(name: string): string | undefined {
  if (name === 'day') return '*';
  if (name === 'weekday') return '1-5';
  const at = days.indexOf(name);
  return at === -1 ? undefined : String(at);
}

/** `9`, `9:30`, `18:30`, `9am`, `6:30 pm`. */
function readClock(text: string): { readonly hour: number; readonly minute: number } | undefined {
  const {
    h,
    m = '0',
    half,
  } = /^(?<h>\d{1,2})(?::(?<m>\d{2}))?\s*(?<half>am|pm)?$/iu.exec(text.trim())?.groups ?? {};
  const [said, minute] = [Number(h), Number(m)];
  const hour = half === undefined ? said : (said % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  const isClock =
    h !== undefined && hour < 24 && minute < 60 && (half === undefined || (said > 0 && said < 13));
  return isClock ? { hour, minute } : undefined;
}

/** By each of their names, in milliseconds. */
const units: ReadonlyMap<string, number> = new Map([
  ...named(1_000, 's', 'sec', 'second', 'seconds'),
  ...named(60_000, 'm', 'min', 'minute', 'minutes'),
  ...named(3_600_000, 'h', 'hour', 'hours'),
  ...named(86_400_000, 'd', 'day', 'days'),
  ...named(604_800_000, 'week', 'weeks'),
]);

function named(ms: number, ...names: readonly string[]): readonly (readonly [string, number])[] {
  return names.map((name) => [name, ms]);
}

/** No job is due more often. Milliseconds. */
export const minIntervalMs = 60_000;

/** Farther away no timer makes sense. Milliseconds. */
const maxIntervalMs = 366 * 86_400_000;

/** `now` is the time of the machine. @throws PincerError `job_invalid` */
export function readWhen(text: WhenText, now: number): When {
  const { at, every, cron, tz } = text;
  const said = [at, every, cron].filter((each) => each !== undefined).length;
  if (said !== 1) throw jobInvalid('exactly one of at, every and cron says when');
  if (tz !== undefined && cron === undefined)
    throw jobInvalid('a time zone (tz) goes with a cron expression');
  if (cron !== undefined) return { kind: 'cron', expr: cron.trim(), ...(tz === undefined ? {} : { tz }) };
  if (every !== undefined) {
    const { cron: days } = splitEvery(every.trim());
    return days === undefined ? everyOf(readDuration(every), every, now) : { kind: 'cron', expr: days };
  }
  return { kind: 'at', at: readTime(at ?? '', now) };
}

function everyOf(ms: number | undefined, text: string, now: number): When {
  if (ms === undefined || ms < minIntervalMs || ms > maxIntervalMs)
    throw jobInvalid(`"${text}" is no interval between a minute and a year`);
  return { kind: 'every', everyMs: ms, anchor: now };
}

function readTime(text: string, now: number): number {
  const after = readDuration(text.replace(/^in\s+/iu, ''));
  const time = after === undefined ? (readNamed(text, now) ?? readDate(text)) : now + after;
  if (time === undefined) throw jobInvalid(`"${text}" is no time`);
  if (time <= now) throw jobInvalid(`"${text}" has passed`);
  return time;
}

const dateForms = [
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?)?$/iu,
  // `Date.prototype.toUTCString`
  /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/u,
];

/** Undefined for what only looks like a date: `Date.parse` makes something of "tuesday at 9", too. */
function readDate(text: string): number | undefined {
  const isDate = dateForms.some((form) => form.test(text.trim()));
  const time = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** `18:30`, `at 9`, `today at 18`, `tomorrow at 9:30`, by this machine's clock; a time alone is the next one. */
function readNamed(text: string, now: number): number | undefined {
  const { day = '', time = '' } =
    /^(?:(?<day>today|tomorrow)\s+)?(?:at\s+)?(?<time>.+)$/iu.exec(text.trim())?.groups ?? {};
  // A number alone is no time of the day.
  const clock = /^\d+$/u.test(text.trim()) ? undefined : readClock(time);
  if (clock === undefined) return undefined;
  const date = new Date(now);
  date.setHours(clock.hour, clock.minute, 0, 0);
  const isNext = day === '' && date.getTime() <= now;
  if (day.toLowerCase() === 'tomorrow' || isNext) date.setDate(date.getDate() + 1);
  return date.getTime();
}

/** `90s`, `20m`, `2h`, `1d`, `30 minutes`, `day` in milliseconds; undefined where it is something else. Pure. */
function readDuration(text: string): number | undefined {
  const { count = '1', unit = '' } =
    /^(?<count>\d{1,9})?\s*(?<unit>[a-z]+)$/iu.exec(text.trim())?.groups ?? {};
  const ms = units.get(unit.length === 1 ? unit : unit.toLowerCase());
  return ms === undefined ? undefined : Number(count) * ms;
}

/** `once at 2026-12-01T09:00:00.000Z`, `every 30 min`, `0 9 * * 1-5 (Europe/Vienna)`. Pure. */
export function describeWhen(when: When): string {
  switch (when.kind) {
    case 'at':
      return `once at ${new Date(when.at).toISOString()}`;
    case 'every':
      return `every ${describeDuration(when.everyMs)}`;
    case 'cron':
      return when.tz === undefined ? when.expr : `${when.expr} (${when.tz})`;
  }
}

/** What `splitWhen` reads as the same again, for a person who changes it. Times are this machine's, to the minute. Pure. */
export function writeWhen(when: When): string {
  switch (when.kind) {
    case 'at':
      return writeTime(new Date(when.at));
    case 'every':
      return `every ${describeDuration(when.everyMs)}`;
    case 'cron':
      return when.tz === undefined ? when.expr : `${when.expr} ${when.tz}`;
  }
}

function writeTime(time: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function describeDuration(ms: number): string {
  const unit = ['d', 'h', 'm', 's'].find((each) => ms % (units.get(each) ?? 1) === 0);
  return unit === undefined
    ? `${String(ms)} ms`
    : `${String(ms / (units.get(unit) ?? 1))} ${unit === 'm' ? 'min' : unit}`;
}
