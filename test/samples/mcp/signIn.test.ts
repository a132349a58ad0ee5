import { expect, it } from 'vitest';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../../src/host/createInMemorySecrets.ts';
import { createNodeHost } from '../../../src/host/node/createNodeHost.ts';
import { createSignIn, createSignInFetch } from '../../../src/mcp/connection/index.ts';
import type { AskPerson, ServerQuestion } from '../../../src/mcp/serverQuestion.ts';
import type { GuardedRequest } from '../../../src/net/createGuardedFetch.ts';
import { openMcpWorld, type McpWorld } from './openMcpWorld.ts';
import { openSignInServer, type SignInServer } from './openSignInServer.ts';

const echo = { tool: 'echo' } as const;

interface Person {
  readonly ask: AskPerson;
  readonly asked: readonly ServerQuestion[];
}

/** Opens each page that a server wants opened; `change` says what becomes of the way back. */
function openPerson(change: (back: URL) => URL = (back) => back): Person {
  const asked: ServerQuestion[] = [];
  return {
    asked,
    async ask(question) {
      asked.push(question);
      if (question.kind !== 'address') return { action: 'decline' };
      const { headers } = await fetch(question.url, { redirect: 'manual' });
      await fetch(change(new URL(headers.get('location') ?? '')));
      return { action: 'accept' };
    },
  };
}

/** The whole runtime with this server in its config, nothing agreed to yet; `person` is there. */
async function openWorld({ url }: SignInServer, person?: Person, oauth?: object): Promise<McpWorld> {
  const program = { url, ...(oauth === undefined ? {} : { oauth }) };
  const world = await openMcpWorld({ program, isAgreed: false });
  if (person !== undefined) world.servers.askBy(person.ask);
  return world;
}

const messages = (server: SignInServer): readonly string[] =>
  server.asked.filter((each) => each.startsWith('tools/call'));

it('asks a person to sign in, shows the whole address, and calls tools with what comes of it', async () => {
  await using server = await openSignInServer();
  const person = openPerson();
  await using world = await openWorld(server, person);
  await world.agree();
  const { texts } = await world.call(echo);
  expect(texts[0]).toContain('heard');
  expect(person.asked).toMatchObject([
    {
      server: 'files',
      kind: 'address',
      host: new URL(server.url).host,
      url: expect.stringContaining('code_challenge=') as string,
    },
  ]);
  expect(messages(server)).toEqual(['tools/call t1']);
});

it('asks once: what came of it is kept for the next start', async () => {
  await using server = await openSignInServer();
  const person = openPerson();
  await using world = await openWorld(server, person);
  await world.agree();
  await world.servers.restart('files');
  await world.call(echo);
  expect(person.asked).toHaveLength(1);
  expect(server.asked.filter((each) => each === 'register')).toHaveLength(1);
});

it('renews a token that is over without a question', async () => {
  await using server = await openSignInServer();
  const person = openPerson();
  await using world = await openWorld(server, person);
  await world.agree();
  server.expire();
  const { texts } = await world.call(echo);
  expect(texts[0]).toContain('heard');
  expect(messages(server)).toEqual(['tools/call t1', 'tools/call t2']);
  expect(person.asked).toHaveLength(1);
});

it('asks again where a call wants more than was given, and keeps what was given', async () => {
  await using server = await openSignInServer();
  const person = openPerson();
  await using world = await openWorld(server, person);
  await world.agree();
  server.wants('write');
  const { texts } = await world.call(echo);
  expect(texts[0]).toContain('heard');
  expect(server.asked.filter((each) => each.startsWith('authorize'))).toEqual([
    'authorize read',
    'authorize read write',
  ]);
});

it('signs in as the client that the config names', async () => {
  await using server = await openSignInServer({ client: { id: 'mine', secret: 's3cret-of-mine' } });
  const person = openPerson();
  await using world = await openWorld(server, person, {
    clientId: 'mine',
    clientSecret: { secret: 'mcp.files.client' },
  });
  await world.runtime.runtime.host.secrets.set('mcp.files.client', 's3cret-of-mine');
  await world.agree();
  const { texts } = await world.call(echo);
  expect(texts[0]).toContain('heard');
  expect(server.asked).not.toContain('register');
});

