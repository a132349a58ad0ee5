import { cp, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { describeStart } from '../../../src/mcp/describeInspection.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { openMcpWorld, type McpWorld, type ServerCall } from './openMcpWorld.ts';

const fixture = join(import.meta.dirname, 'fixture', 'server.mjs');

it('starts nothing and offers nothing before somebody has agreed', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  const { texts } = await world.call({ tool: 'echo', args: { text: 'hi' } });
  expect(texts[0]).toMatch(/no tool|mcp__files__echo/u);
  const seen = await world.servers.inspect('files');
  expect(seen).toMatchObject({ mayStart: false, launch: { kind: 'program', command: process.execPath } });
  expect(seen.launch.kind === 'program' && seen.launch.files.map(({ path }) => path)).toContain(fixture);
  expect(await world.asked()).toEqual([]);
  expect(world.runtime.runtime.workspace.diagnostics().map(({ code }) => code)).toContain('mcp_not_agreed');
});

it('calls an agreed tool through the pipeline: asked, fenced, traced, with hooks of plugins', async () => {
  await using world = await openMcpWorld({
    global: {
      spy: `export default { id: 'spy', register(api) {
        api.on('before_tool_call', ({ toolName, params }) => { mark(toolName); return { params: { text: params.text + '!' } }; });
        api.on('after_tool_call', ({ toolName }) => mark('after ' + toolName));
      } };`,
    },
  });
  const { texts, events, results } = await world.call({ tool: 'echo', args: { text: 'hi' } });
  expect(texts[0]).toMatch(/EXTERNAL_UNTRUSTED_CONTENT[^]*hi!/u);
  expect(results[0]?.isError).toBe(false);
  expect(world.runtime.marks).toEqual(['mcp__files__echo', 'after mcp__files__echo']);
  const asked = events.flatMap((event) => (event.type === 'approval_requested' ? [event.request] : []));
  expect(asked).toMatchObject([
    { title: 'Call echo of the MCP server files', grantLabel: 'mcp__files__echo { text: string }' },
  ]);
  expect(asked[0]?.decisions).toContain('allow-always');
});

it('calls nothing that was denied', async () => {
  await using world = await openMcpWorld({ answer: 'deny' });
  await world.call({ tool: 'echo', args: { text: 'hi' } });
  expect(await world.asked()).not.toContain('tools/call');
});

it('covers with "always" the same tool with arguments of the same shape, and nothing else', async () => {
  await using world = await openMcpWorld({ answer: 'allow-always' });
  const asks = async (call: ServerCall): Promise<boolean> =>
    (await world.call(call)).events.some((event) => event.type === 'approval_requested');
  expect(await asks({ tool: 'echo', args: { text: 'a' } })).toBe(true);
  expect(await asks({ tool: 'echo', args: { text: 'b' } })).toBe(false);
  expect(await asks({ tool: 'echo', args: { text: 'b', more: true } })).toBe(true);
  // What the schema of the tool leaves open: the same name with a value of another type.
  expect(await asks({ tool: 'echo', args: { text: 'b', more: false } })).toBe(false);
  expect(await asks({ tool: 'echo', args: { text: 'b', more: 'yes' } })).toBe(true);
  expect(await asks({ tool: 'echo', args: { text: 'b', more: { a: 1 } } })).toBe(true);
  expect(await asks({ tool: 'echo', args: { text: 'b', more: { a: 2 } } })).toBe(false);
  expect(await asks({ tool: 'echo', args: { text: 'b', more: { a: '2' } } })).toBe(true);
  expect(await asks({ tool: 'add', args: { a: 1, b: 2 } })).toBe(true);
});

it('asks again with the difference where the config names another start', async () => {
  await using world = await openMcpWorld();
  const { runtime } = world.runtime;
  const config = join(runtime.workspace.home, 'config.jsonc');
  const said = (await readFile(config, 'utf8')).replace('"command"', '"env":{"TOKEN":"x"},"command"');
  await writeFile(config, said);
  await runtime.workspace.reloadConfig();
  expect(world.servers.list()).toMatchObject([{ state: 'changed' }]);
  expect(world.servers.tools()).toEqual([]);
  expect((await world.servers.inspect('files')).launchChanges).toEqual([
    'new environment variable: TOKEN (2d711642…)',
  ]);
});

