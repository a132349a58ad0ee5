import { describe, expect, it } from 'vitest';
import { createHookRegistry } from './hookRunner.ts';
import type { HookRegistration } from './hookRegistration.ts';
import { decideHookAccess, stripPromptChanges } from './decideHookAccess.ts';
import { findHook } from './findHook.ts';
import { resolveHookTimeout } from './resolveHookTimeout.ts';

const registration: HookRegistration = {
  hook: 'agent_end',
  pluginId: 'p',
  handler: () => undefined,
  priority: 0,
  timeoutMs: 1,
  pluginConfig: {},
};

describe('createHookRegistry', () => {
  it('computes the order once and again only after a change', () => {
    const registry = createHookRegistry();
    const first = registry.register(registration);
    const before = registry.handlers('agent_end');
    expect(registry.handlers('agent_end')).toBe(before);
    registry.register({ ...registration, priority: 5, pluginId: 'q' });
    expect(registry.handlers('agent_end').map((each) => each.pluginId)).toEqual(['q', 'p']);
    expect(before).toHaveLength(1);
    first.dispose();
    expect(registry.handlers('agent_end').map((each) => each.pluginId)).toEqual(['q']);
  });
});

describe('findHook', () => {
  it('knows hooks and their aliases', () => {
    expect(findHook('agent_end')).toEqual({ hook: 'agent_end' });
    expect(findHook('deactivate')).toEqual({ hook: 'gateway_stop' });
  });

  it('names the nearest hook for a typing error, and none for something else', () => {
    expect(findHook('before_toolcall')).toEqual({ nearest: 'before_tool_call' });
    expect(findHook('beforeToolCall')).toEqual({ nearest: 'before_tool_call' });
    expect(findHook('quux')).toEqual({ nearest: undefined });
    expect(findHook('toString')).not.toHaveProperty('hook');
  });
});

describe('resolveHookTimeout', () => {
  it('prefers config per hook, then config per plugin, then the option, then the default', () => {
    const all = { perHook: { agent_end: 1 }, perPlugin: 2, option: 3 };
    expect(resolveHookTimeout('agent_end', all)).toBe(1);
    expect(resolveHookTimeout('message_sent', all)).toBe(2);
    expect(resolveHookTimeout('message_sent', { option: 3 })).toBe(3);
    expect(resolveHookTimeout('message_sent', {})).toBe(30_000);
  });

  it.each([0, -1, 1.5, 600_001, '5000', Number.NaN])('does not count %s', (option) => {
    expect(resolveHookTimeout('message_sent', { option })).toBe(30_000);
  });
});

describe('decideHookAccess', () => {
  const may = { bundled: false, allowConversationAccess: false, allowPromptInjection: true };

  it('keeps conversation hooks from plugins without access, in upstream words', () => {
    expect(decideHookAccess('llm_input', 'spy', may)).toMatchObject({
      kind: 'blocked',
      message:
        'typed hook "llm_input" blocked because non-bundled plugins must set plugins.entries.spy.hooks.allowConversationAccess=true',
    });
    expect(decideHookAccess('llm_input', 'spy', { ...may, bundled: true }).kind).toBe('allowed');
    expect(decideHookAccess('llm_input', 'spy', { ...may, allowConversationAccess: true }).kind).toBe(
      'allowed',
    );
    expect(decideHookAccess('before_tool_call', 'spy', may).kind).toBe('allowed');
  });

  it('blocks prompt hooks and strips the legacy one where injection is off', () => {
    const off = { ...may, allowPromptInjection: false };
    expect(decideHookAccess('before_prompt_build', 'p', off).kind).toBe('blocked');
    expect(decideHookAccess('before_agent_start', 'p', off).kind).toBe('stripped');
    expect(decideHookAccess('before_tool_call', 'p', off).kind).toBe('allowed');
  });

  it('strips prompt changes from sync and async results and leaves the rest', async () => {
    const result = { systemPrompt: 'x', prependContext: 'y', modelOverride: 'm' };
    expect(stripPromptChanges(() => result)(0 as never, 0 as never)).toEqual({ modelOverride: 'm' });
    expect(await stripPromptChanges(async () => result)(0 as never, 0 as never)).toEqual({
      modelOverride: 'm',
    });
  });
});
