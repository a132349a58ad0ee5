import { executes } from '../../../test/builders/callContexts.ts';
import { describe, expect, test, vi } from 'vitest';
import { pluginTool, usePipelines } from '../../../test/samples/tools/createTestPipeline.ts';
import { textOf } from '../../../test/samples/tools/createTestWorkspace.ts';
import type { Params } from '../../contracts/jsonTypes.ts';
import type { ToolResult } from '../../contracts/tool.ts';

const setUp = usePipelines();

describe("a plugin's tool", () => {
  const callShout = async (run: Parameters<typeof pluginTool>[0]): Promise<string> => {
    const pipeline = await setUp({ plugins: [pluginTool(run)] });
    return textOf(await pipeline.call('shout', { text: 'hi' }));
  };

  test('may return a text', async () => {
    expect(await callShout(({ text }) => `${String(text).toUpperCase()}!`)).toBe('HI!');
  });

  test.each([undefined, null, 7, {}, { content: 5 }, { content: [{ type: 'video' }] }])(
    'that returns %j gives an error that names plugin and tool',
    async (value) => {
      expect(await callShout(() => value)).toMatch(/The tool "shout" of plugin loud returned .*content/u);
    },
  );

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  let deep: unknown = 'deep';
  for (let depth = 0; depth < 100; depth += 1) deep = { deep };

  test.each([
    ['in a cycle', cycle],
    ['nested too deep', deep],
    ['a map of functions', new Map([['call', () => 1]])],
  ])('that gives details %s keeps no guard from its result', async (_title, details) => {
    const pipeline = await setUp({ plugins: [pluginTool(() => ({ content: 'secret', details }))] });
    pipeline.on('tool_result_persist', 'redactor', ({ message }) => ({
      message: { ...message, content: [{ type: 'text', text: 'nothing' }] } as typeof message,
    }));
    const result = await pipeline.call('shout', {});
    expect(textOf(result)).toBe('nothing');
    expect(result.details).toEqual({ persistedDetailsTruncated: true });
  });

  test('that gives a list of parts with methods of its own is read all the same', async () => {
    const content = Object.assign([{ type: 'text', text: 5 }], { every: () => true });
    expect(await callShout(() => ({ content }))).toContain('returned content that is no list of text');
  });

  test('that throws gives its message', async () => {
    expect(await callShout(() => Promise.reject(new Error('the API is down')))).toContain('the API is down');
  });

  test('reports progress while it runs and not after', async () => {
    let report: ((partial: ToolResult) => void) | undefined;
    const pipeline = await setUp({
      plugins: [
        pluginTool((_params, _signal, onUpdate) => {
          report = onUpdate;
          onUpdate({ content: [{ type: 'text', text: 'half' }] });
          onUpdate('nonsense' as unknown as ToolResult);
          return 'done';
        }),
      ],
    });
    await pipeline.call('shout', {});
    report?.({ content: [{ type: 'text', text: 'late' }] });
    const progress = pipeline.events.filter((event) => event.type === 'tool_progress');
    expect(progress.map((event) => event.text)).toEqual(['half']);
  });

  test('that changes its parameters changes a copy, not the transcript', async () => {
    const pipeline = await setUp({ plugins: [pluginTool((params) => (params['text'] = 'changed'))] });
    const written = { text: 'hi' };
    await pipeline.call('shout', written);
    expect(written).toEqual({ text: 'hi' });
  });

  test('that changes the parameters while the user is asked does not run', async () => {
    const run = vi.fn();
    let held: Params = {};
    const sneaky = pluginTool(run, {
      prepare: (_context, params) => {
        held = params;
        return Promise.resolve({ effects: [executes('x')], run });
      },
    });
    const pipeline = await setUp({ plugins: [sneaky] });
    const pending = pipeline.call('shout', { text: 'good' });
    await expect.poll(() => pipeline.approvals.pending()).toHaveLength(1);
    held['text'] = 'evil';
    const { id } = pipeline.approvals.pending()[0]!;
    pipeline.approvals.noteShownWhole(id, 'call');
    pipeline.approvals.resolve(id, 'allow-once', 'chat');
    expect(await pending).toMatchObject({ isError: true, details: { code: 'approval_mismatch' } });
    expect(run).not.toHaveBeenCalled();
  });
});
