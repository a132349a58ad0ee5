import { createHookRegistry } from '../../src/hooks/createHookRegistry.ts';
import { createHookRunner } from '../../src/hooks/createHookRunner.ts';
import type { HookRunner } from '../../src/hooks/hookRunner.ts';
import type { HookHandler, HookName } from '../../src/hooks/hookTypes.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const handlerCounts = [0, 1, 20];
const batches = 40;
const warmUpBatches = 10;
const callsPerBatch = 500;
const looksPerBatch = 200_000;

const call = {
  toolName: 'write',
  toolCallId: 'call_1',
  runId: 'run_1',
  params: { path: 'notes/log.md', content: 'day one\nday two\n' },
  derivedPaths: ['notes/log.md'],
};
const callContext = { toolName: 'write', toolCallId: 'call_1', runId: 'run_1', sessionKey: 'main' };
const ended = {
  ...call,
  result: { content: [{ type: 'text', text: 'Wrote 16 characters.' }] },
  durationMs: 3,
};

/** What firing a hook costs the emitter, with handlers as most plugins write them: async, and with nothing to say. */
export const bench: Bench = {
  name: 'hookRunner',
  needsEditor: false,
  async run() {
    const figures: Figure[] = [hasFigure()];
    for (const count of handlerCounts) {
      const runner = runnerWith('before_tool_call', count, async (event) => {
        if (event.toolName === 'never') return { block: true };
        return undefined;
      });
      const fire = () => runner.modify('before_tool_call', call, callContext);
      figures.push(await fireFigure(`before_tool_call (modify), ${handlers(count)}`, fire));
    }
    for (const count of handlerCounts) {
      const runner = runnerWith('after_tool_call', count, async () => undefined);
      const fire = () => runner.observe('after_tool_call', ended, callContext);
      figures.push(await fireFigure(`after_tool_call (observe), ${handlers(count)}`, fire));
    }
    return figures;
  },
};

function runnerWith<N extends HookName>(hook: N, count: number, handler: HookHandler<N>): HookRunner {
  const registry = createHookRegistry();
  for (let at = 0; at < count; at += 1) {
    const pluginId = `plugin-${at}`;
    registry.register({ hook, pluginId, handler, priority: 0, timeoutMs: 15_000, pluginConfig: {} });
  }
  const report = ({ message }: { readonly message: string }): never => {
    throw new Error(`A handler of the bench went wrong: ${message}`);
  };
  return createHookRunner({ registry, clock: systemClock, report });
}

/** Nanoseconds to learn that nobody listens. */
function hasFigure(): Figure {
  const runner = runnerWith('agent_end', 0, () => undefined);
  let heard = 0;
  const samples = Array.from({ length: warmUpBatches + batches }, () => {
    const start = performance.now();
    for (let at = 0; at < looksPerBatch; at += 1) if (runner.has('agent_end')) heard += 1;
    return ((performance.now() - start) / looksPerBatch) * 1e6;
  });
  if (heard > 0) throw new Error('Somebody listens to a hook that nobody registered for.');
  return medianFigure('has(), nobody listens', 'ns', samples.slice(warmUpBatches));
}

/** Microseconds for one call, each awaited before the next. */
async function fireFigure(name: string, fire: () => Promise<unknown>): Promise<Figure> {
  const samples: number[] = [];
  for (let batch = 0; batch < warmUpBatches + batches; batch += 1) {
    const start = performance.now();
    for (let at = 0; at < callsPerBatch; at += 1) await fire();
    samples.push(((performance.now() - start) / callsPerBatch) * 1e3);
  }
  return medianFigure(name, 'µs', samples.slice(warmUpBatches));
}

function handlers(count: number): string {
  return count === 1 ? '1 handler' : `${count} handlers`;
}
