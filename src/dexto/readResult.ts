// Threat: a plugin's answer is read by people and by the model. It may hold secrets of the plugin's settings, characters that
// forge what is read, texts without end, and getters that answer differently each time: every field is read once.
import { inertLine, inertText, truncate } from '../base/text.ts';
import { isRecord } from '../base/json.ts';
import { PincerError } from '../base/errors.ts';
import { copyData } from '../base/untrusted.ts';
import type { PluginNotice } from './pluginTypes.ts';

/** What a plugin answered, read and made safe to show. */
export interface ReadAnswer {
  readonly ok: boolean;
  readonly cancel: boolean;
  /** As the plugin gave it: see `applyModify`. */
  readonly modify?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly notices: readonly PluginNotice[];
}

const maxMessage = 4_000;
const maxNotices = 20;
const maxNotice = 500;
const maxCode = 80;
const noticeKinds: readonly unknown[] = ['allow', 'block', 'warn', 'info'] satisfies PluginNotice['kind'][];

/**
 * Reads what a plugin returned. As in Dexto plugin specification, what is not `ok` in the sense of JavaScript counts as false.
 * @param redact takes the secrets of the plugin's settings out of a text
 * @throws PincerError `dexto_result_invalid`: it is no result, which counts as an exception
 */
export function readResult(value: unknown, redact: (text: string) => string): ReadAnswer {
  if (!isRecord(value)) throw invalidResult(`it returned ${nameOf(value)} in place of { ok }`);
  const { ok, cancel, modify, message, notices } = value;
  if (isSaid(modify) && !isRecord(modify)) throw invalidResult('its modify is no object');
  return {
    ok: Boolean(ok),
    cancel: Boolean(cancel),
    ...(isRecord(modify) ? { modify } : {}),
    ...(typeof message === 'string' && message.trim() !== ''
      ? { message: truncate(inertText(redact(message)), maxMessage) }
      : {}),
    notices: Array.isArray(notices) ? readNotices(notices, redact) : [],
  };
}

function readNotices(notices: readonly unknown[], redact: (text: string) => string): PluginNotice[] {
  return notices
    .slice(0, maxNotices)
    .filter(isRecord)
    .map(({ kind, code, message, details }) => ({
      kind: noticeKinds.includes(kind) ? (kind as PluginNotice['kind']) : 'info',
      ...(typeof code === 'string' ? { code: inertLine(redact(code), maxCode) } : {}),
      message: typeof message === 'string' ? inertLine(redact(message), maxNotice) : '',
      ...(isRecord(details) ? { details: redactTexts(copyData(details), redact) } : {}),
    }));
}

function redactTexts<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => redactTexts(each, redact)) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redactTexts(each, redact)]),
  ) as T;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function invalidResult(why: string): PincerError {
  return new PincerError('dexto_result_invalid', `It gave no valid result: ${why}.`);
}
