import type { CommandDecision } from './commandPlan.ts';

// Each from strict to loose.
const securities = ['deny', 'allowlist', 'full'] as const;
const asks = ['always', 'on-miss', 'off'] as const;

/** Upstream's two switches (openclaw-facts 5). */
export interface ExecMode {
  /** `deny`: nothing runs; `allowlist`: what the allow list covers; `full`: all but the deny list. */
  readonly security: (typeof securities)[number];
  /** `on-miss` asks for what the allow list does not cover; `off` never asks, so that a miss is refused. */
  readonly ask: (typeof asks)[number];
}

export interface ExecCase {
  readonly config: ExecMode;
  /** What the call itself says; it can only be stricter. */
  readonly call: Partial<ExecMode>;
  readonly decision: CommandDecision;
  /**
   * True where the call brings variables of its own or runs outside the workspace: `git status` with `GIT_CONFIG_COUNT` or in
   * another repository is not the command that the allow list means.
   */
  readonly isElsewhere: boolean;
}

export interface ExecVerdict {
  readonly verdict: 'run' | 'ask' | 'refuse';
  /** True where every command asks. */
  readonly isAlwaysAsked?: boolean;
  /** One short sentence. */
  readonly reason: string;
}

/** Whether a command runs, is asked about or is refused. The deny list holds in every mode. */
export function decideExec({ config, call, decision, isElsewhere }: ExecCase): ExecVerdict {
  const security = stricter(securities, config.security, call.security);
  const ask = stricter(asks, config.ask, call.ask);
  if (decision.verdict === 'denied') return { verdict: 'refuse', reason: decision.reason };
  if (security === 'deny') return { verdict: 'refuse', reason: 'Commands are switched off (security deny).' };
  if (ask === 'always')
    return { verdict: 'ask', reason: 'Every command asks (ask always).', isAlwaysAsked: true };
  if (security === 'full')
    return { verdict: 'run', reason: 'All but the deny list may run (security full).' };
  const miss = isElsewhere ? missElsewhere(decision) : decision;
  if (miss.verdict === 'allowed') return { verdict: 'run', reason: miss.reason };
  if (ask === 'off') return { verdict: 'refuse', reason: `${miss.reason} Nobody is asked (ask off).` };
  return { verdict: 'ask', reason: miss.reason };
}

function missElsewhere(decision: CommandDecision): Pick<CommandDecision, 'verdict' | 'reason'> {
  if (decision.verdict !== 'allowed') return decision;
  return { verdict: 'ask', reason: 'It runs with variables of its own or outside the workspace.' };
}

function stricter<T extends string>(order: readonly T[], a: T, b: T | undefined): T {
  return b !== undefined && order.indexOf(b) < order.indexOf(a) ? b : a;
}
