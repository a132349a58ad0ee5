import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { DextoErrorCode } from '../dextoErrors.ts';
import { locateFailure } from '../../plugins/load/locateFailure.ts';
import { loadFailure } from './loadFailure.ts';
import type { DextoCode, DextoFailure } from './loadTypes.ts';

/** What the plugin's code was doing. */
export type CodeStep = 'load' | 'make' | 'initialize';

const steps: Readonly<
  Record<
    CodeStep,
    { readonly code: DextoErrorCode; readonly phase: 'load' | 'register'; readonly text: string }
  >
> = {
  load: { code: 'PLUGIN_LOAD_FAILED', phase: 'load', text: 'could not be loaded' },
  make: {
    code: 'PLUGIN_INSTANTIATION_FAILED',
    phase: 'load',
    text: 'fails check 3 of 5, its constructor works',
  },
  initialize: { code: 'PLUGIN_INITIALIZATION_FAILED', phase: 'register', text: 'could not be initialized' },
};

const maxLength = 2_000;

/** The plugin's own code failed: what it threw, at its file and line where the error tells them. Pure. */
export function codeFailure(code: DextoCode, step: CodeStep, error: unknown): DextoFailure {
  const { entry, agentFile, codeDir, rootDir, redact } = code;
  const located = locateFailure(error, codeDir, rootDir);
  const { source = code.source, line } = located;
  const reason = located.message.replaceAll(/\s*\n\s*/gu, ' ').slice(0, maxLength);
  const { phase, text, ...about } = steps[step];
  const missing =
    error instanceof Error ? /^Cannot find (?:module|package) '(?<name>[^']*)'/u.exec(error.message) : null;
  const hint = missing === null ? undefined : installHint(missing.groups?.['name'] ?? '', source, rootDir);
  return loadFailure({
    ...{ ...about, entry, agentFile, phase, source },
    ...(line === undefined ? {} : { line }),
    message: redact(`plugin '${entry.name}' ${text}: ${reason} (${source})`),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** A file is missing, or nobody has installed a package. */
function installHint(name: string, from: string, rootDir: string): string {
  if (!/^(?:[./]|file:)/u.test(name)) return `Run npm install ${name} in ${rootDir}.`;
  return `There is no such file at ${join(from, '..', name)}, or it lies outside of ${rootDir}: correct the import in ${from}.`;
}

/** Where in the plugin's own files an error comes from: `guard.ts:12`. Only files that are there count: a stack may say anything. */
export function createErrorPlace(codeDir: string, rootDir: string): (error: unknown) => string | undefined {
  return (error) => {
    try {
      const { source, line } = locateFailure(error, codeDir, rootDir);
      if (source === undefined || line === undefined) return undefined;
      const path = relative(rootDir, source);
      const isFile = statSync(join(codeDir, path), { throwIfNoEntry: false })?.isFile() === true;
      return isFile ? `${path}:${String(line)}` : undefined;
    } catch {
      // What was thrown can not be read.
      return undefined;
    }
  };
}

/** What the five checks of the spec are called (Dexto plugin specification, Plugin Validation). */
const checks = {
  1: 'a default export',
  2: 'the default export is a class',
  3: 'its constructor works',
  4: 'at least one extension point',
  5: 'initialize and cleanup are functions',
} as const;

export interface FailedCheck {
  readonly check: keyof typeof checks;
  readonly problem: string;
  readonly hint?: string;
}

/** One of the five checks failed: which one, of which plugin, in which file. Pure. */
export function shapeFailure(code: DextoCode, { check, problem, hint }: FailedCheck): DextoFailure {
  const { entry, agentFile, source, redact } = code;
  return loadFailure({
    ...{ entry, agentFile, source },
    phase: 'load',
    code: check === 3 ? 'PLUGIN_INSTANTIATION_FAILED' : 'PLUGIN_INVALID_SHAPE',
    message: redact(
      `plugin '${entry.name}' fails check ${String(check)} of 5, ${checks[check]}: ${problem} (${source})`,
    ),
    ...(hint === undefined ? {} : { hint }),
  });
}
