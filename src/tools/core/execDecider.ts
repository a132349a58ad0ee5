import type { CommandDecision, CommandRules } from '../../shell/commandPlan.ts';
import { decideCommand } from '../../shell/decideCommand.ts';
import { decideExec, type ExecMode } from '../../shell/decideExec.ts';

/** What a call says of itself. */
export interface ExecCall extends Partial<ExecMode> {
  /** True where it brings variables of its own: then it is not the command that the allow list means. */
  readonly isElsewhere: boolean;
}

/** Whether a command may run, read for each call. `allowed` runs at once, `denied` never does. */
export type DecideExec = (command: string, call: ExecCall) => CommandDecision;

/** The decision by the rules and switches that hold now. */
export function createExecDecider(settings: {
  readonly rules: () => CommandRules;
  readonly mode: () => ExecMode;
}): DecideExec {
  return (command, { isElsewhere, ...call }) => {
    const decision = decideCommand(command, settings.rules());
    const { verdict, reason, isAlwaysAsked } = decideExec({
      config: settings.mode(),
      call,
      decision,
      isElsewhere,
    });
    const { pattern, ...rest } = decision;
    return {
      ...rest,
      verdict: ({ run: 'allowed', ask: 'ask', refuse: 'denied' } as const)[verdict],
      reason,
      ...(isAlwaysAsked === undefined ? {} : { isAlwaysAsked }),
      // An "always" for the bare command would cover it with any variables.
      ...(pattern === undefined || isElsewhere || isAlwaysAsked === true ? {} : { pattern }),
    };
  };
}