it('tells the secret of a client to no other provider than that of the first sign-in, and renews nothing there', async () => {
  const client = { id: 'mine', secret: 's3cret-of-mine' };
  await using server = await openSignInServer({ client });
  await using other = await openSignInServer();
  const person = openPerson();
  await using world = await openWorld(server, person, {
    clientId: 'mine',
    clientSecret: { secret: 'mcp.files.client' },
  });
  await world.runtime.runtime.host.secrets.set('mcp.files.client', client.secret);
  await world.agree();
  server.names(new URL(other.url).origin);
  server.expire();
  const { texts } = await world.call(echo);
  expect(texts[0]).toContain('another provider');
  expect(person.asked).toHaveLength(1);
  expect(other.asked.filter((each) => each.startsWith('token'))).toEqual([]);
});

it('asks nobody to sign in without end, and says which server wants that', async () => {
  await using server = await openSignInServer();
  const person = openPerson();
  await using world = await openWorld(server, person);
  await world.agree();
  server.refuses('No.');
  const again = async (): Promise<string | undefined> => {
    server.expire();
    return (await world.call(echo)).texts[0];
  };
  while (person.asked.length < 40) expect(await again()).toContain('heard');
  expect(await again()).toContain(
    'The MCP server files has asked 40 times within 10 minutes: what more it asks is declined.',
  );
  expect(person.asked).toHaveLength(40);
});

it('says that a sign-in is needed where nobody is there', async () => {
  await using server = await openSignInServer();
  await using world = await openWorld(server);
  await expect(world.agree()).rejects.toMatchObject({
    code: 'mcp_sign_in_needed',
    message: 'The MCP server files wants you to sign in.',
  });
});

it('takes a no for a no', async () => {
  await using server = await openSignInServer();
  await using world = await openWorld(server, {
    asked: [],
    ask: () => Promise.resolve({ action: 'decline' }),
  });
  await expect(world.agree()).rejects.toMatchObject({ code: 'mcp_sign_in_needed' });
  expect(server.asked.filter((each) => each.startsWith('token'))).toEqual([]);
});

it('forgets the sign-in with the agreement', async () => {
  await using server = await openSignInServer();
  const person = openPerson();
  await using world = await openWorld(server, person);
  await world.agree();
  await world.servers.forget('files');
  await world.agree();
  expect(person.asked).toHaveLength(2);
});

it('opens no page that is not encrypted, and asks nobody', async () => {
  await using server = await openSignInServer({ authorizeUrl: 'http://login.example/authorize' });
  const person = openPerson();
  await using world = await openWorld(server, person);
  await expect(world.agree()).rejects.toMatchObject({ code: 'mcp_sign_in_failed' });
  expect(person.asked).toEqual([]);
});

it('asks only public addresses of https for a server that is not of this machine', async () => {
  const asked: GuardedRequest[] = [];
  const send = createSignInFetch('https://mcp.example/mcp', (request) => {
    asked.push(request);
    return Promise.resolve({
      ...{ url: request.url, status: 404, bytes: new Uint8Array(), isCut: false },
      header: () => undefined,
    });
  });
  for (const address of [
    'http://login.example/',
    'http://169.254.169.254/latest',
    'http://127.0.0.1:8080/',
    'https://mcp.example@login.example/',
  ])
    await expect(send(address)).rejects.toMatchObject({ code: 'mcp_sign_in_address' });
  await send('https://login.example/');
  // That a name leads to the user's own network is found out by the guard: it is told of no exception.
  expect(asked).toMatchObject([{ url: 'https://login.example/' }]);
  expect(asked[0]).not.toHaveProperty('ownOrigin');
});

it('takes no answer of another provider', async () => {
  await using server = await openSignInServer({ iss: 'https://evil.example' });
  await using world = await openWorld(server, openPerson());
  await expect(world.agree()).rejects.toMatchObject({ code: 'mcp_sign_in_failed' });
  expect(server.asked.filter((each) => each.startsWith('token'))).toEqual([]);
});

it('takes no answer that another page sends', async () => {
  await using server = await openSignInServer();
  const statuses: number[] = [];
  const person: Person = {
    asked: [],
    async ask(question) {
      if (question.kind !== 'address') return { action: 'decline' };
      const { headers } = await fetch(question.url, { redirect: 'manual' });
      const back = new URL(headers.get('location') ?? '');
      const forged = new URL(back);
      forged.searchParams.set('state', 'guessed');
      forged.searchParams.set('code', 'of-somebody-else');
      statuses.push((await fetch(forged)).status, (await fetch(back)).status);
      return { action: 'accept' };
    },
  };
  await using world = await openWorld(server, person);
  await world.agree();
  expect(statuses).toEqual([404, 200]);
});

