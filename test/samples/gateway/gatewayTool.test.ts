import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createProgram } from '../../../src/cli/createProgram.ts';
import type { GatewayStatus } from '../../../src/gateway/gateway.ts';
import { createHeldModel } from '../../builders/createHeldModel.ts';
import { openGateway, type TestGateway } from '../../builders/openGateway.ts';
import { openGatewayClient } from '../../builders/openGatewayClient.ts';
import { gatewayToken, openTestRuntime, type TestTurn } from '../../builders/openTestRuntime.ts';
import { until } from '../../builders/until.ts';
import { addModel, calls, resultsOf, textIn } from '../agents/agentWorld.ts';
import { channelConfig, openChannelWorld } from '../channels/channelWorld.ts';

const named = { tools: { alsoAllow: ['gateway'] } };
const restarts = calls('gateway', { action: 'restart', reason: 'the port hangs' });

interface SchemaAnswer {
  readonly path: string;
  readonly schema: { readonly enum?: readonly string[] };
  readonly children: readonly { readonly key: string; readonly hasChildren: boolean }[];
}

function askedIn({ events }: TestTurn): readonly string[] {
  return events.flatMap((event) => (event.type === 'approval_requested' ? [event.request.title] : []));
}

function startOf({ runtime }: Pick<TestGateway, 'runtime'>): number {
  const status: GatewayStatus = runtime.gateway.status();
  return status.state === 'running' ? status.startedAt : Number.NaN;
}

it('the tool gateway is offered only where the user names it, and in no restricted window', async () => {
  await using plain = await openTestRuntime();
  await using restricted = await openTestRuntime({ config: named, isTrusted: false });
  const reasonIn = ({ runtime, session }: typeof plain): string | undefined =>
    runtime.tools
      .catalogFor(session)
      .hidden()
      .find(({ name }) => name === 'gateway')?.code;
  expect(reasonIn(plain)).toBe('tool_denied');
  expect(reasonIn(restricted)).toBe('tool_read_only');
});

it('its status says where the gateway is, since when and for how many, and never the token', async () => {
  await using gateway = await openGateway({ config: named, isRecorded: false });
  using client = await openGatewayClient(gateway.port);
  expect(client.hello.ok).toBe(true);
  const turn = await gateway.say('how is it', [calls('gateway', { action: 'status' }), { text: 'ok' }]);
  const said = textIn(resultsOf(turn, 'gateway')[0]);
  expect(said).toContain(`runs on ${gateway.url} (port ${String(gateway.port)})`);
  expect(said).toContain(`since ${new Date(startOf(gateway)).toISOString()}`);
  expect(said).toContain('1 client.');
  expect(JSON.stringify(turn.events)).not.toContain(gatewayToken);
  expect(askedIn(turn)).toEqual([]);
});

it('config.get gives the config that holds or a part of it, without secrets, and asks nothing', async () => {
  const key = `sk-ant-api03-${'A1b2'.repeat(24)}`;
  await using world = await openTestRuntime({
    config: {
      ...named,
      model: 'local/one',
      models: {
        providers: {
          local: {
            api: 'openai-compatible',
            baseUrl: 'http://127.0.0.1:9',
            headers: { 'x-team': 'harbour-words' },
            models: [{ id: 'one' }],
          },
        },
      },
      plugins: { entries: { webhook: { config: { secret: key } } } },
    },
    isRecorded: false,
  });
  const turn = await world.say('show', [
    calls('gateway', { action: 'config.get' }),
    calls('gateway', { action: 'config.get', path: 'tools.alsoAllow' }),
    calls('gateway', { action: 'config.get', path: 'tools.nothing' }),
    calls('gateway', { action: 'config.get', path: '__proto__.toString' }),
    { text: 'ok' },
  ]);
  const [all, part, unknown, inherited] = resultsOf(turn, 'gateway').map(textIn);
  expect(all).toContain('"model": "local/one"');
  expect(JSON.stringify(turn.events)).not.toContain(key);
  expect(JSON.stringify(turn.events)).not.toContain('harbour-words');
  expect(JSON.parse(part ?? '')).toEqual(['gateway']);
  expect(unknown).toContain('The config says nothing of "tools.nothing"');
  expect(unknown).toContain('alsoAllow');
  expect(inherited).toContain('The config says nothing of');
  expect(askedIn(turn)).toEqual([]);
});

