import { DEFAULT_ACCOUNT_ID } from './accountId.ts';
import { asRecord, isRecord, normalizeOptionalString } from './textHelpers.ts';
import type { ChannelFields } from './types/channelTypes.ts';

/** One thing that is asked while a channel is set up. */
export interface ChannelSetupField {
  readonly kind: 'string' | 'string-list' | 'boolean' | 'integer' | 'choice';
  readonly sensitive?: boolean;
  readonly choices?: readonly string[];
  readonly cli: { readonly flags: string; readonly description: string; readonly negatedFlags?: string };
}

type Parsed =
  { readonly ok: true; readonly value: ChannelFields } | { readonly ok: false; readonly error: string };

/** How a channel is set up: its fields, and the plugin's functions that are given them checked. */
export function defineChannelSetupContract(params: {
  readonly fields: Readonly<Record<string, ChannelSetupField>>;
  readonly adapter?: ChannelFields;
  readonly legacyAdapter?: ChannelFields;
}): ChannelFields {
  const { fields } = params;
  const adapter = params.adapter ?? params.legacyAdapter ?? {};
  const parseInput = (input: unknown): Parsed => parse(fields, input);
  const checked = (name: string, otherwise?: (request: ChannelFields) => unknown): unknown => {
    const method = adapter[name];
    if (typeof method !== 'function') return undefined;
    return (request: ChannelFields): unknown => {
      const parsed = parseInput(request['input'] ?? {});
      if (!parsed.ok && otherwise === undefined) return parsed.error;
      if (!parsed.ok) throw new Error(parsed.error);
      const result = (method as (request: ChannelFields) => unknown)({ ...request, input: parsed.value });
      return result ?? otherwise?.(request) ?? null;
    };
  };
  const asTheyAre = Object.entries(adapter).filter(([name]) => !withInput.has(name));
  const made = {
    resolveAccountId: checked('resolveAccountId', ({ accountId }) => accountId ?? DEFAULT_ACCOUNT_ID),
    prepareAccountConfigInput: checked('prepareAccountConfigInput', () => null),
    applyAccountConfig: checked('applyAccountConfig', () => null),
    afterAccountConfigWritten: checked('afterAccountConfigWritten', () => null),
    validateInput: checked('validateInput'),
  };
  return {
    ...Object.fromEntries(asTheyAre),
    kind: 'channel-owned',
    metadata: { fields: Object.entries(fields).map(([key, field]) => ({ ...field, key })) },
    parseInput,
    ...Object.fromEntries(Object.entries(made).filter(([, method]) => method !== undefined)),
  };
}

const withInput = new Set([
  'resolveAccountId',
  'prepareAccountConfigInput',
  'applyAccountConfig',
  'afterAccountConfigWritten',
  'validateInput',
]);

function parse(fields: Readonly<Record<string, ChannelSetupField>>, input: unknown): Parsed {
  if (input !== undefined && !isRecord(input)) return { ok: false, error: 'The input is no object.' };
  const value: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(asRecord(input))) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return { ok: false, error: `There is no field ${key}.` };
    if (given === undefined) continue;
    if (!fits(field, given)) return { ok: false, error: `${key} must be ${wanted(field)}.` };
    value[key] = given;
  }
  return { ok: true, value };
}

function fits({ kind, choices }: ChannelSetupField, given: unknown): boolean {
  if (kind === 'boolean') return typeof given === 'boolean';
  if (kind === 'integer') return Number.isInteger(given);
  if (kind === 'string-list') return Array.isArray(given) && given.every((each) => typeof each === 'string');
  return typeof given === 'string' && (kind !== 'choice' || choices?.includes(given) !== false);
}

function wanted({ kind, choices = [] }: ChannelSetupField): string {
  const words = {
    string: 'a text',
    'string-list': 'a list of texts',
    boolean: 'true or false',
    integer: 'an integer',
  };
  return kind === 'choice' ? `one of ${choices.join(', ')}` : words[kind];
}

/** Texts of a setup by their keys. There is no wizard here that would show them, so a key stands for its text. */
export function createSetupTranslator(
  options: { readonly keyPrefix?: string } = {},
): (key: string, params?: ChannelFields) => string {
  const prefix = normalizeOptionalString(options.keyPrefix)?.replace(/\.$/u, '');
  return (key) => (prefix === undefined || /^(?:common|wizard)\./u.test(key) ? key : `${prefix}.${key}`);
}

/** Words for the settings of a channel in a form. */
export function createChannelConfigUiHints(params: {
  readonly channelLabel: string;
  readonly dmPolicy?: object;
  readonly configWrites?: boolean;
  readonly [more: string]: unknown;
}): Readonly<Record<string, { readonly label: string; readonly help: string }>> {
  const { channelLabel: label, dmPolicy, configWrites } = params;
  return {
    ...(dmPolicy === undefined
      ? {}
      : {
          dmPolicy: {
            label: `${label}: direct messages`,
            help: 'Who may write: pairing, allowlist, open or disabled.',
          },
        }),
    ...(configWrites === true
      ? { configWrites: { label: `${label}: write settings`, help: 'No effect: the settings are yours.' } }
      : {}),
  };
}

/** A command as the user types it. */
export function formatCliCommand(command: string): string {
  return command;
}

/** The version that a plugin's own package.json says, by the plugin's `require`. */
export function readPluginPackageVersion(params: {
  readonly require: (path: string) => unknown;
  readonly candidates?: readonly string[];
  readonly fallback?: string;
}): string {
  const { candidates = ['../package.json', './package.json'], fallback = 'unknown' } = params;
  for (const path of candidates) {
    const version = versionAt(params.require, path);
    if (version !== undefined) return version;
  }
  return fallback;
}

function versionAt(require: (path: string) => unknown, path: string): string | undefined {
  try {
    return normalizeOptionalString(asRecord(require(path))['version']);
  } catch {
    // Not there: the next candidate is.
    return undefined;
  }
}
