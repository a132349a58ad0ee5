/**
 * What one row of the hook map says. `result` is what a handler may return, `outcome` what the emitter gets after all
 * handlers of that hook were merged.
 */
interface HookShape<Kind, Event, Context, Result, Outcome> {
  readonly kind: Kind;
  readonly event: Event;
  readonly context: Context;
  readonly result: Result;
  readonly outcome: Outcome;
}

/** All handlers start together, each failure is caught, results count for nothing. */
export type Observe<Event, Context> = HookShape<'observe', Event, Context, void, void>;

/** One handler after the other; their results are merged. */
export type Modify<Event, Context, Result, Outcome> = HookShape<'modify', Event, Context, Result, Outcome>;

/** One handler after the other; the first that handled the event ends it. */
export type Claim<Event, Context, Result, Outcome> = HookShape<'claim', Event, Context, Result, Outcome>;

/** One handler after the other; the first block ends it, and only an explicit pass passes. */
export type Gate<Event, Context, Result, Outcome> = HookShape<'gate', Event, Context, Result, Outcome>;

/** As `Modify`, but no promise is waited for: it runs while the transcript is written. */
export type Sync<Event, Context, Result, Outcome> = HookShape<'sync', Event, Context, Result, Outcome>;
