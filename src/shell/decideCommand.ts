// Threat: what runs without a question must be what the allow list says, whatever a model, a web page behind it or a file of
// the workspace wrote into the line. Only a line that the grammar reads whole can be allowed, and only if each of its commands is.
import { truncate } from '../base/text.ts';
import type { CommandPlan, CommandRules, SimpleCommand } from './commandPlan.ts';
import { findPatternMatch, writePattern, type PatternMatch } from './commandPattern.ts';
import { reasonOfDefault } from './defaultCommandRules.ts';
import { findDenied } from './findDenied.ts';
import type { HarmlessUse } from './findHarmlessUse.ts';
import { asksShell, readLine, type LineCommand, type LineStep, type ReadSteps } from './readLine.ts';
import { shellSyntax } from './shellSyntax.ts';

export interface CommandDecision {
  /** `allowed`: read whole, and the allow list covers each command. `denied`: the deny list names one. */
  readonly verdict: 'allowed' | 'ask' | 'denied';
  /** True where every command asks (`ask: always`), however harmless. */
  readonly isAlwaysAsked?: boolean;
  /** One short sentence. */
  readonly reason: string;
  /**
   * There where the grammar read the whole line and nothing in it needs a shell. An allowed line without a plan (file names
   * by `*`, a `~`, PowerShell, cmd) is given to `rules.shell` exactly as it was written.
   */
  readonly plan?: CommandPlan;
  /** The names of its programs, as they were written; there where the grammar read the whole line. */
  readonly programs?: readonly string[];
  /** What the allow list covers because it is known to be harmless, where its files are no secret; there where it is `allowed`. */
  readonly uses?: readonly HarmlessUse[];
  /** How it runs where nobody was asked: with options that keep files of the workspace from running anything. */
  readonly unasked?: CommandPlan;
  /** The folder that the line changes into first, as it was written. */
  readonly folder?: string;
  /**
   * What an "always" would cover: for each step of the line the allow-list pattern that matches exactly it, or those of a pipeline
   * with `|` between them. Undefined where a step can't be covered.
   */
  readonly patterns?: Patterns;
}

/** Each once, in the order of the line. */
type Patterns = readonly [string, ...string[]];

/** The whole line stands beside the reason: which of its commands are meant, this much says; of one, nothing has to. */
const maxNamed = 60;
const maxNames = 3;

/** Decides about one command line. Pure, never throws, linear in the length of the line. */
export function decideCommand(command: string, rules: CommandRules): CommandDecision {
  const read = readLine(command, rules.shell);
  const denied = findDenied(command, read, rules.deny, rules.shell);
  if (denied !== undefined) return { verdict: 'denied', reason: denialReason(denied) };
  if ('problem' in read) return { verdict: 'ask', reason: `The line can't be read safely: ${read.problem}.` };
  const plan = planOf(read, rules);
  const covers = new Map<LineCommand, PatternMatch>();
  const commands = commandsOf(read.steps);
  for (const each of commands) {
    const cover = coverOf(each, rules);
    if (cover !== undefined) covers.set(each, cover);
  }
  const isUse = (command: LineCommand): boolean => covers.get(command)?.use !== undefined;
  // An "always" would not say where.
  const patterns =
    read.folder === undefined ? patternsOf(read.steps, { isPlanned: plan !== undefined, isUse }) : undefined;
  const found = {
    programs: commands.map(({ words: [program] }) => program.text),
    ...(plan === undefined ? {} : { plan }),
    ...(patterns === undefined ? {} : { patterns }),
    ...(read.folder === undefined ? {} : { folder: read.folder }),
  };
  const missed = commands.filter((each) => !covers.has(each));
  if (missed.length > 0) {
    const named = commands.length === 1 ? 'it' : nameCommands(missed);
    return { verdict: 'ask', reason: `The allow list does not cover ${named}.`, ...found };
  }
  const uses = [...covers.values()].flatMap(({ use }) => use ?? []);
  const unasked = planOf(read, rules, (command) => covers.get(command)?.use?.argv);
  return {
    verdict: 'allowed',
    reason: 'The allow list covers it.',
    ...found,
    uses,
    ...(unasked === undefined ? {} : { unasked }),
  };
}

