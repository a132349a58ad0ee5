import { describe, expect, it } from 'vitest';
import { createEmitter } from '../../base/event.ts';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import type { PointFacts } from '../pointFacts.ts';
import type { ExecutionContext } from '../dextoTypes.ts';
import { createNotifications, type PluginNotification } from './createNotifications.ts';

function facts(more: Partial<PointFacts>): PointFacts {
  return {
    point: 'beforeResponse',
    pluginId: 'guard',
    blocking: true,
    outcome: 'nothing',
    ...more,
  };
}

async function open(config: Record<string, unknown>) {
  const asked = createEmitter<PointFacts>();
  const log = createInMemoryLog();
  const told: PluginNotification[] = [];
  const plugin = createNotifications({ onDidAsk: asked.event, log, notify: (each) => told.push(each) });
  await plugin.initialize?.(config);
  const lines: string[] = [];
  const logger = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [
      level,
      (text: string) => lines.push(`${level} ${text}`),
    ]),
  );
  const fail = (success: boolean) =>
    plugin.afterToolResult?.({ toolName: 'exec', result: { error: 'secret' }, success }, {
      logger,
    } as unknown as ExecutionContext);
  return { plugin, told, log, lines, fail, ask: (more: Partial<PointFacts>) => asked.fire(facts(more)) };
}

describe('notifications', () => {
  it.each<[Partial<PointFacts>, string, string]>([
    [
      {
        point: 'beforeLLMRequest',
        outcome: 'blocked',
        notices: [{ kind: 'block', code: 'INPUT_TOO_LONG', message: '' }],
      },
      'input-blocked',
      'Input was blocked by plugin guard (INPUT_TOO_LONG)',
    ],
    [{ point: 'beforeLLMRequest', outcome: 'changed' }, 'input-changed', 'Input was changed by plugin guard'],
    [
      { point: 'beforeToolCall', outcome: 'blocked', toolName: 'exec' },
      'tool-blocked',
      'Tool exec was blocked by plugin guard',
    ],
    [
      { point: 'beforeResponse', outcome: 'blocked' },
      'answer-blocked',
      'An answer was blocked by plugin guard',
    ],
    [
      { point: 'beforeResponse', outcome: 'changed' },
      'answer-changed',
      'An answer was changed by plugin guard',
    ],
    [
      { outcome: 'changed', notices: [{ kind: 'warn', code: 'RESPONSE_TRUNCATED', message: 'x' }] },
      'answer-cut',
      'An answer was cut by plugin guard (RESPONSE_TRUNCATED)',
    ],
    [{ outcome: 'failed' }, 'plugin-failed', 'Dexto plugin guard failed at beforeResponse'],
    [{ outcome: 'timed-out' }, 'plugin-failed', 'Dexto plugin guard took too long at beforeResponse'],
  ])('tells of %j', async (more, event, text) => {
    const { ask, told } = await open({});
    ask(more);
    expect(told).toEqual([{ event, level: 'info', text, show: false }]);
  });

  it('says nothing of what changed nothing', async () => {
    const { ask, told } = await open({});
    for (const outcome of ['nothing', 'ignored', 'declined', 'cancelled'] as const) ask({ outcome });
    ask({ point: 'afterToolResult', outcome: 'changed' });
    ask({ point: 'beforeToolCall', outcome: 'changed' });
    expect(told).toEqual([]);
  });

  it('tells of failed tools with the logger of the call, without what they gave', async () => {
    const { fail, lines, told } = await open({ level: 'warn' });
    expect(await fail(true)).toEqual({ ok: true });
    expect(await fail(false)).toEqual({ ok: true });
    expect(lines).toEqual(['warn Tool exec failed']);
    expect(told).toMatchObject([{ event: 'tool-failed', level: 'warn' }]);
  });

  it('tells only of the events that are asked for, at the level that is asked for', async () => {
    const { ask, fail, told, log } = await open({ events: ['answer-blocked'], level: 'error', show: true });
    ask({ outcome: 'failed' });
    ask({ outcome: 'blocked' });
    await fail(false);
    expect(told).toMatchObject([{ event: 'answer-blocked', show: true }]);
    expect(log.lines).toMatchObject([{ level: 'error', message: 'An answer was blocked by plugin guard' }]);
  });

  it('hears nothing after cleanup', async () => {
    const { plugin, ask, told } = await open({});
    await plugin.cleanup?.();
    ask({ outcome: 'blocked' });
    expect(told).toEqual([]);
  });
});
