import type { ConsentNeed } from '../pluginTypes.ts';
import type { Consent } from './consentStore.ts';

export interface ConsentQuestion {
  readonly id: string;
  readonly rootDir: string;
  readonly hash: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What still has to be asked before these files may run; undefined where the user has agreed to them. Pure. */
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

function changesBetween(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}
