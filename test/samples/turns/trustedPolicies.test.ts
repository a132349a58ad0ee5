import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const write = { toolCalls: [{ name: 'write', arguments: { path: 'a.txt', content: 'hello' } }] };
const done = { text: 'Done.' };

function policy(evaluate: string): string {
  return `module.exports = (api) => api.registerTrustedToolPolicy({ id: 'budget', description: 'A budget.', evaluate: ${evaluate} });`;
}

it('a trusted policy that denies keeps the tool and every hook from running', async () => {
  await using world = await openTestRuntime({
    bundled: { budget: policy("() => ({ allow: false, reason: 'No budget left.' })") },
    plugins: { late: "module.exports = (api) => api.on('before_tool_call', () => void mark('asked'));" },
    answer: 'allow-once',
  });
  const { events } = await world.say('write it', [write, done]);
  const ended = events.find((event) => event.type === 'tool_ended');
  expect(JSON.stringify(ended)).toContain('No budget left.');
  expect(world.marks).toEqual([]);
  await expect(readFile(join(world.workspace, 'a.txt'))).rejects.toThrow('ENOENT');
});

it('parameters that a trusted policy replaces are what hooks judge and the tool runs with', async () => {
  await using world = await openTestRuntime({
    bundled: { budget: policy("(event) => ({ params: { ...event.params, path: 'b.txt' } })") },
    plugins: {
      late: "module.exports = (api) => api.on('before_tool_call', (event) => void mark(event.params.path));",
    },
    answer: 'allow-once',
  });
  await world.say('write it', [write, done]);
  expect(world.marks).toEqual(['b.txt']);
  expect(await readFile(join(world.workspace, 'b.txt'), 'utf8')).toBe('hello');
});

it('a policy and a plugin that both ask lead to one question that names all askers', async () => {
  await using world = await openTestRuntime({
    bundled: {
      budget: policy(
        "() => ({ requireApproval: { title: 'Costs money', description: 'One cent.', severity: 'critical' } })",
      ),
    },
    plugins: {
      late: "module.exports = (api) => api.on('before_tool_call', () => ({ requireApproval: { title: 'Sure?', description: 'Really.' } }));",
    },
    answer: 'deny',
  });
  const { events } = await world.say('write it', [write, done]);
  const asked = events.flatMap((event) => (event.type === 'approval_requested' ? [event.request] : []));
  expect(asked).toMatchObject([{ askers: ['host', 'budget', 'late'], severity: 'critical' }]);
});

it('a question of a policy says what a plugin has changed since', async () => {
  await using world = await openTestRuntime({
    bundled: {
      budget: policy(
        "({ params }) => ({ requireApproval: { title: 'Write ' + params.path, description: 'Fine.' } })",
      ),
    },
    plugins: {
      late: "module.exports = (api) => api.on('before_tool_call', () => ({ params: { path: 'other.txt' } }));",
    },
    answer: 'deny',
  });
  const { events } = await world.say('write it', [write, done]);
  const asked = events.flatMap((event) => (event.type === 'approval_requested' ? [event.request] : []));
  expect(asked).toHaveLength(1);
  expect(asked[0]?.title).toBe('Write other.txt');
  expect(asked[0]?.description).toContain('Changed since this was asked: path. Fine.');
});
