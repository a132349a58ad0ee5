import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createInMemorySecrets } from '../../../src/host/createInMemorySecrets.ts';
import type { Secrets } from '../../../src/host/ports.ts';
import type { SignInPrompter } from '../../../src/plugins/providers/providerSignIn.ts';
import {
  openTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
} from '../../builders/openTestRuntime.ts';
import { startScriptedModelServer, textAnswer } from '../../builders/scriptedModelServer.ts';

/** A service that gives a device code, then tokens: `token-1`, and `token-2` for the refresh token of the first. */
async function startService() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = {
      '/device': {
        device_code: 'd1',
        user_code: 'WDJB-MJHT',
        verification_uri: 'https://service.example/device',
      },
      '/token': { access: 'token-1', refresh: 'refresh-1', expires: Date.now() - 1 },
      '/refresh?refresh-1': { access: 'token-2', refresh: 'refresh-2', expires: Date.now() + 3_600_000 },
    }[request.url ?? ''];
    response.writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: 'invalid_grant' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return { asked, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

/** A plugin as its author ships it: models behind a server, a device code, and tokens that are renewed. */
const plugin = (service: string, models: string): string => `
const ask = async (path) => {
  const answer = await fetch('${service}' + path, { method: 'POST' });
  if (!answer.ok) throw new Error('the service said ' + (await answer.json()).error);
  return answer.json();
};
module.exports = (api) => api.registerProvider({
  id: 'acme', label: 'Acme', envVars: ['ACME_API_KEY'],
  auth: [{
    id: 'device', label: 'Device code', kind: 'device_code',
    async run(ctx) {
      const { user_code: code, verification_uri: url } = await ask('/device');
      await ctx.prompter.deviceCode({ title: 'Enter this code', code });
      await ctx.openUrl(url);
      const plan = await ctx.prompter.select({ message: 'Which plan?', options: [{ value: 'free', label: 'Free' }, { value: 'team', label: 'Team' }] });
      const token = await ask('/token');
      return {
        profiles: [{ profileId: 'acme:default', credential: { type: 'oauth', provider: 'acme', email: 'ada@acme.example', plan, ...token } }],
        notes: ['Your plan ends in May.'],
      };
    },
  }],
  formatApiKey: (credential) => credential.plan + ' ' + credential.access,
  refreshOAuth: async (credential) => ({ ...credential, ...(await ask('/refresh?' + credential.refresh)) }),
  models: { baseUrl: '${models}', models: [{ id: 'one' }] },
});`;

interface Shown {
  readonly codes: string[];
  readonly opened: string[];
}

/** A user who takes the last of every list. */
function prompterOf({ codes, opened }: Shown): SignInPrompter {
  return {
    isRemote: false,
    note: () => Promise.resolve(),
    deviceCode: (code) => Promise.resolve(void codes.push(code)),
    select: (_message, choices) => Promise.resolve(choices.length - 1),
    multiselect: () => Promise.resolve([]),
    text: () => Promise.resolve('typed'),
    confirm: () => Promise.resolve(true),
    progress: () => ({ update: () => undefined, stop: () => undefined }),
    openUrl: (url) => Promise.resolve(void opened.push(url)),
    redirect: (isExpected) => {
      const back = 'vscode://pincer-dev.pincer/sign-in';
      const answers = ['code=c0&state=other', 'code=c1&state=state-0001'].map(
        (query) => new URL(`${back}?${query}`),
      );
      const expected = answers.find(isExpected);
      const answered = expected === undefined ? new Promise<URL>(() => undefined) : Promise.resolve(expected);
      return Promise.resolve({ url: back, answered });
    },
  };
}

async function openWorld(options: TestRuntimeOptions): Promise<TestRuntime & { readonly secrets: Secrets }> {
  const secrets = createInMemorySecrets();
  const world = await openTestRuntime({
    isRecorded: false,
    withoutRealBundled: true,
    ...options,
    adjustHost: (host) => ({ ...host, secrets, env: { PATH: host.env['PATH'] } }),
  });
  return { ...world, secrets, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

const signal = new AbortController().signal;

function offerOf(world: TestRuntime) {
  const [offer] = world.runtime.models.signIns.offers();
  expect(offer).toBeDefined();
  return offer ?? { id: '', methods: [], isOfWorkspace: false };
}

it('signs in by a device code, sends the key that the plugin makes of it, renews it, and forgets it', async () => {
  const service = await startService();
  const server = await startScriptedModelServer();
  onTestFinished(() => server.dispose());
  server.answerAll(() => textAnswer('Ahoy.'));
  await using world = await openWorld({ global: { acme: plugin(service.url, server.baseUrl) } });
  const { models } = world.runtime;
  const offer = offerOf(world);
  const shown: Shown = { codes: [], opened: [] };
  const result = await models.signIns.signIn(offer.id, 'device', prompterOf(shown), signal);
  expect(result).toEqual({
    id: offer.id,
    provider: 'Acme',
    account: 'ada@acme.example',
    notes: ['Your plan ends in May.'],
  });
  expect(shown).toEqual({ codes: ['WDJB-MJHT'], opened: ['https://service.example/device'] });
  const say = async (): Promise<void> => {
    const { outcome } = await world.say('hello', [], { model: models.resolve('acme/one') });
    expect(outcome).toEqual({ status: 'completed', text: 'Ahoy.' });
  };
  await say();
  await say();
  // The first token had run out before it was used: it was renewed, once, and the new one kept.
  expect(service.asked).toEqual(['/device', '/token', '/refresh?refresh-1']);
  expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer team token-2',
    'Bearer team token-2',
  ]);
  expect(await models.signIns.accounts()).toEqual([
    { id: offer.id, provider: 'Acme', account: 'ada@acme.example' },
  ]);
  await models.signIns.signOut(offer.id);
  expect(await models.signIns.accounts()).toEqual([]);
  expect(await world.secrets.get(offer.id)).toBeUndefined();
});

it("keeps a credential from a workspace's plugin that takes the provider's id", async () => {
  const service = await startService();
  const code = plugin(service.url, 'http://127.0.0.1:9/v1');
  await using own = await openWorld({ global: { acme: code } });
  await using workspaces = await openWorld({ plugins: { acme: code } });
  expect(offerOf(workspaces).isOfWorkspace).toBe(true);
  expect(offerOf(workspaces).id).not.toBe(offerOf(own).id);
});

const auth = (run: string): string =>
  `module.exports = (api) => api.registerProvider({ id: 'acme', label: 'Acme', models: { baseUrl: 'http://127.0.0.1:9/v1', models: [{ id: 'one' }] },
    auth: [{ id: 'web', label: 'Web', kind: 'oauth', run: async (ctx) => { ${run} } }] });`;

const credential =
  "profiles: [{ profileId: 'a', credential: { type: 'token', provider: 'acme', token: 't' } }]";

it.each([
  ['gives no credential', 'return { profiles: [] };', 'it gave no credential'],
  ['throws', "throw new Error('no luck');", 'no luck'],
  ['opens no http address', "await ctx.openUrl('file:///bin/sh');", 'no http address'],
  [
    'gives a credential without end',
    "return { profiles: [{ credential: { type: 'token', token: 't', more: 'x'.repeat(1e6) } }] };",
    'longer than 64 KiB',
  ],
  ['gives what throws when read', "return { get profiles() { throw new Error('trap'); } };", 'trap'],
  ['never ends', 'await new Promise(() => undefined);', 'it took longer than 15 minutes'],
  ['ends the process', `ctx.runtime.exit(1); return { ${credential} };`, 'it ended with code 1'],
])('a sign-in that %s fails with the plugin named, and keeps nothing', async (_how, run, reason) => {
  await using world = await openWorld({ global: { acme: auth(run) }, speed: 1_000_000 });
  const { signIns } = world.runtime.models;
  const { id } = offerOf(world);
  const shown = { codes: [], opened: [] };
  await expect(signIns.signIn(id, 'web', prompterOf(shown), signal)).rejects.toMatchObject({
    code: 'plugin_sign_in_failed',
    message: expect.stringMatching(new RegExp(`"acme" of plugin "acme" failed: .*${reason}`, 'u')) as unknown,
  });
  expect(shown.opened).toEqual([]);
  expect(await signIns.accounts()).toEqual([]);
});

it('of a plugin whose way to sign in throws when read is no provider, and the others go on', async () => {
  const trap = `module.exports = (api) => api.registerProvider({ id: 'trap', models: { baseUrl: 'http://127.0.0.1:9/v1', models: [{ id: 'one' }] },
    auth: [{ get run() { throw new Error('trap'); } }] });`;
  await using world = await openWorld({ global: { a: trap, acme: auth(`return { ${credential} };`) } });
  const { signIns } = world.runtime.models;
  expect(signIns.offers().map(({ pluginId }) => pluginId)).toEqual(['acme']);
  expect(world.runtime.plugins.plugins().find(({ id }) => id === 'a')).toMatchObject({
    status: 'error',
    error: expect.stringContaining('trap') as unknown,
  });
});

it('comes back from the browser with the code of the state that was sent, and of no other', async () => {
  const run = (state: string): string =>
    `const { code } = await ctx.oauth.authorize({ state: '${state}', timeoutMs: 1000, buildAuthorizationUrl: (back) => 'https://service.example/?back=' + encodeURIComponent(back) });
     return { profiles: [{ credential: { type: 'token', provider: 'acme', token: code } }] };`;
  await using world = await openWorld({ global: { acme: auth(run('state-0001')) } });
  const shown: Shown = { codes: [], opened: [] };
  const { id } = offerOf(world);
  await world.runtime.models.signIns.signIn(id, 'web', prompterOf(shown), signal);
  expect(JSON.parse((await world.secrets.get(id)) ?? '')).toMatchObject({ token: 'c1' });
  expect(shown.opened).toEqual(['https://service.example/?back=vscode%3A%2F%2Fpincer-dev.pincer%2Fsign-in']);
  await using other = await openWorld({ global: { acme: auth(run('state-0002')) }, speed: 1_000 });
  await expect(
    other.runtime.models.signIns.signIn(offerOf(other).id, 'web', prompterOf(shown), signal),
  ).rejects.toMatchObject({
    message: expect.stringContaining('the browser did not come back within 1000 ms') as unknown,
  });
});

it('ends with the user, and what the plugin gives after that is not kept', async () => {
  await using world = await openWorld({
    global: { acme: auth(`await ctx.prompter.text({ message: 'Name?' }); return { ${credential} };`) },
  });
  const { signIns } = world.runtime.models;
  const left = new AbortController();
  const answers: ((text: string) => void)[] = [];
  const prompter = {
    ...prompterOf({ codes: [], opened: [] }),
    text: () => new Promise<string>((resolve) => void answers.push(resolve)),
  };
  const { id } = offerOf(world);
  const running = signIns.signIn(id, 'web', prompter, left.signal);
  left.abort();
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  answers.forEach((answer) => answer('Ada'));
  expect(await world.secrets.get(id)).toBeUndefined();
});

it('takes a stored credential that can not be read for none, and signing in replaces it', async () => {
  await using world = await openWorld({ global: { acme: auth(`return { ${credential} };`) } });
  const { signIns } = world.runtime.models;
  const { id } = offerOf(world);
  await world.secrets.set(id, '{ "type": "passkey"');
  expect(await signIns.accounts()).toEqual([]);
  await signIns.signIn(id, 'web', prompterOf({ codes: [], opened: [] }), signal);
  expect(await signIns.accounts()).toEqual([{ id, provider: 'Acme', account: 'Acme' }]);
});

it('names signing in and the variable where a provider has neither', async () => {
  await using world = await openWorld({
    global: { acme: plugin('http://127.0.0.1:9', 'https://models.acme.example/v1') },
  });
  const { outcome } = await world.say('hello', [], { model: world.runtime.models.resolve('acme/one') });
  expect(outcome).toMatchObject({
    status: 'failed',
    code: 'model_no_key',
    hint: 'Run “Pincer: Sign In to Model Provider…”, or set the environment variable ACME_API_KEY and start again.',
  });
});

const gives = (token: string): string =>
  `return { profiles: [{ credential: { type: 'token', provider: 'acme', token: '${token}' } }] };`;

it('leaves nothing of what a plugin was given to it once it has ended', async () => {
  const acme = auth(`globalThis.keptSignIn = ctx; ${gives('token-of-acme')}`);
  await using world = await openWorld({ global: { acme } });
  const calls: string[] = [];
  const prompter: SignInPrompter = {
    ...prompterOf({ codes: [], opened: [] }),
    progress: (message) => {
      calls.push(message);
      return { update: (update) => void calls.push(update), stop: () => undefined };
    },
    redirect: () => {
      calls.push('redirect');
      return new Promise(() => undefined);
    },
  };
  await world.runtime.models.signIns.signIn(offerOf(world).id, 'web', prompter, signal);
  const { keptSignIn: context } = globalThis as unknown as {
    keptSignIn: {
      readonly oauth: { authorize(params: object): Promise<unknown> };
      readonly prompter: { progress(label: string): unknown; text(params: object): Promise<string> };
    };
  };
  const params = { state: 'state-0001', buildAuthorizationUrl: () => 'https://service.example' };
  await expect(context.oauth.authorize(params)).rejects.toMatchObject({ code: 'cancelled' });
  await expect(context.prompter.text({ message: 'Late?' })).rejects.toMatchObject({ code: 'cancelled' });
  expect(() => context.prompter.progress('late')).toThrow('Cancelled');
  expect(calls).toEqual([]);
});

it('tells no token in log lines of the plugin, before and after it has ended', async () => {
  const acme = auth(
    `ctx.runtime.log('got token-of-acme'); globalThis.logOfAcme = ctx.runtime.error; ${gives('token-of-acme')}`,
  );
  await using world = await openWorld({ global: { acme } });
  await world.runtime.models.signIns.signIn(
    offerOf(world).id,
    'web',
    prompterOf({ codes: [], opened: [] }),
    signal,
  );
  const { logOfAcme } = globalThis as unknown as { logOfAcme(text: string): void };
  logOfAcme('kept token-of-acme');
  const log = JSON.stringify(world.log);
  expect(log).toContain('got [key removed]');
  expect(log).toContain('kept [key removed]');
  expect(log).not.toContain('token-of-acme');
});

it('that fails tells no key that its user has typed', async () => {
  const acme = auth(
    "const key = await ctx.prompter.text({ message: 'Key?', sensitive: true }); throw new Error('401 for ' + key);",
  );
  await using world = await openWorld({ global: { acme } });
  const prompter = {
    ...prompterOf({ codes: [], opened: [] }),
    text: () => Promise.resolve('the key of Ada'),
  };
  await expect(
    world.runtime.models.signIns.signIn(offerOf(world).id, 'web', prompter, signal),
  ).rejects.toMatchObject({ message: expect.stringContaining('401 for [key removed]') as unknown });
});

it('shows at most 200 entries of a list that is read once, whatever methods the list has', async () => {
  const acme = auth(`
    let reads = 0;
    const list = (length) => Object.assign(Array.from({ length }, (_, value) => ({ value, label: 'x' })), { slice() { return this; }, filter() { return this; } });
    await ctx.prompter.select({ message: 'Which?', get options() { reads += 1; return list(reads === 1 ? 1000 : 0); } });
    ${gives('token-of-acme')}`);
  await using world = await openWorld({ global: { acme } });
  const lengths: number[] = [];
  const prompter: SignInPrompter = {
    ...prompterOf({ codes: [], opened: [] }),
    select: (_message, choices) => Promise.resolve(lengths.push(choices.length) - 1),
  };
  await world.runtime.models.signIns.signIn(offerOf(world).id, 'web', prompter, signal);
  expect(lengths).toEqual([200]);
});

/** A provider whose tokens have run out as they come, `account` counting up, that renews them by `refresh`. */
const runsOut = (refresh: string, more = ''): string =>
  `let account = 0;
  module.exports = (api) => api.registerProvider({ id: 'acme', label: 'Acme', models: { baseUrl: 'http://127.0.0.1:9/v1', models: [{ id: 'one' }] },
    auth: [{ id: 'web', label: 'Web', kind: 'oauth', run: async () => { account += 1; return { profiles: [{ credential: { type: 'oauth', provider: 'acme',
      access: 'access-' + account, refresh: 'refresh-' + account, expires: account === 1 ? Date.now() - 1 : Date.now() + 3_600_000 } }] }; } }],
    refreshOAuth: ${refresh}, ${more} });`;

it('keeps a sign-in that came while an older one was being renewed', async () => {
  const acme = runsOut(
    "(old) => new Promise((resolve) => { globalThis.endRenewal = () => resolve({ ...old, access: 'renewed-1' }); mark('renewing'); })",
    "createStreamFn: () => (_model, _context, { apiKey }) => { mark('key ' + apiKey); throw new Error('no server'); },",
  );
  await using world = await openWorld({ global: { acme } });
  const { models } = world.runtime;
  const { id } = offerOf(world);
  const signIn = () => models.signIns.signIn(id, 'web', prompterOf({ codes: [], opened: [] }), signal);
  await signIn();
  const turn = world.say('hello', [], { model: models.resolve('acme/one') });
  await expect.poll(() => world.marks).toContain('renewing');
  await models.signIns.signOut(id);
  await signIn();
  (globalThis as unknown as { endRenewal(): void }).endRenewal();
  await turn;
  expect(JSON.parse((await world.secrets.get(id)) ?? '')).toMatchObject({ access: 'access-2' });
  expect(world.marks).toContain('key access-2');
});

it('that can not be renewed tells no token', async () => {
  const acme = runsOut(
    "async (old) => { throw new Error('invalid grant for ' + old.refresh + ' of ' + old.access); }",
  );
  await using world = await openWorld({ global: { acme } });
  const { models } = world.runtime;
  await models.signIns.signIn(offerOf(world).id, 'web', prompterOf({ codes: [], opened: [] }), signal);
  const { outcome } = await world.say('hello', [], { model: models.resolve('acme/one') });
  expect(outcome.status).toBe('failed');
  expect(JSON.stringify(outcome)).toContain('invalid grant for [key removed] of [key removed].');
});

it('leaves a message readable whose words a short key has', async () => {
  const more =
    "createStreamFn: () => () => { throw new Error('the servers see trees'); }, formatApiKey: () => 'servers',";
  await using world = await openWorld({ global: { acme: runsOut('async (old) => old', more) } });
  const { models } = world.runtime;
  await models.signIns.signIn(offerOf(world).id, 'web', prompterOf({ codes: [], opened: [] }), signal);
  const { outcome } = await world.say('hello', [], { model: models.resolve('acme/one') });
  expect(JSON.stringify(outcome)).toContain('the servers see trees');
});