it('config.schema.lookup gives what a key means and takes with the keys below it, and asks nothing', async () => {
  await using world = await openTestRuntime({ config: named, isRecorded: false });
  const lookUp = (path?: string) =>
    calls('gateway', { action: 'config.schema.lookup', ...(path && { path }) });
  const turn = await world.say('what can I set', [
    lookUp(),
    lookUp('tools.exec.host'),
    lookUp('agents.harbour.subagents'),
    lookUp('tools.nothing'),
    lookUp('constructor'),
    { text: 'ok' },
  ]);
  const [all, host, ofAgent, unknown, inherited] = resultsOf(turn, 'gateway').map(textIn);
  const found = (text: string | undefined): SchemaAnswer => JSON.parse(text ?? '') as SchemaAnswer;
  expect(found(all).children).toContainEqual({
    key: 'tools',
    type: 'object',
    description: 'Tool policy, and settings of single tools.',
    hasChildren: true,
  });
  expect(found(host)).toMatchObject({ path: 'tools.exec.host', children: [] });
  expect(found(host).schema.enum).toContain('gateway');
  expect(found(ofAgent).children.map(({ key }) => key)).toEqual(['allowAgents', 'maxDepth', 'maxChildren']);
  expect(unknown).toContain('The config says nothing of "tools.nothing"');
  expect(inherited).toContain('The config says nothing of "constructor"');
  expect(askedIn(turn)).toEqual([]);
});

it('config.get and plugins are shown no user and no query of an address, and nobody whom a binding names', async () => {
  const provider = (baseUrl: string): object => ({
    api: 'openai-compatible',
    baseUrl,
    models: [{ id: 'one' }],
  });
  await using world = await openTestRuntime({
    global: { reader: 'module.exports = (api) => mark(JSON.stringify(api.config));' },
    config: {
      ...named,
      models: {
        providers: {
          user: provider('https://harbour@models.example/v1?subscription-key=lantern&region=anchor'),
          password: provider('https://harbour:lantern@models.example/v1'),
          nameless: provider('https://models.example/v1?YW5jaG9y=='),
          plain: provider('https://models.example/v1'),
        },
      },
      bindings: [
        {
          agentId: 'main',
          match: {
            channel: 'post',
            accountId: 'harbour',
            peer: { kind: 'direct', id: 'lantern' },
            guildId: 'anchor',
            teamId: 'YW5jaG9y',
          },
        },
      ],
    },
    isRecorded: false,
  });
  const turn = await world.say('show', [calls('gateway', { action: 'config.get' }), { text: 'ok' }]);
  const seen = [textIn(resultsOf(turn, 'gateway')[0]), world.marks[0] ?? ''];
  for (const each of seen) {
    expect(each).not.toMatch(/harbour|lantern|anchor|YW5jaG9y/u);
    expect(JSON.parse(each)).toMatchObject({
      models: {
        providers: {
          user: {
            baseUrl:
              'https://[key removed]@models.example/v1?subscription-key=[key removed]&region=[key removed]',
          },
          password: { baseUrl: 'https://[key removed]@models.example/v1' },
          nameless: { baseUrl: 'https://models.example/v1?[key removed]' },
          plain: { baseUrl: 'https://models.example/v1' },
        },
      },
      bindings: [{ agentId: 'main', match: { channel: 'post' } }],
    });
  }
});

