import { describe, expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { createTestHooks, promptEvent } from '../../test/builders/createTestHooks.ts';
import type { AnyHookHandler } from './hookRegistration.ts';

describe('gate', () => {
  const run = async (handler: AnyHookHandler) => {
    const set = createTestHooks({ trace: true });
    set.add('before_agent_run', 'gate', handler);
    return { ...set, outcome: await set.runner.gate('before_agent_run', promptEvent, {}) };
  };

  it('goes on only after an explicit pass', async () => {
    expect((await run(() => ({ outcome: 'pass' }))).outcome).toEqual({ outcome: 'pass' });
  });

  it('blocks with the text for the user and keeps the internal reason to itself', async () => {
    const { outcome, diagnostics, traces } = await run(() => ({
      outcome: 'block',
      reason: 'INTERNAL',
      message: 'Not now',
    }));
    expect(outcome).toEqual({
      outcome: 'block',
      pluginId: 'gate',
      message: 'Your message could not be sent: Not now (blocked by gate)',
    });
    expect(JSON.stringify([outcome, diagnostics, traces])).not.toContain('INTERNAL');
  });

  it.each([
    ['null', () => null],
    ['nothing', () => undefined],
    ['an unknown outcome', () => ({ outcome: 'maybe' })],
  ])('blocks on %s', async (_title, handler) => {
    expect((await run(handler)).outcome).toMatchObject({
      message: expect.stringContaining('before_agent_run returned an invalid decision') as string,
    });
  });

  it('blocks where the handler is not called since it hangs, and says so', async () => {
    const { outcome } = await run(() => {
      throw new PincerError('plugin_call_hung', 'hello');
    });
    expect(outcome).toMatchObject({
      outcome: 'block',
      message:
        'Your message could not be sent: the plugin gate did not return from before_agent_run the last two times and is skipped; to try it again, change it or reload it in the Plugins view (blocked by gate)',
    });
  });

  it('blocks on a throw and writes its text nowhere, as it may quote the user', async () => {
    const { outcome, diagnostics } = await run(() => {
      throw new Error('bad prompt: hello');
    });
    expect(outcome).toMatchObject({
      outcome: 'block',
      message: expect.stringContaining('hook failed') as string,
    });
    expect(diagnostics).toMatchObject([{ code: 'hook_failed' }]);
    expect(JSON.stringify([outcome, diagnostics])).not.toContain('hello');
  });
});