it('refuses to start a script that was exchanged after somebody agreed to it', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  const { home } = world.runtime.runtime.workspace;
  const script = join(world.folder, 'server.mjs');
  await cp(fixture, script);
  const config = join(home, 'config.jsonc');
  await writeFile(config, (await readFile(config, 'utf8')).replace(fixture, script));
  await world.runtime.runtime.workspace.reloadConfig();
  await world.agree();
  await world.servers.stop('files');
  const starts = (await world.asked()).filter((line) => line.startsWith('started')).length;
  await writeFile(script, `${await readFile(fixture, 'utf8')}\n// exchanged`);
  const { texts } = await world.call({ tool: 'echo', args: { text: 'hi' } });
  expect(texts[0]).toContain('it would run something else than what you agreed to');
  expect((await world.asked()).filter((line) => line.startsWith('started'))).toHaveLength(starts);
  expect(world.servers.list()).toMatchObject([{ state: 'changed' }]);
  const { launchChanges, launchHash } = await world.servers.inspect('files');
  expect(launchChanges).toEqual([`the file has changed: ${script}`]);
  await world.servers.agreeToStart('files', launchHash);
  expect((await world.call({ tool: 'echo', args: { text: 'hi' } })).texts[0]).toContain('hi');
});

it('runs again by itself once what had changed is as it was agreed to, and says until then that it does not', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  const { workspace } = world.runtime.runtime;
  const script = join(world.folder, 'server.mjs');
  await cp(fixture, script);
  const config = join(workspace.home, 'config.jsonc');
  await writeFile(config, (await readFile(config, 'utf8')).replace(fixture, script));
  await workspace.reloadConfig();
  await world.agree();
  await world.servers.stop('files');
  const echo = { tool: 'echo', args: { text: 'hi' } };
  await writeFile(script, `${await readFile(fixture, 'utf8')}\n// exchanged`);
  // Who only looks is told in the list, too.
  expect((await world.servers.inspect('files')).mayStart).toBe(false);
  expect(world.servers.list()).toMatchObject([{ state: 'changed' }]);
  expect((await world.call(echo)).texts[0]).toContain('it would run something else than what you agreed to');
  await cp(fixture, script);
  expect((await world.call(echo)).results[0]?.isError).toBe(false);
  expect(world.servers.list()).toMatchObject([{ state: 'running' }]);
  expect(world.servers.list()[0]).not.toHaveProperty('problem');
});

it('says of a server that was stopped, switched off or refused what it is, not that it is ready', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  const { workspace } = world.runtime.runtime;
  const script = join(world.folder, 'server.mjs');
  const config = join(workspace.home, 'config.jsonc');
  const edit = async (from: string, to: string): Promise<void> => {
    await writeFile(config, (await readFile(config, 'utf8')).replace(from, to));
    await workspace.reloadConfig();
  };
  const view = (): unknown => world.servers.list().map(({ state, problem }) => [state, problem]);
  await cp(fixture, script);
  await edit(fixture, script);
  await world.agree();
  await world.servers.stop('files');
  expect(view()).toEqual([['stopped', undefined]]);
  await world.call({ tool: 'echo', args: { text: 'hi' } });
  expect(view()).toEqual([['running', undefined]]);
  // Who looks at it and does not agree to its next start has not ended it.
  await writeFile(script, `${await readFile(fixture, 'utf8')}\n// exchanged`);
  expect((await world.servers.inspect('files')).mayStart).toBe(false);
  expect(view()).toEqual([['running', undefined]]);
  await cp(fixture, script);
  await edit('"command"', '"enabled":false,"command"');
  await expect(world.servers.restart('files')).rejects.toMatchObject({ code: 'mcp_off' });
  await edit('"enabled":false,', '');
  expect(view()).toEqual([['ready', undefined]]);
  // Another window, which has started nothing yet.
  await writeFile(script, `${await readFile(fixture, 'utf8')}\n// exchanged`);
  await using other = await openTestRuntime({ root: dirname(world.runtime.workspace), isRecorded: false });
  const { mcp } = other.runtime;
  await mcp.look('all');
  expect(mcp.list()).toMatchObject([{ state: 'changed' }]);
  await rm(script);
  await mcp.look('all');
  expect(mcp.list()).toMatchObject([
    { state: 'changed', problem: expect.stringContaining('changed') as string },
  ]);
  expect((await world.asked()).filter((line) => line.startsWith('started'))).toHaveLength(2);
});

