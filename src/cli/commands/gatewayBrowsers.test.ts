import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recordOutput } from '../../../test/builders/memoryParts.ts';
import { proofOf } from '../../gateway/gatewayToken.ts';
import type { CliOptions } from '../withRuntime.ts';
import { runGatewayBrowsers, runGatewayPair, runGatewayRevoke } from './gatewayBrowsers.ts';

const proofKey = 'the-key-of-this-gateway';
let root: string;
let gateway: Server;
let options: CliOptions;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-browsers-cli-'));
  vi.stubEnv('PINCER_HOME', join(root, 'home'));
  vi.stubEnv('PINCER_GATEWAY_TOKEN', 'a-token-for-the-command-line-of-at-least-43-characters');
  gateway = createServer(({ url = '' }, response) => {
    const challenge = new URL(url, 'http://localhost').searchParams.get('challenge');
    if (challenge !== null) response.end(JSON.stringify({ ok: true, proof: proofOf(proofKey, challenge) }));
    else response.writeHead(429).end('{"ok":false,"error":{"message":"Too many requests."}}');
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  await mkdir(join(root, 'state', 'gateway'), { recursive: true });
  await writeFile(join(root, 'state', 'gateway', 'gateway.json'), JSON.stringify({ port, proofKey }));
  options = { workspace: root, stateDir: join(root, 'state') };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  gateway.closeAllConnections();
  gateway.close();
  await rm(root, { recursive: true });
});

it('says of a gateway that refuses to answer that it does, and nothing of its browsers', async () => {
  const { output, out } = recordOutput();
  const refused = { code: 'gateway_refused', message: 'Too many requests.' };
  await expect(runGatewayBrowsers(options, output)).rejects.toMatchObject(refused);
  await expect(runGatewayRevoke(options, '1', output)).rejects.toMatchObject(refused);
  await expect(runGatewayPair(options, '123456', output)).rejects.toMatchObject(refused);
  expect(out()).toBe('');
});
