import { expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import { openMcpWorld } from './openMcpWorld.ts';

const names = (request: ModelRequest | undefined): readonly string[] =>
  (request?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith('mcp_'));

it('lists very many tools by name, finds them by a search, and has those that were found from then on', async () => {
  await using world = await openMcpWorld({ mcp: { maxTools: 1 } });
  const requests: ModelRequest[] = [];
  const turn = await world.runtime.say(
    'Go.',
    [
      { toolCalls: [{ name: 'mcp_tools_search', arguments: { query: 'give back text' } }] },
      { toolCalls: [{ name: 'mcp__files__echo', arguments: { text: 'hi' } }] },
      { text: 'Done.' },
    ],
    { seen: (request) => void requests.push({ ...request, tools: [...request.tools] }) },
  );
  expect(names(requests[0])).toEqual(['mcp_tools_search']);
  const search = requests[0]?.tools.find(({ name }) => name === 'mcp_tools_search');
  expect(search?.description).toContain('files: mcp__files__echo, mcp__files__add');
  expect(names(requests[1])).toEqual(['mcp_tools_search', 'mcp__files__echo']);
  expect(turn.events.some((event) => event.type === 'approval_requested')).toBe(true);
  expect(JSON.stringify(turn.events)).toContain('hi');

  // The conversation goes on, and so does what was found.
  const later: ModelRequest[] = [];
  await world.runtime.say('Again.', [{ text: 'Done.' }], { seen: (request) => void later.push(request) });
  expect(names(later[0])).toContain('mcp__files__echo');
});

it('offers all tools where they are few, and says in the prompt report what the search saves', async () => {
  await using few = await openMcpWorld();
  const requests: ModelRequest[] = [];
  await few.runtime.say('Go.', [{ text: 'Done.' }], { seen: (request) => void requests.push(request) });
  expect(names(requests[0])).toEqual(['mcp__files__echo', 'mcp__files__add']);
  await using many = await openMcpWorld({ mcp: { maxTools: 1 } });
  const { session, runtime } = many.runtime;
  const report = await runtime.conversations.prompt(session);
  const saving = report.tools.find(({ name }) => name === 'mcp_tools_search')?.savesTokens ?? 0;
  expect(saving).toBeGreaterThan(50);
});