it('sends what was kept for one address to no other', async () => {
  await using first = await openSignInServer();
  await using second = await openSignInServer();
  await using world = await openWorld(first, openPerson());
  await world.agree();
  const { secrets } = world.runtime.runtime.host;
  const kept = (await secrets.get('mcp-sign-in.files')) ?? '';
  expect(kept).toContain('"t1"');
  await using other = await openWorld(second);
  await other.runtime.runtime.host.secrets.set('mcp-sign-in.files', kept);
  await expect(other.agree()).rejects.toMatchObject({ code: 'mcp_sign_in_needed' });
  expect(second.asked.filter((each) => each.endsWith(' t1'))).toEqual([]);
});

it('tells why a sign-in was refused in the words of the server, cut, quoted and without hidden characters', async () => {
  const words = `Pay at \u202Eevil.example\u202C "now"\n${'x'.repeat(500)}`;
  await using server = await openSignInServer({
    denial: { error: 'access_denied', error_description: words },
  });
  await using world = await openWorld(server, openPerson());
  const { message } = await world.agree().then(
    () => expect.unreachable('it was signed in'),
    (error: unknown) => error as Error,
  );
  expect(message).toContain(`access_denied, in its own words: "Pay at evil.example 'now'`);
  expect(message.length).toBeLessThan(350);
  expect(message).not.toMatch(/[\u202A-\u202E\n]/u);
});

it('tells in log and row why a sign-in could not be renewed', async () => {
  await using server = await openSignInServer();
  await using world = await openWorld(server, openPerson());
  await world.agree();
  world.servers.askBy(() => Promise.resolve({ action: 'decline' }));
  server.refuses('The user was locked.');
  server.expire();
  const { texts } = await world.call(echo);
  const why = 'invalid_grant, in its own words: "The user was locked."';
  // A model reads it as what it is.
  expect(texts[0]).toMatch(/<<<EXTERNAL_UNTRUSTED_CONTENT[^]*The user was locked\.[^]*<<<END_/u);
  expect(world.servers.log('files').join('\n')).toContain(`could not be renewed: ${why}`);
  expect(world.servers.list()).toMatchObject([{ problem: expect.stringContaining(why) as string }]);
});

it('does again after a sign-in what was refused, and nothing that ran and failed beside it', async () => {
  await using server = await openSignInServer();
  const host = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  const events = new EventTarget();
  const once = (name: string): Promise<unknown> =>
    new Promise((resolve) => {
      events.addEventListener(name, resolve, { once: true });
    });
  const [shown, answered] = [once('shown'), once('answered')];
  const signIn = createSignIn({
    ...{ ...host, server: 'files', address: server.url, client: undefined, fetch, log: () => undefined },
    async open(page) {
      events.dispatchEvent(new Event('shown'));
      await answered;
      const { headers } = await fetch(page, { redirect: 'manual' });
      await fetch(headers.get('location') ?? '');
      return true;
    },
  });
  const never = new AbortController().signal;
  const send = async (method: string | undefined): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...(method === undefined ? {} : { method }) });
    return (await signIn.signed(fetch)(server.url, { method: 'POST', body })).status;
  };
  const refused = signIn.during(async () => {
    if ((await send('tools/call')) !== 200) throw new Error('refused');
    return 'done';
  }, never);
  await shown;
  let runs = 0;
  const fail = async (): Promise<never> => {
    runs += 1;
    throw new Error('It ran and failed.');
  };
  await expect(signIn.during(fail, never)).rejects.toThrow('It ran and failed.');
  // That an answer to the server is refused is no reason, either.
  const answerAndFail = (): Promise<never> => send(undefined).then(fail);
  await expect(signIn.during(answerAndFail, never)).rejects.toThrow('It ran and failed.');
  expect(runs).toBe(2);
  events.dispatchEvent(new Event('answered'));
  expect(await refused).toBe('done');
  expect(server.asked.filter((each) => each.startsWith('tools/call'))).toEqual([
    'tools/call none',
    'tools/call t1',
  ]);
});
