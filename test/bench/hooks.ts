import type { AnyHookHandler } from '../../src/hooks/hookRegistration.ts';
import { createHookRegistry, createHookRunner, type HookRunner } from '../../src/hooks/hookRunner.ts';
import type { HookHandler } from '../../src/hooks/hookMap.ts';
import type { HookTrace } from '../../src/hooks/hookTrace.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createRunTraces } from '../../src/traces/createRunTraces.ts';
import type { Bench, Figure } from './bench.ts';
import { heapGrowth } from './heapGrowth.ts';
import { measureTogether } from './measureTogether.ts';
import { median, medianFigure } from './medianFigure.ts';
import { createRivals, type Fire } from './rivalRunners.ts';

const handlerCounts = [0, 1, 20, 200];
const looks = 1_000_000;
/** Of one run in the bench: a long one. */
const linesOfRun = 1_000;

const event = {
  toolName: 'write',
  toolCallId: 'call_1',
  runId: 'run_1',
  params: { path: 'notes/log.md', content: 'day one\nday two\n' },
  derivedPaths: ['notes/log.md'],
};
const context = { toolName: 'write', toolCallId: 'call_1', runId: 'run_1', sessionKey: 'main' };

/** As most handlers are: async, and with nothing to say. */
const handler = async (): Promise<undefined> => undefined;

/** As a guard does at the least: it looks through the parameters. */
const guard: HookHandler<'before_tool_call'> = async ({ params }) =>
  JSON.stringify(params).includes('PRIVATE KEY') ? { block: true } : undefined;

/**
 * What firing a hook costs, beside hookable and tapable in the same run. `same work` gives those what our runner does for each
 * handler: copies of event and context, a timeout, and a caught failure; `copies only` leaves out the last two.
 */
export const bench: Bench = {
  name: 'hooks',
  needsEditor: false,
  async run() {
    const figures: Figure[] = [...unusedFigures()];
    for (const count of handlerCounts) {
      const fire = fireModify(runnerWith('before_tool_call', count));
      figures.push(...(await figuresOf('modify', count, fire)));
    }
    for (const count of handlerCounts) {
      const runner = runnerWith('after_tool_call', count);
      const fire = (): Promise<void> => runner.observe('after_tool_call', event, context);
      figures.push(...(await figuresOf('observe', count, fire)));
    }
    return [...figures, ...(await traceFigures())];
  },
};

/** Nanoseconds to learn that nobody listens, and what a million times of it leave on the heap. */
function unusedFigures(): readonly Figure[] {
  const runner = runnerWith('agent_end', 0);
  let heard = 0;
  const look = (): void => {
    for (let at = 0; at < looks; at += 1) if (runner.has('agent_end')) heard += 1;
  };
  const samples = Array.from({ length: 20 }, () => {
    const start = performance.now();
    look();
    return ((performance.now() - start) / looks) * 1e6;
  });
  if (heard > 0) throw new Error('Somebody listens to a hook that nobody registered for.');
  const bytes = Array.from({ length: 5 }, () => heapGrowth(look));
  return [
    medianFigure('unused hook', 'ns', samples.slice(5)),
    // Sixteen bytes each, the smallest object, would be 16 000.
    { name: 'heap after 1 000 000 unused hooks', value: Math.min(...bytes) / 1000, unit: 'kB', below: 16 },
  ];
}

/** Ours has to be at least as fast as the faster of those that do the same work. */
async function figuresOf(kind: 'modify' | 'observe', count: number, ours: Fire): Promise<readonly Figure[]> {
  const input = { count, event, context, handler };
  const full = createRivals(kind, { ...input, isGuarded: true });
  const bare = createRivals(kind, { ...input, isGuarded: false });
  const taken = await measureTogether({
    ours,
    'hookable, same work': full.hookable,
    'tapable, same work': full.tapable,
    'hookable, copies only': bare.hookable,
    'tapable, copies only': bare.tapable,
  });
  const fastest = Math.min(median(taken['hookable, same work']), median(taken['tapable, same work']));
  const title = `${kind}, ${count === 1 ? '1 handler' : `${count} handlers`}`;
  return Object.entries(taken).map(([name, samples]) =>
    medianFigure(
      `${title}: ${name}`,
      'µs',
      samples,
      name === 'ours' && count > 0 ? { below: rounded(fastest) } : {},
    ),
  );
}

/**
 * With and without the trace of a run, which may cost 5 %: for guards, and for handlers that do nothing, beside which a trace
 * costs the most.
 */
async function traceFigures(): Promise<readonly Figure[]> {
  return [
    ...(await traceFiguresOf('20 guards', 20, guard)),
    ...(await traceFiguresOf('20 handlers', 20, handler)),
    ...(await traceFiguresOf('200 handlers', 200, handler)),
  ];
}

async function traceFiguresOf(
  title: string,
  count: number,
  each: AnyHookHandler,
): Promise<readonly Figure[]> {
  const traces = createRunTraces({
    clock: systemClock,
    fs: createNodeFileSystem(),
    log: createInMemoryLog(),
    // Nothing is written: no run ends.
    folder: '/nowhere',
  });
  const plain = fireModify(runnerWith('before_tool_call', count, { handler: each }));
  const traced = fireModify(
    runnerWith('before_tool_call', count, { handler: each, trace: traces.hookCalled }),
  );
  const firesOfRun = linesOfRun / count;
  let fired = 0;
  const taken = await measureTogether({
    plain,
    traced: () => {
      // A new run before the old one is full, since lines that are not kept cost nothing.
      if (fired % firesOfRun === 0) traces.begin({ runId: 'run_1', sessionKey: 'main', sessionId: 'id' });
      fired += 1;
      return traced();
    },
  });
  traces.dispose();
  const below = rounded(median(taken.plain) * 1.05);
  return [
    medianFigure(`modify, ${title}: without trace`, 'µs', taken.plain),
    medianFigure(`modify, ${title}: with trace`, 'µs', taken.traced, { below }),
  ];
}

function fireModify(runner: HookRunner): Fire {
  return () => runner.modify('before_tool_call', event, context);
}

function runnerWith(
  hook: 'before_tool_call' | 'after_tool_call' | 'agent_end',
  count: number,
  more: { readonly handler?: AnyHookHandler; readonly trace?: (record: HookTrace) => void } = {},
): HookRunner {
  const registry = createHookRegistry();
  for (let at = 0; at < count; at += 1) {
    const pluginId = `plugin-${at}`;
    registry.register({
      hook,
      pluginId,
      handler: more.handler ?? handler,
      priority: 0,
      timeoutMs: 15_000,
      pluginConfig: {},
    });
  }
  const report = ({ message }: { readonly message: string }): never => {
    throw new Error(`A handler of the bench went wrong: ${message}`);
  };
  return createHookRunner({
    registry,
    clock: systemClock,
    report,
    ...(more.trace === undefined ? {} : { trace: more.trace }),
  });
}

/** Three digits, as the table shows them. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
