import { describe, expect, it } from 'vitest';
import { createTestHooks, toolCall, toolContext } from '../../test/builders/createTestHooks.ts';

const finalizing = { sessionId: 's', stopHookActive: false };

describe('before_tool_call', () => {
  it('stops at the first block and asks no later handler', async () => {
    const { runner, on } = createTestHooks();
    let asked = false;
    on('before_tool_call', 'guard', () => ({ block: true, blockReason: 'No writes here.' }), { priority: 1 });
    on('before_tool_call', 'later', () => void (asked = true));
    const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(outcome.block).toEqual({ pluginId: 'guard', reason: 'No writes here.' });
    expect(asked).toBe(false);
  });

  it('takes block: false for no decision', async () => {
    const { runner, on } = createTestHooks();
    on('before_tool_call', 'first', () => ({ block: false }), { priority: 1 });
    on('before_tool_call', 'second', () => ({ block: true }));
    expect((await runner.modify('before_tool_call', toolCall, toolContext)).block?.pluginId).toBe('second');
  });

  it('collects every approval request, and a lower block still blocks', async () => {
    const { runner, on } = createTestHooks();
    const requireApproval = { title: 'Sure?', description: 'It writes.' };
    on('before_tool_call', 'a', () => ({ requireApproval: { ...requireApproval, severity: 'critical' } }), {
      priority: 2,
    });
    on('before_tool_call', 'b', () => ({ requireApproval }), { priority: 1 });
    const asked = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(asked.block).toBeUndefined();
    expect(asked.asks).toMatchObject([
      { asker: 'a', title: 'Sure?', severity: 'critical' },
      { asker: 'b', severity: 'warning' },
    ]);
    on('before_tool_call', 'c', () => ({ block: true }));
    expect((await runner.modify('before_tool_call', toolCall, toolContext)).block?.pluginId).toBe('c');
  });

  it('ignores parameters of another plugin once one has asked for approval, and says so', async () => {
    const { runner, on, diagnostics } = createTestHooks();
    on('before_tool_call', 'asker', () => ({ requireApproval: { title: 't', description: 'd' } }), {
      priority: 2,
    });
    on('before_tool_call', 'asker', () => ({ params: { path: 'own.txt' } }), { priority: 1 });
    on('before_tool_call', 'other', () => ({ params: { path: 'evil.txt' } }));
    const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(outcome.params['path']).toBe('own.txt');
    expect(diagnostics).toMatchObject([{ code: 'hook_params_frozen', pluginId: 'other' }]);
  });

  it('names the asker itself, whatever the plugin says, and catches what onResolution throws', async () => {
    const { runner, on, diagnostics } = createTestHooks();
    on('before_tool_call', 'real', () => ({
      requireApproval: {
        title: '',
        description: 'd',
        pluginId: 'someone-else',
        onResolution: () => Promise.reject(new Error('late')),
      },
    }));
    const [ask] = (await runner.modify('before_tool_call', toolCall, toolContext)).asks;
    expect(ask).toMatchObject({ asker: 'real', title: 'Run write?' });
    await ask?.onResolution?.('deny');
    expect(diagnostics).toMatchObject([{ code: 'hook_resolution_failed', pluginId: 'real' }]);
  });

  it('rejects with cancelled as soon as the run is cancelled', async () => {
    const { runner, on } = createTestHooks();
    const controller = new AbortController();
    let own: AbortSignal | undefined;
    on('before_tool_call', 'slow', (_event, ctx) => {
      own = ctx.abortSignal;
      return new Promise(() => undefined);
    });
    const pending = runner.modify('before_tool_call', toolCall, toolContext, controller.signal);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    expect(own?.aborted).toBe(true);
  });
});

describe('what several handlers return', () => {
  it('joins prompt contexts and keeps the first system prompt', async () => {
    const { runner, on } = createTestHooks();
    on('before_prompt_build', 'a', () => ({ systemPrompt: 'A', prependContext: 'one', appendContext: '' }));
    on('before_prompt_build', 'b', (event) => ({
      systemPrompt: 'B',
      prependContext: `two after ${JSON.stringify(event)}`,
    }));
    const outcome = await runner.modify('before_prompt_build', { prompt: 'p', messages: [] }, {});
    expect(outcome.systemPrompt).toBe('A');
    expect(outcome.prependContext).toMatch(/^one\n\ntwo after .*"prependContext":"one"/u);
    expect(outcome).not.toHaveProperty('appendContext');
  });

  it('lets message_sending rewrite for the next handler, and stops at a cancel', async () => {
    const { runner, on } = createTestHooks();
    on('message_sending', 'a', (event) => ({ content: `${event.content}!` }));
    on('message_sending', 'b', (event) => ({
      content: `${event.content}?`,
      cancel: true,
      cancelReason: 'rude',
    }));
    on('message_sending', 'c', () => ({ content: 'never' }));
    expect(
      await runner.modify('message_sending', { to: 'user', content: 'Hi' }, { channelId: 'vscode' }),
    ).toEqual({
      content: 'Hi!?',
      cancel: { pluginId: 'b', reason: 'rude' },
    });
  });

  it('lets finalize beat revise, which beats continue', async () => {
    const { runner, on } = createTestHooks();
    on('before_agent_finalize', 'a', () => ({
      action: 'revise',
      reason: 'shorter',
      retry: { instruction: 'cut' },
    }));
    on('before_agent_finalize', 'b', () => ({ action: 'revise', reason: 'kinder' }));
    expect(await runner.modify('before_agent_finalize', finalizing, {})).toEqual({
      action: 'revise',
      reason: 'shorter\n\nkinder',
      retryCandidates: [{ pluginId: 'a', instruction: 'cut' }],
    });
    on('before_agent_finalize', 'c', () => ({ action: 'finalize' }));
    expect(await runner.modify('before_agent_finalize', finalizing, {})).toEqual({
      action: 'finalize',
      pluginId: 'c',
    });
  });
});
