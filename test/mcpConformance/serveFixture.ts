import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { projectRoot } from '../../scripts/projectRoot.ts';

const tools = ['test_simple_text', 'test_image_content', 'test_tool_with_progress', 'test_error_handling'];

/**
 * `pincer gateway run` as it is built, with a plugin whose tools have the names of the suite; each call goes the way of every call. The
 * suite sends no token: a proxy in front adds that, and leaves everything else as it came.
 */
export async function serveFixture(): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-mcp-suite-')));
  const [workspace, home] = [join(folder, 'workspace'), join(folder, 'home')];
  await mkdir(workspace);
  await cp(join(projectRoot, 'test', 'mcpConformance', 'fixture'), join(home, 'plugins', 'suite'), {
    recursive: true,
  });
  // Progress is told only where no plugin may withhold the result.
  const plugins = { entries: { 'secret-redactor': { enabled: false } } };
  const config = { gateway: { port: 0 }, mcp: { serve: { http: true, tools } }, plugins };
  await writeFile(join(home, 'config.jsonc'), JSON.stringify(config));
  const [token, other] = [newToken(), newToken()];
  const served = spawn(
    process.execPath,
    [
      ...[join(projectRoot, 'dist', 'cli.js'), 'gateway', 'run', '--approve', 'allow', '--json'],
      ...['--workspace', workspace, '--state-dir', join(folder, 'state')],
    ],
    {
      env: {
        ...process.env,
        HOME: folder,
        PINCER_HOME: home,
        PINCER_GATEWAY_TOKEN: other,
        PINCER_MCP_TOKEN: token,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(served, 'close');
  const end = async (): Promise<void> => {
    served.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [bytes] = (await Promise.race([once(served.stdout, 'data'), ended])) as [unknown];
    if (!Buffer.isBuffer(bytes)) throw new Error('The gateway did not start: run npm run build first.');
    const { url } = JSON.parse(bytes.toString()) as { readonly url: string };
    const proxy = createServer((asked, answer) => forward(new URL(url), token, asked, answer));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    return {
      url: `http://127.0.0.1:${String(portOf(proxy))}/mcp`,
      async [Symbol.asyncDispose]() {
        proxy.closeAllConnections();
        proxy.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** With the token, and with the port of the gateway where the suite names that of the proxy. */
function forward({ host, port }: URL, token: string, asked: IncomingMessage, answer: ServerResponse): void {
  const own = `:${String(asked.socket.localPort)}`;
  const { authorization: _none, ...rest } = asked.headers;
  const headers = {
    ...rest,
    host: asked.headers.host?.replace(own, `:${port}`) ?? host,
    ...(asked.headers.origin === undefined ? {} : { origin: asked.headers.origin.replace(own, `:${port}`) }),
    authorization: `Bearer ${token}`,
  };
  const inner = request(
    { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers, agent: false },
    (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers);
      // Who leaves leaves for both.
      pipeline(told, answer, () => undefined);
    },
  );
  inner.on('error', () => answer.destroy());
  answer.once('close', () => inner.destroy());
  asked.pipe(inner);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
