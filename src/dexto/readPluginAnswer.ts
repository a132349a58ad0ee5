// Threat: a plugin's answer is read by people and by the model, and may come out of JSON that somebody else wrote. It may hold secrets
// of the plugin's settings, characters that forge what is read, texts without end, getters that answer differently each time, and
// fields that reach a prototype. Every field is read once, `__proto__` goes at any depth, and `constructor` and `prototype` are no
// fields of a payload.
import type { z } from 'zod';
import { PincerError } from '../base/errors.ts';
import { isRecord, isTooDeep, maxJsonDepth } from '../base/json.ts';
import { inertLine, inertText, truncate } from '../base/text.ts';
import { copyData } from '../base/untrusted.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';
import { isPluginErrorCode, type DextoErrorCode, type DextoPluginError } from './dextoErrors.ts';
import type { ExtensionPoint, PluginNotice } from './dextoTypes.ts';
import { pointRules } from './pointRules.ts';

/** What a plugin answered, read and made safe to show. */
export interface PluginAnswer {
  readonly ok: boolean;
  readonly decision: Decision;
  /** Fields of the payload to replace; the plugin keeps no hold of what is in them. */
  readonly modify?: Readonly<Record<string, unknown>>;
  /** Fields that it wanted to change, and can't. */
  readonly refused: readonly string[];
  readonly message?: string;
  readonly notices: readonly PluginNotice[];
  /** Of an error that says why it stops; absent: a block by its notices. */
  readonly code?: DextoErrorCode;
}

/** `ignored`: it wanted to stop, and is not blocking. `declined`: it is not ok, which stops nothing. */
type Decision = 'passed' | 'blocked' | 'ignored' | 'declined';

const maxMessage = 4_000;
const maxNotices = 20;
const maxNotice = 500;
const maxCode = 80;
const noticeKinds: readonly unknown[] = ['allow', 'block', 'warn', 'info'] satisfies PluginNotice['kind'][];

/**
 * Reads what a plugin returned at an extension point. As in Dexto plugin specification, what is not `ok` in the sense of JavaScript
 * counts as false. Pure.
 * @throws PincerError `dexto_result_invalid`, `dexto_modify_invalid`: it is no result, which counts as an exception
 * @throws Error where the data is nested too deeply to be copied
 */
export function readPluginAnswer(
  value: unknown,
  point: ExtensionPoint,
  { redact, blocking }: Pick<LoadedPlugin, 'redact' | 'blocking'>,
): PluginAnswer {
  if (!isRecord(value))
    throw invalidResult(
      `it returned ${nameOf(value)} in place of { ok }. Return { ok: true } where nothing is wrong`,
    );
  const { ok: isOk, cancel, modify, message, notices } = value;
  if (modify !== undefined && modify !== null && !isRecord(modify))
    throw invalidResult('its modify is no object. Write modify: { field: value }');
  const ok = Boolean(isOk);
  return {
    ok,
    decision: decide(ok, Boolean(cancel), blocking),
    ...readMessage(message, redact),
    notices: readNotices(notices, redact),
    ...(ok && isRecord(modify) ? readModify(point, modify) : { refused: [] }),
  };
}

/** A thrown {@link DextoPluginError} says what `cancel` says, and may say another code. Reads each field once; may throw as they do. */
export function readPluginError(
  { message, code, context }: DextoPluginError,
  { redact, blocking }: Pick<LoadedPlugin, 'redact' | 'blocking'>,
): PluginAnswer {
  const notices: unknown = isRecord(context) ? context.notices : undefined;
  return {
    ok: false,
    decision: decide(false, true, blocking),
    ...readMessage(message, redact),
    notices: readNotices(notices, redact),
    refused: [],
    ...(isPluginErrorCode(code) ? { code } : {}),
  };
}

function readMessage(message: unknown, redact: (text: string) => string): { readonly message?: string } {
  if (typeof message !== 'string' || message.trim() === '') return {};
  return { message: truncate(inertText(redact(message)), maxMessage) };
}