it('says that a script is not there before anybody can agree to its start', async () => {
  const program = { command: process.execPath, args: ['nowhere.mjs'] };
  await using world = await openMcpWorld({ isAgreed: false, program });
  await expect(world.servers.inspect('files')).rejects.toMatchObject({
    code: 'mcp_program_missing',
    message: expect.stringMatching(/^There is no nowhere\.mjs in /u) as string,
  });
});

it('agrees to nothing that changed while it was looked at', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  await expect(world.servers.agreeToStart('files', 'another')).rejects.toMatchObject({
    code: 'mcp_changed_meanwhile',
  });
  const { launchHash } = await world.servers.inspect('files');
  await world.servers.agreeToStart('files', launchHash);
  await world.servers.inspect('files');
  await expect(world.servers.agreeToTools('files', 'another')).rejects.toMatchObject({
    code: 'mcp_changed_meanwhile',
  });
  expect(world.servers.tools()).toEqual([]);
});

it('starts nothing that a workspace config names', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  const { runtime, workspace } = world.runtime;
  await mkdir(join(workspace, '.pincer'), { recursive: true });
  await writeFile(
    join(workspace, '.pincer/config.jsonc'),
    '{ "mcp": { "servers": { "evil": { "command": "evil" } } } }',
  );
  await runtime.workspace.reloadConfig();
  expect(world.servers.list().map(({ name }) => name)).toEqual(['files']);
  expect(runtime.workspace.diagnostics().map(({ code }) => code)).toContain('config_workspace_ignored');
});

it('asks about servers of a trusted workspace like about any, and starts none unasked', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  const { runtime, workspace } = world.runtime;
  const entry = {
    command: process.execPath,
    args: [fixture, join(world.folder, 'state')],
    env: { KEY: '${env:OPENAI_API_KEY}' },
  };
  await writeFile(
    join(workspace, '.mcp.json'),
    JSON.stringify({ mcpServers: { tides: entry, files: entry } }),
  );
  await runtime.workspace.reloadConfig();
  const origin = { kind: 'file', path: join(workspace, '.mcp.json') };
  expect(world.servers.list()).toMatchObject([
    { name: 'files', origin: { kind: 'user' } },
    { name: 'tides', origin, state: 'new' },
  ]);
  expect(runtime.workspace.diagnostics().map(({ code }) => code)).toContain('mcp_name_taken');
  expect((await world.servers.inspect('tides')).launch).toMatchObject({ env: ['KEY from OPENAI_API_KEY'] });
  expect(await world.asked()).toEqual([]);
  await runtime.workspace.update({ folders: [workspace], isTrusted: false });
  expect(world.servers.list().map(({ name }) => name)).toEqual(['files']);
});

it('takes over what was agreed to in another window with the next turn', async () => {
  await using world = await openMcpWorld();
  const { home } = world.runtime.runtime.workspace;
  const file = join(home, 'mcp.json');
  const agreed = await readFile(file, 'utf8');
  await writeFile(file, '{ "version": 1, "servers": {} }');
  expect((await world.call({ tool: 'echo', args: { text: 'hi' } })).results[0]?.isError).toBe(true);
  await writeFile(file, agreed);
  expect((await world.call({ tool: 'echo', args: { text: 'hi' } })).results[0]?.isError).toBe(false);
});

it('calls nothing any more once another window has taken the agreement back, in the turn that runs too', async () => {
  await using world = await openMcpWorld({ answer: 'none' });
  const { approvals } = world.runtime.runtime;
  const turn = world.call({ tool: 'echo', args: { text: 'hi' } });
  await expect.poll(() => approvals.pending()).toHaveLength(1);
  await inOtherWindow(world, () => undefined);
  world.allow();
  const { results, texts } = await turn;
  expect(results[0]?.isError).toBe(true);
  expect(texts[0]).toContain('Nobody has agreed to start the MCP server files');
  expect(await world.asked()).not.toContain('tools/call');
  expect(world.servers.list()).toMatchObject([{ state: 'new' }]);
});

