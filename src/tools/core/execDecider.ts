import { decideCommand, type CommandDecision } from '../../shell/decideCommand.ts';
import type { CommandRules } from '../../shell/commandPlan.ts';
import { decideExec, type ExecMode } from '../../shell/decideExec.ts';

/** What a call says of itself. */
interface ExecCall extends Partial<ExecMode> {
  /** Why it is not the command that the allow list means: one short sentence. */
  readonly notMeant?: string | undefined;
}

export interface ExecDecision extends CommandDecision {
  /** True where it is `allowed` because the allow list covers it, and not because the user allows everything. */
  readonly isListed: boolean;
}

/** Whether a command may run, read for each call. `allowed` runs at once, `denied` never does. */
export type DecideExec = (command: string, call: ExecCall) => ExecDecision;

/** The decision by the rules and switches that hold now. */
export function createExecDecider(settings: {
  readonly rules: () => CommandRules;
  readonly mode: () => ExecMode;
}): DecideExec {
  return (command, { notMeant, ...call }) => {
    const decision = decideCommand(command, settings.rules());
    const judged = decideExec({ config: settings.mode(), call, decision, notMeant });
    const { verdict, reason, isAlwaysAsked, isListed = false } = judged;
    const { patterns, ...rest } = decision;
    return {
      ...rest,
      verdict: ({ run: 'allowed', ask: 'ask', refuse: 'denied' } as const)[verdict],
      reason,
      isListed,
      ...(isAlwaysAsked === undefined ? {} : { isAlwaysAsked }),
      // An "always" for the bare command would cover it with any variables, and with any program of that name.
      ...(patterns === undefined || notMeant !== undefined || isAlwaysAsked === true ? {} : { patterns }),
    };
  };
}