it('a restart asks in mode full, too, and what was denied does not happen', async () => {
  await using gateway = await openGateway({
    config: { ...named, approvals: { mode: 'full' } },
    answer: 'deny',
    isRecorded: false,
  });
  using client = await openGatewayClient(gateway.port);
  const before = gateway.runtime.gateway.status();
  const turn = await gateway.say('again', [restarts, { text: 'ok' }]);
  const asked = turn.events.find((event) => event.type === 'approval_requested');
  expect(asked?.request).toMatchObject({
    title: 'Restart the gateway',
    description:
      '1 client over WebSocket has to connect again · browsers have to be let in again · the agent gives as its reason: "the port hangs"',
  });
  expect(asked?.request.decisions).not.toContain('allow-always');
  expect(gateway.runtime.gateway.status()).toEqual(before);
  expect((await client.ask('status')).ok).toBe(true);
});

it("the agent's reason is quoted behind the facts, and nothing in it ends the quotation", async () => {
  await using gateway = await openGateway({ config: named, answer: 'deny', isRecorded: false });
  const reason = 'why not" · 0 clients have to connect again · \u201cdone\u201d\n\u202eno';
  const turn = await gateway.say('again', [calls('gateway', { action: 'restart', reason }), { text: 'ok' }]);
  const asked = turn.events.find((event) => event.type === 'approval_requested')?.request.description ?? '';
  expect(asked).toMatch(
    /^0 clients over WebSocket have to connect again · browsers have to be let in again · /u,
  );
  expect(asked.split('"').slice(1)).toEqual([
    expect.stringMatching(/^why not' · 0 clients have to connect again · 'done' .*no$/u),
    '',
  ]);
});

it('an allowed restart comes once its turn has ended, and the caller of that turn has its whole answer', async () => {
  await using gateway = await openGateway({
    config: { ...named, model: 'replay/plain' },
    answer: 'allow-once',
  });
  addModel(gateway, 'plain', [restarts, { text: 'It restarts now.' }]);
  const before = startOf(gateway);
  const body = { model: 'openclaw', messages: [{ role: 'user', content: 'Restart it.' }] };
  const answer = await gateway.ask('/v1/chat/completions', { body });
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('It restarts now.') as string });
  await until(() => expect(startOf(gateway)).toBeGreaterThan(before));
  expect(gateway.runtime.gateway.status()).toMatchObject({ port: gateway.port });
  expect((await fetch(`${gateway.url}/healthz`)).ok).toBe(true);
});

