import { decideCommand } from '../../src/shell/decideCommand.ts';
import type { CommandDecision, ShellKind } from '../../src/shell/commandPlan.ts';
import { shellSyntax } from '../../src/shell/shellSyntax.ts';
import type { JudgeCase, Verdict } from './hostileCase.ts';

const verdicts: Readonly<Record<CommandDecision['verdict'], Verdict>> = {
  allowed: 'allow',
  ask: 'ask',
  denied: 'block',
};

/** A command line with exactly the allow list that the cases are written for. */
export const judge: JudgeCase = (testCase) => {
  const { verdict } = decideCommand(testCase.input, {
    shell: shellOf(testCase['shell']),
    allow: ['git status', 'ls', 'npm test'],
    deny: [],
  });
  return Promise.resolve(verdicts[verdict]);
};

function shellOf(name: unknown): ShellKind {
  if (name === undefined) return 'bash';
  const known = Object.keys(shellSyntax) as ShellKind[];
  const shell = known.find((each) => each === name);
  if (shell === undefined) throw new Error(`A case names an unknown shell; known are ${known.join(', ')}.`);
  return shell;
}
