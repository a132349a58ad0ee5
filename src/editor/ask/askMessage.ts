import { inertLine } from '../../base/text.ts';

/** What somebody asks about a place without typing it. */
export type AskKind = 'explain' | 'fix';

/** A problem that an editor shows, by what a language service says. */
interface AskedProblem {
  readonly message: string;
  /** Who says so, such as `ts`. */
  readonly source?: string;
}

interface AskedPlace {
  /** The file's name, without folders. */
  readonly name: string;
  /** Lines from 1 on; absent, the whole file. */
  readonly lines?: { readonly first: number; readonly last: number };
  readonly problems: readonly AskedProblem[];
}

/** More problems than these are only counted: the model can ask for all of them. */
const maxProblems = 5;

/**
 * The message about an attached place. Its name and its problems come from files and language services, so each stays one quoted
 * piece: on one line, in marks that it can't close, and naming no tool of the panel. Pure.
 */
export function askMessage(kind: AskKind, { name, lines, problems }: AskedPlace): string {
  const where = `${quoted(name, 80)}${lines === undefined ? '' : `, ${describeLines(lines)}`}`;
  const [only, ...others] = problems;
  if (only === undefined) {
    return kind === 'explain' ? `Explain ${where}.` : `Find and fix what is wrong in ${where}.`;
  }
  const verb = kind === 'explain' ? 'Explain' : 'Fix';
  if (others.length === 0) return `${verb} this problem of ${where}: ${describeProblem(only)}`;
  const shown = problems.slice(0, maxProblems).map((problem) => `- ${describeProblem(problem)}`);
  const left = problems.length - shown.length;
  const more = left > 0 ? [`- and ${String(left)} more`] : [];
  return [`${verb} these problems of ${where}:`, '', ...shown, ...more].join('\n');
}

function describeLines({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? `line ${String(first)}` : `lines ${String(first)}–${String(last)}`;
}

function describeProblem({ message, source }: AskedProblem): string {
  return `${quoted(message, 500)}${source === undefined ? '' : ` (${quoted(source, 40)})`}`;
}

/** A code span around one line. The panel takes `#name` behind a space for a tool to use, also inside of it. */
function quoted(text: string, max: number): string {
  const line = inertLine(text, max).replace(/(?<=^|\s)#/gu, '\\#');
  const runs = [...line.matchAll(/`+/gu)].map(([run]) => run.length);
  const marks = '`'.repeat(Math.max(0, ...runs) + 1);
  const space = runs.length > 0 ? ' ' : '';
  return `${marks}${space}${line}${space}${marks}`;
}
