import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { KeyPath, TextPosition, SourcePositions } from './parseAgentYaml.ts';
import { valueAt } from './valueAt.ts';

/** Collects what is to be said about one agent file. */
export interface Report {
  /** Says something about the value at `path`, or with `at: 'key'` about its key. */
  add(problem: ReportedProblem): void;
  /** Where the key at `path` stands, 1-based. */
  lineOf(path: KeyPath): number;
  /** What the file itself says at `path`: safe to show, where the value itself may come from the environment. */
  textAt(path: KeyPath): string;
  hasErrors(): boolean;
  /** True once more was said than anyone reads: the rest is left out. */
  isFull(): boolean;
  diagnostics(): readonly Diagnostic[];
}

interface ReportedProblem {
  readonly level: Diagnostic['level'];
  readonly code: string;
  readonly path: KeyPath;
  readonly at?: 'key' | 'value';
  readonly message: string;
  readonly hint?: string;
}

const maxDiagnostics = 100;

/**
 * @param source absolute path of the agent file
 * @param root its values as they stand there
 */
export function createReport(source: string, places: SourcePositions, root: unknown): Report {
  const said: Diagnostic[] = [];
  let errors = 0;
  return {
    add: ({ level, code, path, at = 'value', message, hint }) => {
      if (level === 'error') errors += 1;
      if (said.length >= maxDiagnostics) return;
      const place: TextPosition = at === 'key' ? places.keyAt(path) : places.valueAt(path);
      said.push({ level, code, message, ...(hint === undefined ? {} : { hint }), source, ...place });
    },
    lineOf: (path) => places.keyAt(path).line,
    textAt: (path) => {
      const said = valueAt(root, path);
      return typeof said === 'string' ? said : '';
    },
    hasErrors: () => errors > 0,
    isFull: () => errors > 0 && said.length >= maxDiagnostics,
    diagnostics: () => said,
  };
}

/** `plugins.custom[1].priority` */
export function pathText(path: KeyPath): string {
  if (path.length === 0) return 'the file';
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./u, '');
}
