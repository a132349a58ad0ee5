import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../builders/openTestRuntime.ts';

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

function codeBlock(language: string): string {
  const block = new RegExp(`^\`\`\`${language}\\n(?<code>[^]*?)^\`\`\`$`, 'mu').exec(readme)?.groups?.[
    'code'
  ];
  if (block === undefined) throw new Error(`The README has no ${language} block.`);
  return block;
}

it("runs the README's first plugin as it is printed: its tool answers and its hook blocks", async () => {
  await using test = await openTestRuntime({
    files: {
      '.pincer/plugins/hello/openclaw.plugin.json': codeBlock('json'),
      '.pincer/plugins/hello/index.ts': codeBlock('ts'),
    },
    answer: 'allow-once',
  });
  const { events } = await test.say('go', [
    { toolCalls: [{ name: 'hello', arguments: { name: 'you' } }] },
    {
      toolCalls: [{ name: 'write', arguments: { path: 'a.md', content: 'b' } }],
      expect: { toolResult: 'Hello, you!' },
    },
    { text: 'done', expect: { toolResult: 'not today' } },
  ]);
  expect(events.at(-1)).toMatchObject({ outcome: { status: 'completed' } });
});

it("keeps the README's plugin to about ten lines", () => {
  expect(codeBlock('ts').trim().split('\n').length).toBeLessThanOrEqual(14);
});