/** What the user has written word for word comes first: it covers whatever it does. */
function coverOf(command: LineCommand, rules: CommandRules): PatternMatch | undefined {
  let found: PatternMatch | undefined;
  for (const entry of rules.allow) {
    const cover = findPatternMatch(entry, command);
    if (cover !== undefined && cover.use === undefined) return cover;
    found ??= cover;
  }
  return found;
}

function nameCommands(commands: readonly LineCommand[]): string {
  const names = [...new Set(commands.map(({ words }) => `'${truncate(writePattern(words), maxNamed)}'`))];
  const more = names.length - maxNames;
  if (more > 0) return `${names.slice(0, maxNames).join(', ')} and ${String(more)} more`;
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

function denialReason(pattern: string): string {
  const why = reasonOfDefault(pattern);
  return `The deny list has '${pattern}'${why === undefined ? '' : `: ${why}`}.`;
}

function commandsOf(steps: readonly LineStep[]): LineCommand[] {
  return steps.flatMap((step) => step.pipeline);
}

/** PowerShell and cmd have no plan: there even a plain word may be an alias or a builtin, and arguments are one string. */
function planOf(
  { steps, folder }: ReadSteps,
  rules: CommandRules,
  argvOf: (command: LineCommand) => readonly string[] | undefined = () => undefined,
): CommandPlan | undefined {
  if (!shellSyntax[rules.shell].hasOperators) return undefined;
  const needsShell = ({ words }: LineCommand): boolean =>
    asksShell(words[0]) || words.some((word) => word.expands);
  if (commandsOf(steps).some(needsShell)) return undefined;
  return {
    ...(folder === undefined ? {} : { folder }),
    steps: steps.map(({ when, pipeline: [first, ...rest] }) => ({
      when,
      pipeline: [simpleCommand(first, argvOf), ...rest.map((each) => simpleCommand(each, argvOf))],
    })),
  };
}

function simpleCommand(
  command: LineCommand,
  argvOf: (command: LineCommand) => readonly string[] | undefined,
): SimpleCommand {
  const {
    words: [program, ...words],
    ...streams
  } = command;
  const [, ...args] = argvOf(command) ?? [program.text, ...words.map((word) => word.text)];
  return { argv: [program.text, ...args], ...streams };
}

/** More would make a button that nobody reads. */
const maxPatterns = 3;

/**
 * Not where files decide the words: an "always" must not cover more than was seen. Of several steps each is covered alone, in
 * whatever line it stands; so only where none can change what the next one means, as a shell's own commands can (`alias`, `export`),
 * and none is one that is harmless as long as its files are no secret, which is looked at each time (`isUse`). What reads a pipe may
 * take its orders from it, so it is covered with what writes to it, and not where a redirection changes what that is.
 */
function patternsOf(
  steps: readonly LineStep[],
  { isPlanned, isUse }: { readonly isPlanned: boolean; readonly isUse: (command: LineCommand) => boolean },
): Patterns | undefined {
  const commands = commandsOf(steps);
  if (commands.length > 1 && (!isPlanned || commands.some(isUse))) return undefined;
  if (commands.some(({ words }) => words.some((word) => word.expands))) return undefined;
  if (steps.some(({ pipeline }) => pipeline.slice(0, -1).some(isRedirected))) return undefined;
  const written = steps.map(({ pipeline }) => pipeline.map(({ words }) => writePattern(words)).join(' | '));
  const [first, ...others] = new Set(written);
  return first === undefined || others.length >= maxPatterns ? undefined : [first, ...others];
}

/** What is thrown away does not reach the next command. */
function isRedirected({ stdout, stderr }: LineCommand): boolean {
  return stdout !== undefined || stderr === 'stdout';
}