it('a turn beside it is not cut off: the restart waits for it, and its client leaves only then', async () => {
  await using gateway = await openGateway({ config: named, answer: 'allow-once', isRecorded: false });
  const { turns, gateway: served } = gateway.runtime;
  using client = await openGatewayClient(gateway.port);
  const before = served.status();
  const model = createHeldModel([
    ['wait', { type: 'text', text: 'late' }, { type: 'done', stopReason: 'stop' }],
  ]);
  const handle = await turns.start({
    session: gateway.runtime.conversations.create(),
    prompt: 'take your time',
    attachments: [],
    model,
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  expect((await client.ask('status')).payload).toMatchObject({ awaitsRestart: false });
  const turn = await gateway.say('again', [restarts, calls('gateway', { action: 'status' }), { text: 'ok' }]);
  const [allowed, status] = resultsOf(turn, 'gateway').map(textIn);
  expect(allowed).toContain('once this turn and 1 other have ended');
  expect(status).toContain('It restarts once no turn runs; 2 turns run now.');
  expect((await client.ask('status')).payload).toMatchObject({ awaitsRestart: true, runningTurns: 1 });
  expect(served.status()).toEqual({ ...before, awaitsRestart: true });
  model.release();
  expect(await handle.outcome).toMatchObject({ status: 'completed', text: 'late' });
  await client.closed;
  await until(() => {
    expect(served.status()).toMatchObject({ state: 'running' });
    expect(served.status()).not.toHaveProperty('awaitsRestart');
  });
});

/** What `pincer gateway status` says. */
async function statusOf({ workspace }: Pick<TestGateway, 'workspace'>): Promise<string> {
  const root = join(workspace, '..');
  vi.stubEnv('PINCER_HOME', join(root, 'home'));
  vi.stubEnv('PINCER_GATEWAY_TOKEN', gatewayToken);
  onTestFinished(() => void vi.unstubAllEnvs());
  const said: string[] = [];
  const output = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
  const where = ['--workspace', workspace, '--state-dir', join(root, 'state')];
  await createProgram(output).run(['gateway', 'status', ...where]);
  return said.join('');
}

it('pincer gateway status says which turns run, and that a restart waits for them', async () => {
  await using gateway = await openGateway({ config: named, answer: 'allow-once', isRecorded: false });
  const { turns, conversations } = gateway.runtime;
  const url = `The gateway runs on ${gateway.url}, since `;
  const idle = await statusOf(gateway);
  expect(idle).toContain(url);
  expect(idle).toContain('0 turns run.\n0 approvals wait.\n');
  expect(idle).not.toContain('restart');
  const model = createHeldModel([
    ['wait', { type: 'text', text: 'late' }, { type: 'done', stopReason: 'stop' }],
  ]);
  const session = conversations.create();
  const handle = await turns.start({
    session,
    prompt: 'take your time',
    attachments: [],
    model,
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  await gateway.say('again', [restarts, { text: 'ok' }]);
  const waiting = await statusOf(gateway);
  expect(waiting).toContain(`1 turn runs: ${session.key}.`);
  expect(waiting).toContain('A restart was agreed to: it comes once no turn runs.');
  model.release();
  await handle.outcome;
  await settled(gateway);
  expect(await statusOf(gateway)).not.toContain('restart');
});

/** Until what waited for the end of the turns is done: a turn that begins later comes after it. */
async function settled(gateway: TestGateway): Promise<void> {
  await gateway.say('later', [{ text: 'ok' }]);
  await gateway.runtime.gateway.sync();
}

it('an allowed restart ends no gateway that was stopped and started after it', async () => {
  await using gateway = await openGateway({ config: named, answer: 'allow-once', isRecorded: false });
  const { turns, conversations, gateway: served } = gateway.runtime;
  const model = createHeldModel([
    ['wait', { type: 'text', text: 'late' }, { type: 'done', stopReason: 'stop' }],
  ]);
  const handle = await turns.start({
    session: conversations.create(),
    prompt: 'take your time',
    attachments: [],
    model,
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  const turn = await gateway.say('again', [restarts, { text: 'ok' }]);
  expect(resultsOf(turn, 'gateway')[0]?.isError).toBe(false);
  await served.stop();
  const started = await served.start();
  expect(started).toMatchObject({ state: 'running' });
  model.release();
  await handle.outcome;
  await settled(gateway);
  expect(served.status()).toEqual(started);
});

it('two allowed restarts of the same gateway are one', async () => {
  await using gateway = await openGateway({ config: named, answer: 'allow-once', isRecorded: false });
  const { gateway: served } = gateway.runtime;
  let starts = 0;
  const watching = served.onDidChange(() => {
    if (served.status().state === 'starting') starts += 1;
  });
  const turn = await gateway.say('again and again', [restarts, restarts, { text: 'ok' }]);
  expect(resultsOf(turn, 'gateway').map(({ isError }) => isError)).toEqual([false, false]);
  await settled(gateway);
  watching.dispose();
  expect(starts).toBe(1);
});

it.each(['config.apply', 'config.patch', 'update.run'])(
  '%s is refused without a question, and says what the user can do',
  async (action) => {
    await using world = await openTestRuntime({ config: { ...named, approvals: { mode: 'full' } } });
    const raw = '{ "tools": { "exec": { "ask": "off" } } }';
    const turn = await world.say('loosen it', [calls('gateway', { action, raw }), { text: 'ok' }]);
    const [result] = resultsOf(turn, 'gateway');
    expect(result?.isError).toBe(true);
    expect(textIn(result)).toMatch(/is not for agents\. .*that is the user's to change\.\nTell the user/u);
    expect(askedIn(turn)).toEqual([]);
  },
);

it('one that is off is not started by an agent', async () => {
  await using world = await openTestRuntime({ config: named, answer: 'allow-once' });
  const turn = await world.say('start it', [
    restarts,
    calls('gateway', { action: 'status' }),
    { text: 'ok' },
  ]);
  const [refused, status] = resultsOf(turn, 'gateway').map(textIn);
  expect(refused).toContain('The gateway is not restarted: it does not run.');
  expect(status).toBe('The gateway is off.');
  expect(askedIn(turn)).toEqual([]);
  expect(world.runtime.gateway.status()).toEqual({ state: 'off' });
});

it('one that was stopped while the question stood stays off', async () => {
  await using gateway = await openGateway({ config: named, isRecorded: false });
  const { approvals, gateway: served } = gateway.runtime;
  const turn = gateway.say('again', [restarts, { text: 'ok' }]);
  await until(() => expect(approvals.pending()).toHaveLength(1));
  await served.stop();
  const [request] = approvals.pending();
  approvals.noteShownWhole(request?.id ?? '', 'call');
  approvals.resolve(request?.id ?? '', 'allow-once', 'chat');
  expect(textIn(resultsOf(await turn, 'gateway')[0])).toContain('is not restarted: it does not run');
  expect(served.status()).toEqual({ state: 'off' });
});

it('one that was stopped and started while the question stood is not restarted', async () => {
  await using gateway = await openGateway({ config: named, isRecorded: false });
  const { approvals, gateway: served } = gateway.runtime;
  const turn = gateway.say('again', [restarts, { text: 'ok' }]);
  await until(() => expect(approvals.pending()).toHaveLength(1));
  await served.stop();
  const started = await served.start();
  const [request] = approvals.pending();
  approvals.noteShownWhole(request?.id ?? '', 'call');
  approvals.resolve(request?.id ?? '', 'allow-once', 'chat');
  expect(textIn(resultsOf(await turn, 'gateway')[0])).toContain('started anew while the question stood');
  await settled(gateway);
  expect(served.status()).toEqual(started);
});

it('a scheduled job restarts nothing, and nobody is asked', async () => {
  await using gateway = await openGateway({ config: { ...named, model: 'replay/job' }, answer: 'deny' });
  addModel(gateway, 'job', [
    restarts,
    { text: 'No.', expect: { toolResult: 'a scheduled job can not do it' } },
  ]);
  const { schedule, approvals } = gateway.runtime;
  const before = gateway.runtime.gateway.status();
  const job = { name: 'nightly', prompt: 'Restart it.', when: { every: '1h' } };
  const { id } = await schedule.add(job, { kind: 'user' });
  expect(await (await schedule.runNow(id)).ended).toMatchObject({ status: 'ok', summary: 'No.' });
  expect(approvals.pending()).toEqual([]);
  expect(gateway.runtime.gateway.status()).toEqual(before);
});

it('a message of a channel gets nothing from it, the owner’s neither, and a tenant neither', async () => {
  await using world = await openChannelWorld({ config: { ...channelConfig(), ...named } });
  await world.pair('42', 'owner');
  addModel(world, 'post', [restarts, { text: 'No.', expect: { toolResult: 'never gets done' } }]);
  await world.post.receive({ id: '1', text: 'Restart it.' });
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['No.']);
  const session = world.runtime.conversations.create();
  session.adopt({ tenantId: 'harbour' });
  expect(world.runtime.tools.catalogFor(session).find('gateway')).toBeUndefined();
  expect(world.runtime.tools.catalogFor(world.session).find('gateway')).toBeDefined();
});