it('takes back every server that another window took back, also where another start has looked for itself alone', async () => {
  const server = { command: process.execPath, args: [fixture, join(tmpdir(), 'no state')] };
  await using world = await openMcpWorld({ answer: 'none', others: { second: server } });
  const { servers, runtime } = world;
  const { launchHash } = await servers.inspect('second');
  const path = join(runtime.runtime.workspace.home, 'mcp.json');
  await servers.agreeToStart('second', launchHash);
  const file = JSON.parse(await readFile(path, 'utf8')) as { servers: Record<string, { tools: unknown }> };
  const { 'user files': first, 'user second': second } = file.servers;
  const agreed = {
    'user files': withoutWire({ ...first }),
    'user second': { ...second, tools: first?.tools, isListed: true },
  };
  await servers.stop('files');
  await writeFile(path, JSON.stringify({ ...file, servers: agreed }));
  await runtime.runtime.workspace.reloadConfig();
  const toolCalls = [{ name: 'mcp__second__echo', arguments: { text: 'hi' } }];
  const turn = runtime.say('Go.', [{ toolCalls }, { text: 'Done.' }]);
  await expect.poll(() => runtime.runtime.approvals.pending()).toHaveLength(1);
  await writeFile(path, JSON.stringify({ ...file, servers: {} }));
  await expect(servers.restart('files')).rejects.toMatchObject({ code: 'mcp_not_agreed' });
  world.allow();
  expect(JSON.stringify((await turn).events)).toContain('Nobody has agreed to start the MCP server second');
});

it('calls nothing any more once it is taken back, while a parallel call still reads that', async () => {
  let held: (() => void)[] | undefined;
  let bothRead = (): void => undefined;
  const reading = new Promise<void>((resolve) => (bothRead = resolve));
  await using world = await openMcpWorld({
    answer: 'none',
    adjustHost: (host) => ({
      ...host,
      fs: {
        ...host.fs,
        async readText(path, maxBytes) {
          if (held !== undefined && basename(path) === 'mcp.json')
            await new Promise<void>((resolve) => {
              if (held?.push(resolve) === 2) bothRead();
            });
          return await host.fs.readText(path, maxBytes);
        },
      },
    }),
  });
  const { runtime } = world;
  const { approvals, conversations } = runtime.runtime;
  const toolCalls = [{ name: 'mcp__files__echo', arguments: { text: 'hi' } }];
  const script = [{ toolCalls }, { text: 'Done.' }];
  const turns = [];
  for (const count of [1, 2]) {
    turns.push(runtime.say('Go.', script, { session: conversations.create() }));
    await expect.poll(() => approvals.pending()).toHaveLength(count);
  }
  await inOtherWindow(world, () => undefined);
  held = [];
  world.allow();
  await expect.poll(() => held).toHaveLength(1);
  world.allow();
  await Promise.race([reading, ...turns]);
  for (const resolve of held.splice(0)) resolve();
  held = undefined;
  await Promise.all(turns);
  expect(await world.asked()).not.toContain('tools/call');
});

/** Another window changes what is agreed to about `files`; undefined takes it back. */
async function inOtherWindow(
  world: McpWorld,
  change: (agreed: Record<string, unknown>) => Record<string, unknown> | undefined,
): Promise<void> {
  const path = join(world.runtime.runtime.workspace.home, 'mcp.json');
  const file = JSON.parse(await readFile(path, 'utf8')) as {
    servers: Record<string, Record<string, unknown>>;
  };
  const servers = { 'user files': change(file.servers['user files']!) };
  await writeFile(path, JSON.stringify({ ...file, servers }));
}

async function agreedTo(world: McpWorld): Promise<Readonly<Record<string, unknown>> | undefined> {
  const path = join(world.runtime.runtime.workspace.home, 'mcp.json');
  const { servers } = JSON.parse(await readFile(path, 'utf8')) as { servers: Record<string, never> };
  return servers['user files'];
}

const withoutWire = ({ wire: _, ...agreed }: Record<string, unknown>): Record<string, unknown> => agreed;

it('brings nothing back that another window takes back, or narrows, while a server starts', async () => {
  await using world = await openMcpWorld();
  const { workspace } = world.runtime.runtime;
  await world.servers.stop('files');
  await inOtherWindow(world, withoutWire);
  await workspace.reloadConfig();
  await inOtherWindow(world, (agreed) => ({ ...agreed, tools: [], without: ['echo', 'add'] }));
  await world.servers.restart('files');
  expect(await agreedTo(world)).toMatchObject({ tools: [], without: ['echo', 'add'], wire: 'legacy' });
  expect(world.servers.tools()).toEqual([]);
  await world.servers.stop('files');
  await inOtherWindow(world, withoutWire);
  await workspace.reloadConfig();
  await inOtherWindow(world, () => undefined);
  await expect(world.servers.restart('files')).rejects.toMatchObject({ code: 'mcp_not_agreed' });
  expect(await agreedTo(world)).toBeUndefined();
  expect(world.servers.list()).toMatchObject([{ state: 'new' }]);
});

