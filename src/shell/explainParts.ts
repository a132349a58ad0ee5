import { parse } from 'unbash';
import type { ShellKind } from './commandPlan.ts';
import { maxLineLength } from './readLine.ts';

/** A part of a command line, for the question to the user. Texts are as written and not inert: the surface makes them so. */
export interface CommandPart {
  readonly kind: 'command' | 'assignment' | 'redirect' | 'substitution' | 'line';
  readonly text: string;
  /** 0 for what stands in the line itself, 1 within a substitution, and so on. */
  readonly depth: number;
}

const maxParts = 200;

const kinds: Readonly<Record<string, CommandPart['kind']>> = {
  Command: 'command',
  Assignment: 'assignment',
  Redirect: 'redirect',
  HereDoc: 'redirect',
  HereString: 'redirect',
  CommandExpansion: 'substitution',
  ProcessSubstitution: 'substitution',
};

/**
 * The parts of a line for people, in the order they are written; the line itself where it can't be taken apart. Only an
 * explanation: `decideCommand` decides by its own grammar and never by this.
 */
export function explainParts(command: string, shell: ShellKind): readonly CommandPart[] {
  const whole: readonly CommandPart[] = [{ kind: 'line', text: command, depth: 0 }];
  if ((shell !== 'bash' && shell !== 'zsh') || command.length > 10 * maxLineLength) return whole;
  const parts = partsOf(command);
  return parts === undefined || parts.length === 0 || parts.length > maxParts ? whole : parts;
}

function partsOf(command: string): CommandPart[] | undefined {
  try {
    const script = parse(command);
    if ((script.errors?.length ?? 0) > 0 || leavesOut(command, script.commands)) return undefined;
    const parts: CommandPart[] = [];
    // As plain data: most nodes parse their parts by a getter, which a walk over their keys would miss.
    collect(JSON.parse(JSON.stringify(script)), command, 0, parts);
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

/** Walks the tree by its shape alone, so that no kind of node is forgotten. */
function collect(node: unknown, source: string, depth: number, parts: CommandPart[]): void {
  if (parts.length > maxParts || typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) collect(each, source, depth, parts);
    return;
  }
  const found = node as { type?: unknown; pos?: unknown; end?: unknown; source?: unknown };
  const { type, pos, end } = found;
  const kind = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind !== undefined && typeof pos === 'number' && typeof end === 'number') {
    parts.push({ kind, text: source.slice(pos, end), depth });
  }
  // What stands in backticks with escapes was decoded first; its nodes count in that text.
  const inner = typeof found.source === 'string' ? found.source : source;
  const innerDepth = kind === 'substitution' ? depth + 1 : depth;
  for (const each of Object.values(node)) collect(each, inner, innerDepth, parts);
}
