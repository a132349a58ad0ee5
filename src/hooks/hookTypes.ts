import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { HookMap, HookName } from './hookMap.ts';
import type { InternalHooks } from './payloads/internalHooks.ts';
import type { PointHooks } from './payloads/pointHooks.ts';

/** All that the runner fires: besides what plugins listen to, what adapters of the host register for. */
export interface FiringMap extends HookMap, PointHooks, InternalHooks {}

export type FiringName = keyof FiringMap;
type HookKind = FiringMap[FiringName]['kind'];

type NamesOfKind<Kind extends HookKind> = {
  [N in FiringName]: FiringMap[N]['kind'] extends Kind ? N : never;
}[FiringName];

export type ObserveHook = NamesOfKind<'observe'>;
export type ModifyHook = NamesOfKind<'modify'>;
export type ClaimHook = NamesOfKind<'claim'>;
export type GateHook = NamesOfKind<'gate'>;
export type SyncHook = NamesOfKind<'sync'>;

/** What the emitter passes; it stays untouched, each handler gets its own copy. */
export type HookEvent<N extends FiringName> = FiringMap[N]['event'];
export type HookContext<N extends FiringName> = FiringMap[N]['context'];
export type HookResult<N extends FiringName> = FiringMap[N]['result'];
/** What all handlers together decided. */
export type HookOutcome<N extends FiringName> = FiringMap[N]['outcome'];

/**
 * Where a registration comes in the order of its hook: `policy` before everything else, then `first`, `normal`, `last`. Priorities
 * are compared within a band.
 */
export type Band = 'policy' | 'first' | 'normal' | 'last';

/** What a handler decided about the operation, beyond changing its data. */
export interface HookDecision {
  readonly kind: 'blocked' | 'asked' | 'cancelled' | 'claimed' | 'revised' | 'accepted' | 'passed';
  /** For people; absent where the plugin gave none or it is not theirs to read. */
  readonly reason?: string;
}

/** What a handler returned, already copied: nothing in it can change any more. Its fields are not checked yet. */
export type RawResult = Readonly<Record<string, unknown>>;

/** Who returned a result, and where to say what became of it. */
export interface ResultSource {
  readonly pluginId: string;
  readonly band: Band;
  note(level: Diagnostic['level'], code: string, message: string): void;
}

/** How the results of a `modify` or `sync` hook become one outcome. Everything but `fold`'s notes is pure. */
export interface MergeRule<Event, Outcome> {
  /** The outcome when no handler decides anything. */
  initial(event: Event): Outcome;
  /** Adds one result. @throws Error naming the field that has the wrong type; the result then counts as a failure. */
  fold(outcome: Outcome, result: RawResult, source: ResultSource, event: Event): Outcome;
  /** The event with the outcome so far applied, for the next handler. It is copied afterwards. */
  view(event: Event, outcome: Outcome): Event;
  /** True where no later handler may be asked. */
  isFinal?(outcome: Outcome): boolean;
  /** What a handler decided, where `after` holds more than changed data; for the trace. */
  decision?(before: Outcome, after: Outcome): HookDecision | undefined;
  /** Called with the outcome so far where the firing is cut off and nobody gets it. */
  cutOff?(outcome: Outcome): void;
  /** The outcome after a handler failed, for hooks that fail closed. */
  failClosed?(outcome: Outcome, pluginId: string, why: HandlerFailureKind): Outcome;
}

/** `skipped`: its calls have hung, so that it was not called. */
export type HandlerFailureKind = 'failed' | 'invalid' | 'skipped';

/** How a `claim` hook reads a result: the outcome if it was handled. */
export interface ClaimRule<Outcome> {
  read(result: RawResult, pluginId: string): Outcome | undefined;
}

/** How a `gate` hook reads a result. Whatever is neither pass nor block is invalid; so is no result at all. */
export interface GateRule<Outcome> {
  readonly pass: Outcome;
  /** The outcome to stop with, or undefined to go on. @throws Error when it is no decision. */
  read(result: RawResult, pluginId: string): Outcome | undefined;
  failClosed(pluginId: string, why: HandlerFailureKind): Outcome;
}

/** The rule that each kind of hook needs. */
export interface RuleOfKind<N extends FiringName> {
  readonly observe: ObserveRule;
  readonly modify: MergeRule<FiringMap[N]['event'], FiringMap[N]['outcome']>;
  readonly sync: MergeRule<FiringMap[N]['event'], FiringMap[N]['outcome']>;
  readonly claim: ClaimRule<FiringMap[N]['outcome']>;
  readonly gate: GateRule<FiringMap[N]['outcome']>;
}

/** `useInstead`: the hook that can change what a handler of this one tried to change. */
interface ObserveRule {
  readonly useInstead?: HookName;
}
