import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoopbackNetwork, publicAddress } from '../../test/builders/createLoopbackNetwork.ts';
import { openGuardedFetch, textOf, type GuardedFetchWorld } from '../../test/builders/openGuardedFetch.ts';
import { createNodeNetwork } from '../host/node/nodeNetwork.ts';

let world: GuardedFetchWorld;

beforeAll(async () => {
  world = await openGuardedFetch();
});
afterAll(async () => await world.close());
beforeEach(() => world.reset());

function redirectTo(locations: Readonly<Record<string, string>>, status = 302): void {
  world.answer = (request, response) => {
    const location = locations[request.url ?? ''];
    if (location === undefined) response.end('arrived');
    else response.writeHead(status, { location }).end('moved');
  };
}

describe('where a request may go', () => {
  it('connects to the address that was checked, with the host as its name', async () => {
    const over = createLoopbackNetwork({ 'rebind.example': [[publicAddress], ['127.0.0.1']] });
    const response = await world.fetch(world.at('rebind.example', '/a?b=1#c'), { over });
    expect(textOf(response)).toBe('hello');
    expect(over.sent.map(({ route }) => route)).toEqual([{ kind: 'address', address: publicAddress }]);
    expect(world.seen[0]?.headers.host).toBe(`rebind.example:${world.port}`);
    expect(world.seen[0]?.url).toBe('/a?b=1');
  });

  it.each([
    ['one of several answers is private', [publicAddress, '10.0.0.1']],
    ['the only answer is loopback', ['127.0.0.1']],
    ['an answer is a mapped private address', ['::ffff:192.168.0.1']],
    ['an answer is no address', ['localhost']],
    ['an answer has a zone', ['fe80::1%lo']],
  ])('is refused before anything is sent when %s', async (_rule, addresses) => {
    const over = createLoopbackNetwork({ 'evil.example': addresses });
    await expect(world.fetch(world.at('evil.example'), { over })).rejects.toMatchObject({
      code: 'net_blocked',
    });
    expect(over.sent).toEqual([]);
  });

  it('is refused where there is no answer', async () => {
    await expect(
      world.fetch(world.at('none.example'), { answers: { 'none.example': [] } }),
    ).rejects.toMatchObject({
      code: 'net_unknown_host',
    });
  });

  it('looks no address up that the URL names itself, and judges it', async () => {
    await expect(world.fetch(world.at('127.0.0.1'))).rejects.toMatchObject({ code: 'net_blocked' });
    expect(textOf(await world.fetch(world.at(publicAddress), { answers: { [publicAddress]: [] } }))).toBe(
      'hello',
    );
    expect(world.seen).toHaveLength(1);
  });

  it('tries the next checked address where one can not be reached', async () => {
    const real = createNodeNetwork();
    const over = createLoopbackNetwork(
      { 'two.example': ['8.8.8.8', publicAddress] },
      {
        ...real,
        send: async (request) => {
          const isDead = request.route.kind === 'address' && request.route.address === '8.8.8.8';
          // Nothing listens on port 1.
          return await real.send(
            isDead
              ? { ...request, url: 'http://two.example:1/', route: { kind: 'address', address: '127.0.0.1' } }
              : request,
          );
        },
      },
    );
    expect(textOf(await world.fetch(world.at('two.example'), { over }))).toBe('hello');
    expect(over.sent).toHaveLength(2);
  });
});

