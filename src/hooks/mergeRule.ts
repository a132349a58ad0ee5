import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { HookDecision } from './hookTrace.ts';
import type { HookMap, HookName } from './hookTypes.ts';

/** What a handler returned, already copied: nothing in it can change any more. Its fields are not checked yet. */
export type RawResult = Readonly<Record<string, unknown>>;

/** Who returned a result, and where to say what became of it. */
export interface ResultSource {
  readonly pluginId: string;
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
  failClosed?(outcome: Outcome, pluginId: string, why: FailedHow): Outcome;
}

/** `skipped`: its calls have hung, so that it was not called. */
export type FailedHow = 'failed' | 'invalid' | 'skipped';

/** How a `claim` hook reads a result: the outcome if it was handled. */
export interface ClaimRule<Outcome> {
  read(result: RawResult, pluginId: string): Outcome | undefined;
}

/** How a `gate` hook reads a result. Whatever is neither pass nor block is invalid; so is no result at all. */
export interface GateRule<Outcome> {
  readonly pass: Outcome;
  /** The outcome to stop with, or undefined to go on. @throws Error when it is no decision. */
  read(result: RawResult, pluginId: string): Outcome | undefined;
  failClosed(pluginId: string, why: FailedHow): Outcome;
}

/** The rule that each kind of hook needs. */
export interface RuleOfKind<N extends HookName> {
  readonly observe: ObserveRule;
  readonly modify: MergeRule<HookMap[N]['event'], HookMap[N]['outcome']>;
  readonly sync: MergeRule<HookMap[N]['event'], HookMap[N]['outcome']>;
  readonly claim: ClaimRule<HookMap[N]['outcome']>;
  readonly gate: GateRule<HookMap[N]['outcome']>;
}

/** `useInstead`: the hook that can change what a handler of this one tried to change. */
export interface ObserveRule {
  readonly useInstead?: HookName;
}
