import { describe, expect, test, vi } from 'vitest';
import { pluginTool, usePipelines } from '../../../test/samples/tools/createTestPipeline.ts';
import { textOf } from '../../../test/samples/tools/createTestWorkspace.ts';

const setUp = usePipelines();

describe('after the tool', () => {
  test('tool_result_persist decides what is stored, after_tool_call sees what the tool gave', async () => {
    const pipeline = await setUp();
    const seen = vi.fn();
    await pipeline.workspace.put('proj/a.md', 'the secret');
    pipeline.on('tool_result_persist', 'mask', ({ message }) => ({
      message: { ...message, content: [{ type: 'text', text: 'masked' }] } as typeof message,
    }));
    pipeline.on('after_tool_call', 'audit', (event) => seen(event) as undefined);
    const result = await pipeline.call('read', { path: 'a.md' });
    expect(textOf(result)).toBe('masked');
    await expect.poll(() => seen).toHaveBeenCalledOnce();
    expect(seen.mock.calls[0]![0]).toMatchObject({
      toolName: 'read',
      result: { content: [{ text: 'the secret' }] },
    });
  });

  test('what a plugin makes of a result must still be one of this call', async () => {
    const pipeline = await setUp();
    await pipeline.workspace.put('proj/a.md', 'text');
    let changes: object = { content: [{ type: 'video' }] };
    pipeline.on('tool_result_persist', 'odd', ({ message }) => ({
      message: { ...message, ...changes },
    }));
    for (changes of [{ content: [{ type: 'video' }] }, { content: [] }, { toolCallId: 'forged' }]) {
      expect(await pipeline.call('read', { path: 'a.md' })).toMatchObject({
        toolCallId: 'call-1',
        content: [{ type: 'text', text: 'text' }],
      });
    }
  });

  test('both fire for a call that was blocked, marked as made up and with the error', async () => {
    const pipeline = await setUp();
    const persisted = vi.fn();
    const after = vi.fn();
    pipeline.on('before_tool_call', 'guard', () => ({ block: true, blockReason: 'no' }));
    pipeline.on('tool_result_persist', 'spy', (event) => persisted(event.isSynthetic) as undefined);
    pipeline.on('after_tool_call', 'spy', (event) => after(event.error) as undefined);
    await pipeline.call('write', { path: 'notes.md', content: '' });
    expect(persisted.mock.calls).toEqual([[true]]);
    expect(after.mock.calls[0]![0]).toContain('Blocked by plugin "guard"');
  });

  test('after_tool_call is told how the call was approved, and nothing where nobody had to', async () => {
    const pipeline = await setUp();
    const seen: unknown[] = [];
    pipeline.on('after_tool_call', 'audit', (event) => void seen.push('approval' in event && event.approval));
    await pipeline.call('write', { path: 'a.md', content: 'x' }, { answer: 'allow-once' });
    await pipeline.call('write', { path: 'a.md', content: 'y' }, { answer: 'deny' });
    await pipeline.call('read', { path: 'a.md' });
    await expect.poll(() => seen).toHaveLength(3);
    expect(seen).toEqual([
      { resolution: 'allow-once', by: 'chat' },
      { resolution: 'deny', by: 'chat' },
      false,
    ]);
  });

  test('a long result is cut with a note, large details become a summary', async () => {
    const long = pluginTool(() => ({
      content: [
        { type: 'text', text: 'x'.repeat(900) },
        { type: 'text', text: 'y'.repeat(900) },
      ],
      details: { big: 'z'.repeat(9_000), small: 1 },
    }));
    const pipeline = await setUp({ plugins: [long], maxResultChars: 1_000 });
    const result = await pipeline.call('shout', {});
    expect(textOf(result).length).toBeLessThan(1_100);
    expect(textOf(result)).toContain('[Cut: 900 characters in all.');
    expect(result.details).toMatchObject({
      persistedDetailsTruncated: true,
      originalDetailKeys: ['big', 'small'],
    });
  });
});
