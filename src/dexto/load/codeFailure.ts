import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { DextoErrorCode } from '../dextoErrors.ts';
import { isInside } from '../../plugins/discover/isInside.ts';
import { locateFailure } from '../../plugins/load/locateFailure.ts';
import { codeEndings } from './findImports.ts';
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
  return loadFailure({
    ...{ ...about, entry, agentFile, phase, source },
    ...(line === undefined ? {} : { line }),
    message: redact(`plugin '${entry.name}' ${text}: ${reason} (${placed(source, line)})`),
    hint: redact(remedyFor(error, source, code)),
  });
}

function placed(source: string, line: number | undefined): string {
  return line === undefined ? source : `${source}:${String(line)}`;
}

/** What to do about what the code threw. */
function remedyFor(error: unknown, source: string, { rootDir, agentFile, entry }: DextoCode): string {
  const missing =
    error instanceof Error ? /^Cannot find (?:module|package) '(?<name>[^']*)'/u.exec(error.message) : null;
  if (missing !== null) return importRemedy(missing.groups?.['name'] ?? '', source, rootDir);
  if (error instanceof PincerError && error.code === 'plugin_timed_out')
    return `Let it begin long work there, and not wait for it: ${source}.`;
  if (error instanceof PincerError && error.hint !== undefined) return error.hint;
  return `Correct ${source}, or write enabled: false for ${entry.name} at ${agentFile}:${String(entry.line)}.`;
}

/** Nobody has installed a package; a file is missing, lies elsewhere, or was not seen to be needed. */
function importRemedy(name: string, from: string, rootDir: string): string {
  if (!/^(?:[./]|file:)/u.test(name)) return `Run npm install ${name} in ${rootDir}.`;
  const target = name.startsWith('.') ? join(dirname(from), name) : name;
  const isThere = ['', ...codeEndings].some((ending) => existsSync(`${target}${ending}`));
  if (!isThere) return `There is no file ${target}: correct the import in ${from}.`;
  if (!isInside(rootDir, target))
    return `${target} lies outside of ${rootDir}, the folder of the plugin: move it there, and correct the import in ${from}.`;
  return `${target} is there, but only files whose names stand in an import are taken along: write it so in ${from}, or give the plugin a folder of its own.`;
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

interface FailedCheck {
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
