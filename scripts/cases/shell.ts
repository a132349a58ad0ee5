import { decideCommand, type CommandDecision } from '../../src/shell/decideCommand.ts';
import type { ShellKind } from '../../src/shell/commandPlan.ts';
import { shellSyntax } from '../../src/shell/shellSyntax.ts';
import type { JudgeCase, Verdict } from './hostileCase.ts';

const verdicts: Readonly<Record<CommandDecision['verdict'], Verdict>> = {
  allowed: 'allow',
  ask: 'ask',
  denied: 'block',
};

/** A command line with exactly the allow list that the cases are written for. */
export const judge: JudgeCase = (testCase) => {
  const shell = shellOf(testCase['shell'] ?? 'bash');
  // A shell that Pincer does not know is never given a line without a question.
  if (shell === undefined) return Promise.resolve('ask');
  const { verdict } = decideCommand(testCase.input, {
    shell,
    allow: ['git status', 'ls', 'npm test'],
    deny: [],
  });
  return Promise.resolve(verdicts[verdict]);
};

function shellOf(name: unknown): ShellKind | undefined {
  const known = Object.keys(shellSyntax) as ShellKind[];
  return known.find((each) => each === name);
}
