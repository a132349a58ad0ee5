import { createHash } from 'node:crypto';
import { stableStringify } from '../../base/json.ts';
import type { ConsentNeed } from '../pluginTypes.ts';
import type { ConsentRecords, Consent, InFolder } from './consentRecords.ts';

export function isSame(a: InFolder, b: InFolder): boolean {
  return a.id === b.id && a.rootDir === b.rootDir;
}

interface ConsentQuestion extends InFolder {
  readonly hash: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Stands for the settings among the files that changed. */
export const settingsName = '(settings)';

/**
 * What is agreed to where a workspace brings a plugin's settings. Threat: a pull leaves a plugin's code alone and changes its
 * settings, such as the command it runs; so settings count as one of its files. Pure; `undefined` stands for no settings.
 */
export function withSettings(
  { hash, files }: Pick<ConsentQuestion, 'hash' | 'files'>,
  settings: unknown,
): Pick<ConsentQuestion, 'hash' | 'files'> {
  if (settings === undefined) return { hash, files };
  const own = sha256(stableStringify(settings));
  return { hash: sha256(`${hash} ${own}`), files: { ...files, [settingsName]: own } };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * What still has to be asked before these files may run; undefined where the user has agreed to them. A plugin that the user
 * is developing is asked about like any other: only a save by hand renews its consent, since the agent can
 * write the same files. Pure.
 */
export function judgeConsent(
  question: ConsentQuestion,
  consents: readonly Consent[],
): ConsentNeed | undefined {
  const own = consents.filter((each) => each.id === question.id);
  if (own.some((each) => each.hash === question.hash)) return undefined;
  const before = own.find((each) => each.rootDir === question.rootDir);
  if (before === undefined) return { why: 'never-enabled', hash: question.hash, changedFiles: [] };
  return {
    why: 'files-changed',
    hash: question.hash,
    changedFiles: changesBetween(before.files, question.files),
  };
}

/** Whether the user has marked the plugin in this folder "I am developing this". Pure. */
export function isDeveloping(
  plugin: InFolder,
  { consents, intended }: Pick<ConsentRecords, 'consents' | 'intended'>,
): boolean {
  return (
    consents.some((each) => isSame(each, plugin) && each.developing === true) ||
    intended.some((each) => isSame(each, plugin))
  );
}

/** What the user has let the plugin in this folder register beyond what its text tells. Pure. */
export function moreOf(plugin: InFolder, consents: readonly Consent[]): { readonly more?: string[] } {
  const { more } = consents.find((each) => isSame(each, plugin)) ?? {};
  return more === undefined ? {} : { more };
}

/**
 * Whether saving these files by hand renews the consent: the plugin is marked, and of its files none has changed but the
 * saved ones. What the agent or a pull changed beside them is asked about. Pure.
 */
export function mayRenew(
  question: ConsentQuestion,
  savedFiles: readonly string[],
  agreed: Pick<ConsentRecords, 'consents' | 'intended'>,
): boolean {
  const need = judgeConsent(question, agreed.consents);
  return (
    need?.why === 'files-changed' &&
    isDeveloping(question, agreed) &&
    need.changedFiles.every((path) => savedFiles.includes(path))
  );
}

function changesBetween(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}