/**
 * The rules of Dexto plugin specification, Error Handling Pseudo-Code: what is not ok is not applied and stops only where a blocking
 * plugin cancels; what is ok is applied first, and may cancel then. A plugin that is not blocking never stops anything.
 */
function decide(ok: boolean, cancel: boolean, blocking: boolean): Decision {
  if (cancel) return blocking ? 'blocked' : 'ignored';
  return ok ? 'passed' : 'declined';
}

function readModify(
  point: ExtensionPoint,
  given: Readonly<Record<string, unknown>>,
): Pick<PluginAnswer, 'modify' | 'refused'> {
  const { fields } = pointRules[point];
  const refused: string[] = [];
  const modify: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(fields, key)) refused.push(inertLine(key, maxCode));
    else modify[key] = withoutPrototypes(copyData(value));
    // What can't be copied for the plugins behind this one would keep them from the payload.
    if (isTooDeep(modify[key]))
      throw invalidResult(`modify.${key} is nested more than ${maxJsonDepth} levels deep`);
  }
  for (const [field, schema] of Object.entries(fields)) {
    const checked = Object.hasOwn(modify, field) ? schema.safeParse(modify[field]) : undefined;
    const issue = checked?.error?.issues[0];
    if (issue !== undefined) throw invalidModify(point, [field, ...issue.path], issue, modify);
  }
  return { modify, refused };
}

/** Takes the field `__proto__` out of what is already a copy of our own. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(withoutPrototypes);
  else if (isRecord(value)) {
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    Object.values(value).forEach(withoutPrototypes);
  }
  return value;
}

function readNotices(given: unknown, redact: (text: string) => string): PluginNotice[] {
  // A copy: the methods of a list may be the plugin's own.
  const notices: readonly unknown[] = Array.isArray(given) ? copyData(given) : [];
  return notices
    .slice(0, maxNotices)
    .filter(isRecord)
    .map(({ kind, code, message, details }) => ({
      kind: noticeKinds.includes(kind) ? (kind as PluginNotice['kind']) : 'info',
      ...(typeof code === 'string' ? { code: inertLine(redact(code), maxCode) } : {}),
      message: typeof message === 'string' ? inertLine(redact(message), maxNotice) : '',
      ...(isRecord(details) ? { details: redactTexts(details, redact) } : {}),
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

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** What a plugin returned is no result. In the host's own words: no plugin ever holds one, so none can write into it. */
export class InvalidAnswer extends PincerError {
  readonly #mark = true;

  /** True for those that this file has made; `instanceof` asks an error what it says of itself. */
  static isOne(error: unknown): boolean {
    return typeof error === 'object' && error !== null && #mark in error;
  }
}

function invalidResult(why: string): InvalidAnswer {
  return new InvalidAnswer('dexto_result_invalid', `It gave no valid result: ${why}`);
}

/** What zod calls `expected`, and how it is written. */
const wantedKinds: Readonly<Record<string, readonly [name: string, example: string]>> = {
  string: ['a text', "'…'"],
  boolean: ['true or false', 'true'],
  object: ['an object', '{ … }'],
};

/** Names the field and what it should be, and quotes nothing: the value may be what the user wrote. */
function invalidModify(
  point: ExtensionPoint,
  path: readonly PropertyKey[],
  issue: z.core.$ZodIssue,
  modify: unknown,
): InvalidAnswer {
  const field = path.map(String).join('.');
  const expected = issue.code === 'invalid_type' ? issue.expected : '';
  const [wanted, example] = wantedKinds[expected] ?? ['another value', '…'];
  const found = path.reduce<unknown>(
    (value, key) => (isRecord(value) ? value[String(key)] : undefined),
    modify,
  );
  const written = path.reduceRight<string>((inner, key) => `{ ${String(key)}: ${inner} }`, example);
  return new InvalidAnswer(
    'dexto_modify_invalid',
    `modify.${field} must be ${wanted} at ${point}, and is ${nameOf(found)}. Write modify: ${written}`,
  );
}