describe('redirects', () => {
  it('are followed three times, each looked up and checked anew', async () => {
    redirectTo({ '/1': '/2', '/2': world.at('b.example', '/3'), '/3': `//c.example:${world.port}/4` });
    const response = await world.fetch(world.at('a.example', '/1'));
    expect(response.url).toBe(world.at('c.example', '/4'));
    expect(textOf(response)).toBe('arrived');
  });

  it('are not followed a fourth time', async () => {
    redirectTo({ '/1': '/2', '/2': '/3', '/3': '/4', '/4': '/5' });
    await expect(world.fetch(world.at('a.example', '/1'))).rejects.toThrow('Too many redirects (limit: 3)');
    expect(world.seen).toHaveLength(4);
  });

  it('that come back are a loop', async () => {
    redirectTo({ '/1': '/2', '/2': '/1#again' });
    await expect(world.fetch(world.at('a.example', '/1'))).rejects.toMatchObject({
      code: 'net_redirect_loop',
    });
  });

  it.each([
    ['a private literal', 'http://127.0.0.1:1/'],
    ['a name of the own network', 'http://intranet/'],
    ['another scheme', 'file:///etc/passwd'],
    ['credentials', 'http://user:pw@b.example/'],
    ['a backslash', 'http:\\\\b.example/'],
    ['a private answer', 'http://priv.example/'],
    ['another spelling of loopback', 'http://0x7f.1/'],
    ['a closed port', 'http://b.example:25/'],
  ])('to %s are refused', async (_what, location) => {
    redirectTo({ '/1': location });
    const answers = { 'priv.example': ['10.1.2.3'] };
    await expect(world.fetch(world.at('a.example', '/1'), { answers })).rejects.toMatchObject({
      code: 'net_blocked',
    });
    expect(world.seen).toHaveLength(1);
  });

  it('are refused where the second look-up of the same host is private', async () => {
    redirectTo({ '/1': '/2' });
    const answers = { 'rebind.example': [[publicAddress], ['127.0.0.1']] };
    await expect(world.fetch(world.at('rebind.example', '/1'), { answers })).rejects.toMatchObject({
      code: 'net_blocked',
    });
    expect(world.seen).toHaveLength(1);
  });

  it('never lead from https to http', async () => {
    const { network } = createLoopbackNetwork();
    const moved = { status: 301, header: () => 'http://a.example/', body: noBody(), close: () => undefined };
    const over = { network: { ...network, send: () => Promise.resolve(moved) } };
    await expect(world.fetch('https://a.example/', { over })).rejects.toMatchObject({
      code: 'net_redirect_downgrade',
    });
  });

  it('keep all headers on the same origin, and on another only what says nothing of the user', async () => {
    redirectTo({ '/1': '/2', '/2': world.at('b.example', '/3'), '/3': world.at('a.example', '/4') });
    const headers = {
      Authorization: 'a',
      Cookie: 'c',
      'Proxy-Authorization': 'p',
      'X-Api-Key': 'k',
      Accept: 'text/html',
    };
    await world.fetch(world.at('a.example', '/1'), { headers });
    const [first, second, third, back] = world.seen.map((request) => request.headers);
    const secrets = { authorization: 'a', cookie: 'c', 'proxy-authorization': 'p', 'x-api-key': 'k' };
    expect(first).toMatchObject({ ...secrets, accept: 'text/html' });
    expect(second).toMatchObject(secrets);
    for (const later of [third, back]) {
      expect(Object.keys(later ?? {}).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
    }
  });

  it('stop where the caller does not want them', async () => {
    redirectTo({ '/1': world.at('b.example', '/2') });
    const refused = world.fetch(world.at('a.example', '/1'), {
      mayFollow: (to) => to.hostname === 'a.example',
    });
    await expect(refused).rejects.toThrow(`redirects to another host: ${world.at('b.example', '/2')}`);
    expect(world.seen).toHaveLength(1);
  });

  it('without a target are answers', async () => {
    world.answer = (_request, response) => void response.writeHead(302).end('nowhere');
    expect(await world.fetch(world.at('a.example'))).toMatchObject({ status: 302 });
  });
});

describe('a proxy', () => {
  const env = { HTTP_PROXY: 'http://proxy.example:3128' };

  it('closes the way unless the user allows it, and the error names the variable and the setting', async () => {
    const over = createLoopbackNetwork();
    const refused = await world.fetch(world.at('a.example'), { env, over }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'net_proxy',
      message: expect.stringContaining('HTTP_PROXY') as string,
      hint: expect.stringContaining('tools.web.fetch.allowProxy') as string,
    });
    expect(over.sent).toEqual([]);
  });

  it('is no reason where NO_PROXY names the host', async () => {
    expect(textOf(await world.fetch(world.at('a.example'), { env: { ...env, NO_PROXY: '.example' } }))).toBe(
      'hello',
    );
  });

  it('is used where the user allows it; names and known addresses are judged all the same', async () => {
    const over = createLoopbackNetwork({ 'priv.example': ['10.0.0.1'], 'unknown.example': [] });
    const through = { env: { HTTP_PROXY: `http://u:p%40@127.0.0.1:${world.port}` }, allowProxy: true, over };
    expect(textOf(await world.fetch('http://unknown.example/x', through))).toBe('hello');
    expect(world.seen[0]?.url).toBe('http://unknown.example/x');
    expect(world.seen[0]?.headers['proxy-authorization']).toBe(
      `Basic ${Buffer.from('u:p@').toString('base64')}`,
    );
    for (const url of ['http://priv.example/', 'http://localhost/', 'http://127.0.0.1/'])
      await expect(world.fetch(url, through)).rejects.toMatchObject({ code: 'net_blocked' });
    expect(world.seen).toHaveLength(1);
  });
});

describe('an origin that the user named', () => {
  it('may lie on the own machine', async () => {
    const url = world.at('127.0.0.1', '/search');
    expect(textOf(await world.fetch(url, { ownOrigin: new URL(url).origin }))).toBe('hello');
  });

  it('may be a name of the own network, and needs no proxy', async () => {
    const wish = { answers: { searx: ['127.0.0.1'] }, env: { HTTP_PROXY: 'http://proxy.example:3128' } };
    expect(textOf(await world.fetch(world.at('searx'), { ...wish, ownOrigin: world.at('searx', '') }))).toBe(
      'hello',
    );
  });

  it('opens the way to no other: not by its address, not by a redirect', async () => {
    const ownOrigin = world.at('127.0.0.1', '');
    await expect(world.fetch('http://127.0.0.1:1/', { ownOrigin })).rejects.toMatchObject({
      code: 'net_blocked',
    });
    redirectTo({ '/1': 'http://127.0.0.1:1/' });
    await expect(world.fetch(world.at('127.0.0.1', '/1'), { ownOrigin })).rejects.toMatchObject({
      code: 'net_blocked',
    });
    redirectTo({ '/1': 'http://localhost/' });
    await expect(world.fetch(world.at('a.example', '/1'), { ownOrigin })).rejects.toMatchObject({
      code: 'net_blocked',
    });
  });

  it('is never a metadata service', async () => {
    const answers = { searx: ['169.254.169.254'] };
    const refused = world.fetch('http://searx/', { ownOrigin: 'http://searx', answers });
    await expect(refused).rejects.toMatchObject({ code: 'net_blocked' });
  });
});

async function* noBody(): AsyncGenerator<Uint8Array> {
  // Nothing.
}