it('starts a server whose protocol can not be saved, says so in its log, and saves it at the next start', async () => {
  await using world = await openMcpWorld();
  const { workspace } = world.runtime.runtime;
  const locks = join(workspace.home, 'mcp.json.locks');
  await world.servers.stop('files');
  await inOtherWindow(world, withoutWire);
  await workspace.reloadConfig();
  await rm(locks, { recursive: true });
  await writeFile(locks, 'no folder');
  await world.servers.restart('files');
  expect(world.servers.list()).toMatchObject([{ state: 'running' }]);
  expect(world.servers.log('files').join('\n')).toContain('The protocol that it speaks was not saved');
  await rm(locks);
  await world.servers.restart('files');
  expect(await agreedTo(world)).toMatchObject({ wire: 'legacy' });
});

it('hides tools by their name, the group of their server and the group of all servers', async () => {
  for (const entry of ['mcp__files__echo', 'mcp__files__*', 'group:mcp:files', 'group:mcp']) {
    await using world = await openMcpWorld({ config: { tools: { deny: [entry] } } });
    const { runtime, session } = world.runtime;
    const catalog = runtime.tools.catalogFor(session);
    expect(catalog.find('mcp__files__echo'), entry).toBeUndefined();
    expect(catalog.diagnostics(), entry).toEqual([]);
  }
});

it('shows a command line and its variables to the last character, and lets nobody agree to what is too long for that', async () => {
  const program = (length: number): object => ({
    command: process.execPath,
    args: [fixture, 'x'.repeat(length), `the\u200Bend${' '.repeat(900)};more`],
    env: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`VARIABLE_${String(at)}`, 'v'])),
  });
  await using world = await openMcpWorld({
    isAgreed: false,
    program: program(2_000) as Record<string, unknown>,
    others: { longer: program(5_000) },
  });
  const shown = describeStart(await world.servers.inspect('files')).join('\n');
  expect(shown).toContain('the⟨U+200B⟩end⟨900 spaces⟩;more');
  expect(shown).toContain('VARIABLE_59 (');
  const { launchHash } = await world.servers.inspect('longer');
  await expect(world.servers.agreeToStart('longer', launchHash)).rejects.toMatchObject({
    code: 'mcp_launch_too_long',
  });
});

it('shows the value of a variable that loads code, warns of it, and asks again for another one', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  const { runtime } = world.runtime;
  const config = join(runtime.workspace.home, 'config.jsonc');
  const say = async (value: string): Promise<void> => {
    const text = (await readFile(config, 'utf8')).replace(/"env":\{[^}]*\},/u, '');
    await writeFile(config, text.replace('"command"', `"env":{"NODE_OPTIONS":"${value}"},"command"`));
    await runtime.workspace.reloadConfig();
  };
  // Two values with the same first eight digits of their SHA-256.
  await say('--max-old-space-size=2048 --title=s152289');
  const seen = describeStart(await world.servers.inspect('files'));
  expect(seen).toContain('It gets these variables: NODE_OPTIONS=--max-old-space-size=2048 --title=s152289');
  expect(seen).toContain('Warning: NODE_OPTIONS can make it run other code: look at its value.');
  await world.agree();
  await say('--require ./.x.cjs --title=s23469');
  expect(world.servers.list()).toMatchObject([{ state: 'changed' }]);
});

it('asks again in another folder where a server takes its code from the one that is open', async () => {
  await using world = await openMcpWorld({ isAgreed: false });
  const { runtime } = world.runtime;
  const config = join(runtime.workspace.home, 'config.jsonc');
  const servers = { tides: { command: 'python3', args: ['-m', 'tides'] } };
  await writeFile(config, JSON.stringify({ mcp: { servers } }));
  await runtime.workspace.reloadConfig();
  const { launch, launchWarnings } = await world.servers.inspect('tides');
  expect(launch).toMatchObject({ runsIn: await realpath(runtime.workspace.folders()[0] ?? '') });
  expect(launchWarnings.join()).toContain('whoever writes there decides what runs');
});
