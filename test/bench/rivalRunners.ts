import { createHooks } from 'hookable';
import { AsyncParallelHook, AsyncSeriesHook } from 'tapable';
import { copyData } from '../../src/base/untrusted.ts';

/** Something that fires one hook once. */
export type Fire = () => Promise<unknown>;

/** A handler as the rivals call it; it may answer with parameters to merge. */
export type RivalHandler = (event: object, context: object) => Promise<unknown>;

export interface RivalInput {
  readonly count: number;
  readonly event: { readonly params: Readonly<Record<string, unknown>> };
  readonly context: object;
  readonly handler: RivalHandler;
  /** Each handler has a timeout, and its failure is caught, as in our runner. */
  readonly isGuarded: boolean;
}

interface State {
  params: Readonly<Record<string, unknown>>;
}

/**
 * Our work in hookable and in tapable: each handler gets its own copy of event and context, with the parameters that earlier
 * ones have changed. Neither has timeouts or survives a handler that throws; where they are guarded, the wrapper sees to it.
 */
export function createRivals(
  kind: 'modify' | 'observe',
  input: RivalInput,
): { readonly hookable: Fire; readonly tapable: Fire } {
  const wrapped = wrap(input);
  const hooks = createHooks<{ fire: (state: State) => Promise<void> }>();
  const series = new AsyncSeriesHook<[State]>(['state']);
  const parallel = new AsyncParallelHook<[State]>(['state']);
  const tap = kind === 'modify' ? series : parallel;
  for (let at = 0; at < input.count; at += 1) {
    hooks.hook('fire', wrapped);
    tap.tapPromise(`plugin-${at}`, wrapped);
  }
  const start = (): State => ({ params: input.event.params });
  return {
    hookable: () => {
      const state = start();
      return Promise.resolve(
        kind === 'modify' ? hooks.callHook('fire', state) : hooks.callHookParallel('fire', state),
      );
    },
    tapable: () => tap.promise(start()),
  };
}

function wrap({ event, context, handler, isGuarded }: RivalInput): (state: State) => Promise<void> {
  const pluginConfig = {};
  return async (state) => {
    const own = { ...copyData({ ...event, params: state.params }), context: { pluginConfig } };
    const result = await (isGuarded ? guarded(handler, own, { ...context }) : handler(own, { ...context }));
    if (typeof result === 'object' && result !== null && 'params' in result) {
      state.params = { ...state.params, ...(copyData(result.params) as object) };
    }
  };
}

const timeoutMs = 15_000;

/** What a careful user of such a library writes. */
async function guarded(handler: RivalHandler, event: object, context: object): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('timed out')), timeoutMs);
      timer.unref();
    });
    return await Promise.race([handler(event, context), late]);
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}
