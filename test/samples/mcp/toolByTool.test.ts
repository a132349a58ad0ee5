import { expect, it } from 'vitest';
import { openMcpWorld, type McpWorld } from './openMcpWorld.ts';

const echo = { tool: 'echo', args: { text: 'hi' } } as const;
const add = { tool: 'add', args: { a: 1, b: 2 } } as const;

async function choose({ servers }: McpWorld, ...names: readonly string[]): Promise<void> {
  const { brings } = await servers.inspect('files');
  await servers.agreeToTools('files', brings!.toolsHash, names);
}

const names = ({ servers }: McpWorld): readonly string[] => servers.tools().map(({ name }) => name);

it('gives agents the tools that a person chose, and keeps the others out', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  await world.servers.agreeToStart('files', (await world.servers.inspect('files')).launchHash);
  await choose(world, 'add');
  expect(names(world)).toEqual(['mcp__files__add']);
  expect((await world.call(add)).texts[0]).toContain('3');
  const { results, texts } = await world.call(echo);
  expect(results[0]).toMatchObject({ isError: true, details: { code: 'tool_left_out' } });
  expect(texts[0]).toMatch(
    /^The tool "mcp__files__echo" can't be used: the user left it out of the tools of the MCP server files\.\nDo not repeat/u,
  );
  expect((await world.asked()).filter((line) => line.startsWith('tools/call'))).toHaveLength(1);
  expect(world.servers.list()).toMatchObject([{ leftOut: ['echo'], newTools: [], tools: [{ name: 'add' }] }]);
});

it('calls no tool that a person left out while the question about a call was open', async () => {
  await using world = await openMcpWorld({ answer: 'none' });
  const { approvals } = world.runtime.runtime;
  const called = world.call(echo);
  await expect.poll(() => approvals.pending()).toHaveLength(1);
  await choose(world, 'add');
  const { id } = approvals.pending()[0]!;
  approvals.noteShownWhole(id, 'call');
  approvals.resolve(id, 'allow-once', 'chat');
  const { texts, results } = await called;
  expect(results[0]?.isError).toBe(true);
  expect(texts[0]).toContain('the user left it out of the tools of the MCP server files');
  expect(await world.asked()).not.toContain('tools/call');
});

it('keeps a server without a tool that has changed: the rest works, and nothing is left to review', async () => {
  await using world = await openMcpWorld();
  await world.does('change description');
  await world.servers.restart('files');
  const [changed] = world.servers.list();
  expect(changed).toMatchObject({
    change: { tools: ['echo'] },
    tools: [{ withdrawn: expect.anything() as string }, {}],
  });
  expect((await world.call(add)).texts[0]).toContain('3');
  await choose(world, 'add');
  const [kept] = world.servers.list();
  expect(kept).toMatchObject({ state: 'running', leftOut: ['echo'], newTools: [], tools: [{ name: 'add' }] });
  expect(kept).not.toHaveProperty('problem');
  expect(kept).not.toHaveProperty('change');
  expect((await world.call(add)).texts[0]).toContain('3');
  expect((await world.call(echo)).results[0]?.isError).toBe(true);
});

it('asks nobody again about a tool that was left out, whatever it becomes, and offers it only once it is chosen', async () => {
  await using world = await openMcpWorld();
  await choose(world, 'add');
  for (const behaviour of ['change title', 'drop a tool', 'change meta']) {
    await world.does(behaviour);
    await world.servers.restart('files');
    expect(world.servers.list()).toMatchObject([{ leftOut: ['echo'], newTools: [] }]);
    expect((await world.servers.inspect('files')).brings?.isAgreed).toBe(true);
  }
  // Who agrees to all that is there, as the command line does, agrees to nothing that was left out.
  const { brings } = await world.servers.inspect('files');
  await world.servers.agreeToTools('files', brings!.toolsHash);
  expect(names(world)).toEqual(['mcp__files__add']);
  await choose(world, 'add', 'echo');
  expect((await world.call(echo)).texts[0]).toContain('hi');
});

it('binds what was chosen to the whole definition: one that changes meanwhile is not agreed to', async () => {
  await using world = await openMcpWorld();
  const { brings } = await world.servers.inspect('files');
  await world.does('change unknown field');
  await world.servers.restart('files');
  await expect(world.servers.agreeToTools('files', brings!.toolsHash, ['echo'])).rejects.toMatchObject({
    code: 'mcp_changed_meanwhile',
  });
});

it('tells one change of a definition from the next, and from none', async () => {
  await using world = await openMcpWorld();
  const changeNow = async (...does: readonly string[]): Promise<string | undefined> => {
    await world.does(...does);
    await world.servers.restart('files');
    return world.servers.list()[0]?.change?.id;
  };
  const [first, again, second, none] = [
    await changeNow('change title'),
    await changeNow('change title'),
    await changeNow('change meta'),
    await changeNow('add a tool'),
  ];
  expect(first).toBeDefined();
  expect(again).toBe(first);
  expect(second).not.toBe(first);
  expect(none).toBeUndefined();
  // Others that come and go beside it make it no other change.
  expect(await changeNow('change title', 'add a tool')).toBe(first);
});

it('keeps in the log of a server when it started, the protocol, each call with its time, and its end', async () => {
  await using world = await openMcpWorld();
  await world.call(add);
  await world.does('error');
  await world.call(add);
  await world.servers.stop('files');
  const time = /^\[\d\d:\d\d:\d\d UTC\] /u;
  const own = world.servers.log('files').filter((line) => time.test(line));
  expect(own.map((line) => line.replace(time, '').replace(/\d+ ms/u, 'n ms'))).toEqual([
    'It has started; it speaks the protocol of 2025-11-25 and lists 2 tools.',
    'Call of add: answered after n ms.',
    'Call of add: failed after n ms.',
    'It was stopped.',
  ]);
});
