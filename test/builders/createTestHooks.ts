import type { Diagnostic } from '../../src/contracts/diagnostic.ts';
import type { ToolResultMessage } from '../../src/contracts/message.ts';
import type { AnyHookHandler, HookRegistration } from '../../src/hooks/hookRegistration.ts';
import { createHookRegistry, createHookRunner } from '../../src/hooks/hookRunner.ts';
import type { HookTrace } from '../../src/hooks/hookTrace.ts';
import type { HookHandler, HookName } from '../../src/hooks/hookMap.ts';
import { createManualClock } from './manualClock.ts';

/** A real runner on a clock that stands still, what it reported and traced, and a way to register handlers. */
export function createTestHooks(
  options: { readonly trace?: boolean; readonly forbidden?: readonly string[] } = {},
) {
  const registry = createHookRegistry();
  const clock = createManualClock();
  const diagnostics: Diagnostic[] = [];
  const traces: HookTrace[] = [];
  const forbidden = new Set(options.forbidden);
  const runner = createHookRunner({
    registry,
    clock,
    report: (each) => void diagnostics.push(each),
    ...(forbidden.size === 0 ? {} : { forbidden: () => forbidden }),
    ...(options.trace === true ? { trace: (each: HookTrace) => void traces.push(each) } : {}),
  });
  const add = (
    hook: HookName,
    pluginId: string,
    handler: AnyHookHandler,
    more: Partial<HookRegistration> = {},
  ) =>
    registry.register({ hook, pluginId, handler, priority: 0, timeoutMs: 1000, pluginConfig: {}, ...more });
  const on = <N extends HookName>(
    hook: N,
    pluginId: string,
    handler: HookHandler<N>,
    more: Partial<HookRegistration> = {},
  ) => add(hook, pluginId, handler, more);
  return { registry, clock, diagnostics, traces, runner, add, on };
}

/** Payloads of the hooks that most tests fire. */
export const toolCall = { toolName: 'write', params: { path: 'a.txt', content: 'one' } };
export const toolContext = { toolName: 'write' };
export const toolResult: ToolResultMessage = {
  role: 'toolResult',
  toolCallId: 'c1',
  toolName: 'read',
  content: [{ type: 'text', text: 'secret' }],
  isError: false,
  timestamp: 0,
};
export const promptEvent = { prompt: 'hello', messages: [], systemPrompt: 'You help.' };
