import { describe, expect, it } from 'vitest';
import { createTestHooks, toolResult } from '../../test/builders/createTestHooks.ts';
import type { ToolResultMessage } from '../contracts/message.ts';

describe('sync', () => {
  it('hands the replaced message to the next handler', () => {
    const { runner, on } = createTestHooks();
    on('tool_result_persist', 'a', (event) => ({
      message: { ...event.message, content: [{ type: 'text', text: 'cut' }] } as ToolResultMessage,
    }));
    on('tool_result_persist', 'b', (event) => {
      expect(event.message.content).toEqual([{ type: 'text', text: 'cut' }]);
      return undefined;
    });
    const { message } = runner.sync('tool_result_persist', { message: toolResult }, {});
    expect(message).toEqual({ ...toolResult, content: [{ type: 'text', text: 'cut' }] });
  });

  it('ignores a promise and says so in upstream words', () => {
    const { runner, add, diagnostics } = createTestHooks();
    add('tool_result_persist', 'late', async () => ({ message: { ...toolResult, content: [] } }));
    expect(runner.sync('tool_result_persist', { message: toolResult }, {}).message).toBe(toolResult);
    expect(diagnostics[0]?.message).toBe(
      '[hooks] tool_result_persist handler from late returned a Promise; this hook is synchronous and the result was ignored.',
    );
  });

  it('refuses a message that answers another call', () => {
    const { runner, on, diagnostics } = createTestHooks();
    on('tool_result_persist', 'odd', () => ({ message: { ...toolResult, toolCallId: 'c2' } }));
    expect(runner.sync('tool_result_persist', { message: toolResult }, {}).message).toBe(toolResult);
    expect(diagnostics).toMatchObject([{ code: 'hook_invalid_result', pluginId: 'odd' }]);
  });

  it('keeps a message out of the transcript when a handler blocks it', () => {
    const { runner, on } = createTestHooks();
    on('before_message_write', 'guard', () => ({ block: true }));
    expect(runner.sync('before_message_write', { message: toolResult }, {}).block).toEqual({
      pluginId: 'guard',
    });
  });
});
