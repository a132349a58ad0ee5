import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { resolvePluginCommands } from './resolvePluginCommands.ts';

describe('resolvePluginCommands', () => {
  const reported: Diagnostic[] = [];
  const clock = createManualClock();
  const commandWith = (handler: () => unknown) => {
    const command = { name: 'mine', description: '', handler: handler as never };
    const source = { pluginId: 'p', commands: [command], currentConfig: () => ({}) };
    const [resolved] = resolvePluginCommands([source], {
      clock,
      report: (each) => reported.push(each),
      reserved: [],
    }).commands;
    return resolved?.run('', { channel: 'cli' }).then(({ text }) => text);
  };

  it('gives up on a handler that never ends, after two minutes', async () => {
    const reply = commandWith(() => new Promise(() => undefined));
    clock.advance(120_000);
    expect(await reply).toContain('Command failed');
    expect(reported).toMatchObject([{ code: 'plugin_command_failed', pluginId: 'p' }]);
    expect(reported[0]?.message).toContain('timed out after 120000ms');
  });

  it.each([undefined, '', { text: '' }, { other: 1 }])(
    'says so where there is no output: %j',
    async (reply) => {
      expect(await commandWith(() => reply)).toBe('/mine gave no output.');
    },
  );
});
