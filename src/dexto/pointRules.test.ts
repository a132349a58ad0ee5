import { expect, it } from 'vitest';
import { openExtensionPoints, readyPlugin } from '../../test/builders/openExtensionPoints.ts';
import type { DextoPlugin, ExtensionPoint } from './dextoTypes.ts';

/** Takes a key out of the field that each point is about. */
const changing: DextoPlugin = {
  beforeLLMRequest: ({ text }) => ({ ok: true, modify: { text: cleaned(text) } }),
  beforeToolCall: ({ args }) => ({
    ok: true,
    modify: { args: JSON.parse(cleaned(JSON.stringify(args))) as object },
  }),
  afterToolResult: ({ result }) => ({ ok: true, modify: { result: cleaned(String(result)) } }),
  beforeResponse: ({ content }) => ({ ok: true, modify: { content: cleaned(content) } }),
};
const cleaned = (text: string): string => text.replace('key-1234', '***');
const payloads = {
  beforeLLMRequest: { text: 'my key-1234', sessionId: 's1' },
  beforeToolCall: { toolName: 'write', args: { text: 'my key-1234' }, callId: 'c1', sessionId: 's1' },
  afterToolResult: { toolName: 'read', result: 'my key-1234', success: true, callId: 'c1', sessionId: 's1' },
  beforeResponse: { content: 'my key-1234', provider: 'p', model: 'm', sessionId: 's1' },
} as const;

it.each([['beforeLLMRequest'], ['afterToolResult'], ['beforeResponse']] as const)(
  'a change at %s is traced by its size alone: it may be a secret that was taken out',
  async (point: ExtensionPoint) => {
    const world = openExtensionPoints([readyPlugin('changing', changing)]);
    expect((await world.run(point, payloads[point])).outcome).toBe('passed');
    expect(world.steps).toMatchObject([{ point, outcome: 'changed', changes: [{ isHidden: true }] }]);
    expect(JSON.stringify([world.steps, world.log.lines])).not.toMatch(/key-1234|\*\*\*/u);
  },
);

it('a change of arguments is traced as it is: who approves a call reads them anyway', async () => {
  const { run, steps } = openExtensionPoints([readyPlugin('changing', changing)]);
  await run('beforeToolCall', payloads.beforeToolCall);
  expect(steps[0]?.changes).toEqual([{ path: 'args.text', before: 'my key-1234', after: 'my ***' }]);
});
