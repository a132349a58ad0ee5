import { parse } from 'unbash';
import type { CommandPart } from '../contracts/tool.ts';
import type { ShellKind } from './commandPlan.ts';
import { maxLineLength } from './readLine.ts';

/** A part of a command line, for the question to the user. Texts are as written and not inert: the surface makes them so. */
export interface ExplainedPart extends CommandPart {
  readonly kind: 'command' | 'assignment' | 'redirect' | 'substitution' | 'line';
  /** 0 for what stands in the line itself, 1 within a substitution, and so on. */
  readonly depth: number;
}

const maxParts = 200;

const kinds: Readonly<Record<string, ExplainedPart['kind']>> = {
  Command: 'command',
  Assignment: 'assignment',
  Redirect: 'redirect',
  HereDoc: 'redirect',
  HereString: 'redirect',
  CommandExpansion: 'substitution',
  ProcessSubstitution: 'substitution',
};

/**
 * The parts of a line for people, in the order they are written; the line itself where it can't be taken apart. What a command sets
 * and redirects belongs to it; what a compound one redirects is a part of its own, since no text shows both. Only an
 * explanation: `decideCommand` decides by its own grammar and never by this.
 */
export function explainParts(command: string, shell: ShellKind): readonly ExplainedPart[] {
  const whole: readonly ExplainedPart[] = [{ kind: 'line', text: command, depth: 0 }];
  if ((shell !== 'bash' && shell !== 'zsh') || command.length > 10 * maxLineLength) return whole;
  const parts = partsOf(command);
  return parts === undefined || parts.length === 0 || parts.length > maxParts ? whole : parts;
}

function partsOf(command: string): ExplainedPart[] | undefined {
  try {
    const script = parse(command);
    if ((script.errors?.length ?? 0) > 0 || leavesOut(command, script.commands)) return undefined;
    const parts: ExplainedPart[] = [];
    // As plain data: most nodes parse their parts by a getter, which a walk over their keys would miss.
    collect(JSON.parse(JSON.stringify(script)), { source: command, depth: 0, owned: [] }, parts);
    return parts;
  } catch {
    // A line that the parser stumbles over is shown as it is.
    return undefined;
  }
}

/** The parser is tolerant: parts that do not cover the line would tell only half of it. */
function leavesOut(
  command: string,
  statements: readonly { readonly pos: number; readonly end: number }[],
): boolean {
  const ends = [...statements.map((each) => each.end), command.length];
  const starts = [...statements.map((each) => each.pos), command.length];
  const gaps = starts.map((start, index) => command.slice(index === 0 ? 0 : ends[index - 1], start));
  return gaps.some((gap) => !/^[\s;&]*$/u.test(gap));
}

/** Where a node stands. */
interface Around {
  readonly source: string;
  readonly depth: number;
  /** What the text of the command above it shows. */
  readonly owned: readonly unknown[];
}

/** Walks the tree by its shape alone, so that no kind of node is forgotten. */
function collect(node: unknown, around: Around, parts: ExplainedPart[]): void {
  if (parts.length > maxParts || typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) collect(each, around, parts);
    return;
  }
  const { source, depth, owned } = around;
  const kind = kindOf(node);
  const own = kind === 'command' ? piecesOf(node) : [];
  if (kind !== undefined && !owned.includes(node)) {
    const pieces = own.map((piece) => textOf(piece, source));
    parts.push({ kind, text: textOf(node, source), depth, ...(pieces.length === 0 ? {} : { pieces }) });
  }
  const inner = {
    // What stands in backticks with escapes was decoded first; its nodes count in that text.
    source: 'source' in node && typeof node.source === 'string' ? node.source : source,
    depth: kind === 'substitution' ? depth + 1 : depth,
    owned: own,
  };
  for (const each of Object.values(node)) collect(each, inner, parts);
}

/** A node with its place in the text. */
interface Placed {
  readonly type: string;
  readonly pos: number;
  readonly end: number;
}

function kindOf(node: unknown): ExplainedPart['kind'] | undefined {
  return isPlaced(node) && Object.hasOwn(kinds, node.type) ? kinds[node.type] : undefined;
}

function isPlaced(node: unknown): node is Placed {
  if (typeof node !== 'object' || node === null) return false;
  const { type, pos, end } = node as Partial<Record<keyof Placed, unknown>>;
  return typeof type === 'string' && typeof pos === 'number' && typeof end === 'number';
}

/** The assignments and redirections of a simple command. */
function piecesOf(command: object): readonly unknown[] {
  const { prefix, suffix } = command as { readonly prefix?: unknown; readonly suffix?: unknown };
  return [prefix, suffix].flat().filter((each) => ['assignment', 'redirect'].includes(kindOf(each) ?? ''));
}

function textOf(node: unknown, source: string): string {
  return isPlaced(node) ? source.slice(node.pos, node.end) : '';
}
