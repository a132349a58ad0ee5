import { describe, expect, it } from 'vitest';
import { heapGrowth } from '../../test/bench/heapGrowth.ts';
import { createTestHooks } from '../../test/builders/createTestHooks.ts';

describe('observe', () => {
  it('starts all handlers before any has settled', async () => {
    const { runner, on } = createTestHooks();
    const order: string[] = [];
    on('agent_end', 'a', async () => {
      order.push('a starts');
      await Promise.resolve();
      order.push('a ends');
    });
    on('agent_end', 'b', () => void order.push('b starts'));
    await runner.observe('agent_end', { messages: [], success: true }, {});
    expect(order).toEqual(['a starts', 'b starts', 'a ends']);
  });

  it('lets no handler use up the time of the next, and tells the time of each', async () => {
    const { runner, on, clock, traces, diagnostics } = createTestHooks({ trace: true });
    on('agent_end', 'slow', () => clock.advance(999));
    on('agent_end', 'quick', () => undefined);
    on('agent_end', 'later', async () => {
      await Promise.resolve();
    });
    const pending = runner.observe('agent_end', { messages: [], success: true }, {});
    clock.advance(2);
    await pending;
    expect(diagnostics).toEqual([]);
    const times = traces.map(({ pluginId, durationMs }) => [pluginId, durationMs]);
    expect(times).toEqual([
      ['slow', 999],
      ['quick', 0],
      ['later', 2],
    ]);
  });

  it('resolves when a handler times out', async () => {
    const { runner, on, clock, diagnostics } = createTestHooks();
    on('agent_end', 'slow', () => new Promise(() => undefined));
    const pending = runner.observe('agent_end', { messages: [], success: true }, {});
    clock.advance(1000);
    await pending;
    expect(diagnostics).toMatchObject([{ code: 'hook_timed_out', pluginId: 'slow' }]);
  });

  it('stops waiting when the run is cancelled, without rejecting', async () => {
    const { runner, on } = createTestHooks();
    const controller = new AbortController();
    on('agent_end', 'slow', () => new Promise(() => undefined));
    const pending = runner.observe('agent_end', { messages: [], success: true }, {}, controller.signal);
    controller.abort();
    await expect(pending).resolves.toBeUndefined();
  });

  it('tells a plugin that changes nothing by returning from llm_input which hook to use', async () => {
    const { runner, add, diagnostics } = createTestHooks();
    add('llm_input', 'old', () => ({ prompt: 'other' }));
    const event = {
      runId: 'r',
      sessionId: 's',
      provider: 'p',
      model: 'm',
      prompt: 'x',
      historyMessages: [],
      imagesCount: 0,
    };
    await runner.observe('llm_input', event, {});
    expect(diagnostics).toMatchObject([
      { code: 'hook_result_ignored', pluginId: 'old', hint: 'Use before_prompt_build to change it.' },
    ]);
  });

  it('allocates nothing where nobody listens', () => {
    const { runner } = createTestHooks();
    let heard = 0;
    const fire = (): void => {
      for (let at = 0; at < 200_000; at += 1) if (runner.has('agent_end')) heard += 1;
    };
    fire();
    // The smallest object has 16 bytes: 200 000 of them would be 3 200 000.
    const grown = Math.min(...Array.from({ length: 5 }, () => heapGrowth(fire)));
    expect(heard).toBe(0);
    expect(grown).toBeLessThan(200_000);
  });

  it('gives the same promise where nobody listens', () => {
    const { runner } = createTestHooks();
    expect(runner.has('agent_end')).toBe(false);
    const event = { messages: [], success: true };
    expect(runner.observe('agent_end', event, {})).toBe(runner.observe('agent_end', event, {}));
  });
});
