// Threat: what runs without a question must be what the allow list says, whatever a model, a web page behind it or a file of
// the workspace wrote into the line. Only a line that the grammar reads whole can be allowed, and only if each of its commands is.
import { truncate } from '../base/text.ts';
import type { CommandDecision, CommandPlan, CommandRules, SimpleCommand } from './commandPlan.ts';
import { coversCommand, writePattern } from './commandPattern.ts';
import { reasonOfDefault } from './defaultCommandRules.ts';
import { findDenied } from './findDenied.ts';
import { readLine, type LineCommand, type LineStep } from './readLine.ts';
import { shellSyntax } from './shellSyntax.ts';

/** The whole command stands beside the reason: this much says which of several is meant. */
const maxNamed = 60;

/** Decides about one command line. Pure, never throws, linear in the length of the line. */
export function decideCommand(command: string, rules: CommandRules): CommandDecision {
  const read = readLine(command, rules.shell);
  const denied = findDenied(command, read, rules.deny, rules.shell);
  if (denied !== undefined) return { verdict: 'denied', reason: denialReason(denied) };
  if ('problem' in read) return { verdict: 'ask', reason: `The line can't be read safely: ${read.problem}.` };
  const plan = planOf(read.steps, rules);
  const pattern = patternOf(read.steps);
  const found = {
    programs: commandsOf(read.steps).map(({ words: [program] }) => program.text),
    ...(plan === undefined ? {} : { plan }),
    ...(pattern === undefined ? {} : { pattern }),
  };
  const missing = commandsOf(read.steps).find(
    (each) => !rules.allow.some((entry) => coversCommand(entry, each)),
  );
  if (missing === undefined) return { verdict: 'allowed', reason: 'The allow list covers it.', ...found };
  return {
    verdict: 'ask',
    reason: `The allow list does not cover '${truncate(writePattern(missing.words), maxNamed)}'.`,
    ...found,
  };
}

function denialReason(pattern: string): string {
  const why = reasonOfDefault(pattern);
  return `The deny list has '${pattern}'${why === undefined ? '' : `: ${why}`}.`;
}

function commandsOf(steps: readonly LineStep[]): LineCommand[] {
  return steps.flatMap((step) => step.pipeline);
}

/** PowerShell and cmd have no plan: there even a plain word may be an alias or a builtin, and arguments are one string. */
function planOf(steps: readonly LineStep[], rules: CommandRules): CommandPlan | undefined {
  if (!shellSyntax[rules.shell].hasOperators) return undefined;
  if (commandsOf(steps).some((command) => command.words.some((word) => word.expands))) return undefined;
  return {
    steps: steps.map(({ when, pipeline: [first, ...rest] }) => ({
      when,
      pipeline: [simpleCommand(first), ...rest.map(simpleCommand)],
    })),
  };
}

function simpleCommand({ words: [program, ...args], ...streams }: LineCommand): SimpleCommand {
  return { argv: [program.text, ...args.map((word) => word.text)], ...streams };
}

/** Only for one command, and not where files decide its words: an "always" must not cover more than was seen. */
function patternOf(steps: readonly LineStep[]): string | undefined {
  const [command, ...others] = commandsOf(steps);
  if (command === undefined || others.length > 0) return undefined;
  return command.words.some((word) => word.expands) ? undefined : writePattern(command.words);
}
