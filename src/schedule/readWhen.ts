import type { When } from './job.ts';
import { jobInvalid } from './scheduleErrors.ts';

/** When a job shall be due, as people and models write it. One of the three. */
export interface WhenText {
  /** An ISO 8601 time, local where it names no zone, or the time from now: `20m`. */
  readonly at?: string;
  /** `30m`, `2h`, `1d`. */
  readonly every?: string;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron?: string;
  /** IANA name of the time zone of `cron`; default this machine's. */
  readonly tz?: string;
}

/** What a person types in one line: `20m`, `every 2h`, `0 9 * * 1-5`, `0 9 * * 1-5 Europe/Vienna`, `2026-12-01T09:00`. Pure. */
export function splitWhen(line: string): WhenText {
  const text = line.trim();
  const { every } = /^every\s+(?<every>.+)$/iu.exec(text)?.groups ?? {};
  if (every !== undefined) return { every };
  const { cron, tz } = /^(?<cron>\S+(?:\s+\S+){4})(?:\s+(?<tz>\S+))?$/u.exec(text)?.groups ?? {};
  if (cron !== undefined) return { cron, ...(tz === undefined ? {} : { tz }) };
  return { at: text };
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** No job is due more often. Milliseconds. */
export const shortestMs = 60_000;

/** Farther away no timer makes sense. Milliseconds. */
const longestMs = 366 * 86_400_000;

/** `now` is the time of the machine. @throws PincerError `job_invalid` */
export function readWhen(text: WhenText, now: number): When {
  const { at, every, cron, tz } = text;
  const said = [at, every, cron].filter((each) => each !== undefined).length;
  if (said !== 1) throw jobInvalid('exactly one of at, every and cron says when');
  if (tz !== undefined && cron === undefined)
    throw jobInvalid('a time zone (tz) goes with a cron expression');
  if (cron !== undefined) return { kind: 'cron', expr: cron.trim(), ...(tz === undefined ? {} : { tz }) };
  if (every !== undefined) return everyOf(readDuration(every), every, now);
  return { kind: 'at', at: readTime(at ?? '', now) };
}

function everyOf(ms: number | undefined, text: string, now: number): When {
  if (ms === undefined || ms < shortestMs || ms > longestMs)
    throw jobInvalid(`"${text}" is no interval between a minute and a year`);
  return { kind: 'every', everyMs: ms, anchor: now };
}

function readTime(text: string, now: number): number {
  const after = readDuration(text);
  const time = after === undefined ? Date.parse(text) : now + after;
  if (Number.isNaN(time)) throw jobInvalid(`"${text}" is no time`);
  if (time <= now) throw jobInvalid(`"${text}" has passed`);
  return time;
}

/** `90s`, `20m`, `2h`, `1d` in milliseconds; undefined where it is something else. Pure. */
export function readDuration(text: string): number | undefined {
  const { count, unit } = /^(?<count>\d{1,9})\s*(?<unit>[smhd])$/u.exec(text.trim())?.groups ?? {};
  const ms = units[unit ?? ''];
  return count === undefined || ms === undefined ? undefined : Number(count) * ms;
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

function describeDuration(ms: number): string {
  const unit = ['d', 'h', 'm', 's'].find((each) => ms % (units[each] ?? 1) === 0);
  return unit === undefined
    ? `${String(ms)} ms`
    : `${String(ms / (units[unit] ?? 1))} ${unit === 'm' ? 'min' : unit}`;
}
