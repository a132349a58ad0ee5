import type { CommandDecision } from './decideCommand.ts';

// Each from strict to loose.
const securities = ['deny', 'allowlist', 'full'] as const;
const asks = ['always', 'on-miss', 'off'] as const;

/** Upstream's two switches. */
export interface ExecMode {
  /** `deny`: nothing runs; `allowlist`: what the allow list covers; `full`: all but the deny list. */
  readonly security: (typeof securities)[number];
  /** `on-miss` asks for what the allow list does not cover; `off` never asks, so that a miss is refused. */
  readonly ask: (typeof asks)[number];
}

interface ExecCase {
  readonly config: ExecMode;
  /** What the call itself says; it can only be stricter. */
  readonly call: Partial<ExecMode>;
  readonly decision: CommandDecision;
  /**
   * Why it is not the command that the allow list means, as one short sentence: it brings variables of its own
   * (`GIT_CONFIG_COUNT`), or its program is a file of the workspace.
   */
  readonly notMeant?: string | undefined;
}

interface ExecVerdict {
  readonly verdict: 'run' | 'ask' | 'refuse';
  /** True where every command asks. */
  readonly isAlwaysAsked?: boolean;
  /** True where it runs because the allow list covers it. */
  readonly isListed?: boolean;
  /** One short sentence. */
  readonly reason: string;
}

/** Whether a command runs, is asked about or is refused. The deny list holds in every mode. */
export function decideExec({ config, call, decision, notMeant }: ExecCase): ExecVerdict {
  const security = stricter(securities, config.security, call.security);
  const ask = stricter(asks, config.ask, call.ask);
  if (decision.verdict === 'denied') return { verdict: 'refuse', reason: decision.reason };
  if (security === 'deny') return { verdict: 'refuse', reason: 'Commands are switched off (security deny).' };
  if (ask === 'always')
    return { verdict: 'ask', reason: 'Every command asks (ask always).', isAlwaysAsked: true };
  if (security === 'full')
    return { verdict: 'run', reason: 'All but the deny list may run (security full).' };
  const isCovered = decision.verdict === 'allowed';
  if (isCovered && notMeant === undefined) return { verdict: 'run', reason: decision.reason, isListed: true };
  const reason = isCovered && notMeant !== undefined ? notMeant : decision.reason;
  if (ask === 'off') return { verdict: 'refuse', reason: `${reason} Nobody is asked (ask off).` };
  return { verdict: 'ask', reason };
}

function stricter<T extends string>(order: readonly T[], a: T, b: T | undefined): T {
  return b !== undefined && order.indexOf(b) < order.indexOf(a) ? b : a;
}
