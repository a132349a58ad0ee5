import { approvalModes, type ConfiguredApprovalMode } from '../config/sections/approvalModes.ts';

export { approvalModes };

/**
 * The user's general answer, named as upstream names it. `deny`: what would be asked is denied. `allowlist`: what the allow
 * list and remembered grants cover runs, the rest is denied unasked. `ask`: a person decides. `auto`: ordinary edits and
 * reading from the web run, the rest asks. `full`: the host asks only about protected places. No mode answers a plugin's
 * question with yes.
 */
export type ApprovalMode = ConfiguredApprovalMode;

/** Who says what about the mode. */
export interface ModeSources {
  /** Said on the command line; counts in place of the user's config. */
  readonly chosen?: ApprovalMode;
  /** The user's own config. */
  readonly user: ApprovalMode;
  /** The strictest that a config of the workspace says. */
  readonly workspace?: ApprovalMode;
  readonly isTrusted: boolean;
}

/** The most that may hold, and why no more. */
export interface ModeCeiling {
  readonly mode: ApprovalMode;
  readonly because: 'workspace' | 'untrusted';
}

export interface ModeState {
  readonly mode: ApprovalMode;
  /** There where something besides the user limits the mode. */
  readonly ceiling?: ModeCeiling;
}

/** The mode that holds: a workspace and a window without trust can only tighten what the user wants. Pure. */
export function decideMode({ chosen, user, workspace, isTrusted }: ModeSources): ModeState {
  const wanted = chosen ?? user;
  const ceilings: readonly ModeCeiling[] = [
    ...(workspace === undefined ? [] : [{ mode: workspace, because: 'workspace' } as const]),
    ...(isTrusted ? [] : [{ mode: 'ask', because: 'untrusted' } as const]),
  ];
  const [first, ...others] = ceilings;
  if (first === undefined) return { mode: wanted };
  const ceiling = others.reduce(
    (strictest, each) => (isLooser(strictest.mode, each.mode) ? each : strictest),
    first,
  );
  return { mode: isLooser(wanted, ceiling.mode) ? ceiling.mode : wanted, ceiling };
}

/** True where `mode` asks less than `than`. */
export function isLooser(mode: ApprovalMode, than: ApprovalMode): boolean {
  return approvalModes.indexOf(mode) > approvalModes.indexOf(than);
}
