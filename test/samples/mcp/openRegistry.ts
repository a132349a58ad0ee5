import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const fixture = join(import.meta.dirname, 'fixture', 'server.mjs');

export interface Registry extends AsyncDisposable {
  readonly folder: string;
  /** Variables by which any package manager asks this registry, and keeps what it does below the folder. */
  readonly env: Readonly<Record<string, string>>;
  /** A program's entry that has npx fetch `spec` from here. */
  program(spec: string, stateFile: string): Readonly<Record<string, unknown>>;
  publish(version: string): Promise<void>;
  /** Leaves the next archive unanswered; gives when it was asked for, and when whoever asked went away. */
  hold(): { readonly asked: Promise<void>; readonly left: Promise<void> };
  /** How many archives were asked for. */
  served(): number;
  /** The one folder of npx's cache. */
  installed(): Promise<string>;
}

/** A package registry as npm asks it, with one package: the server of the fixture. */
export async function openRegistry(): Promise<Registry> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-registry-')));
  const versions: Record<string, object> = {};
  const archives = new Map<string, Buffer>();
  let served = 0;
  let held: ((response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    const archive = archives.get(request.url ?? '');
    if (archive !== undefined) {
      served += 1;
      if (held === undefined) response.end(archive);
      else held(response);
    } else if (request.url === '/tides-server')
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          name: 'tides-server',
          'dist-tags': { latest: Object.keys(versions).at(-1) },
          versions,
        }),
      );
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const cache = join(folder, 'cache');
  const env = {
    npm_config_registry: address,
    npm_config_cache: cache,
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
    HOME: folder,
    ...Object.fromEntries(['CACHE', 'CONFIG', 'DATA', 'STATE'].map((each) => [`XDG_${each}_HOME`, folder])),
  };
  return {
    folder,
    env,
    program: (spec, stateFile) => ({
      command: 'npx',
      args: ['-y', spec, stateFile],
      env,
    }),
    async publish(version) {
      const manifest = { name: 'tides-server', version, bin: 'server.mjs' };
      const place = join(folder, version, 'package');
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'package.json'), JSON.stringify(manifest));
      await writeFile(join(place, 'server.mjs'), `#!/usr/bin/env node\n${await readFile(fixture, 'utf8')}`, {
        mode: 0o755,
      });
      const file = join(folder, `${version}.tgz`);
      await run('tar', ['-czf', file, '-C', join(folder, version), 'package']);
      const archive = await readFile(file);
      const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
      archives.set(`/${version}.tgz`, archive);
      versions[version] = { ...manifest, dist: { tarball: `${address}/${version}.tgz`, integrity } };
    },
    hold() {
      const asked = new Promise<ServerResponse>((resolve) => {
        held = (response) => {
          held = undefined;
          resolve(response);
        };
      });
      const left = asked.then((response) => new Promise<void>((resolve) => response.on('close', resolve)));
      return { asked: asked.then(() => undefined), left };
    },
    served: () => served,
    async installed() {
      const [name = ''] = await readdir(join(cache, '_npx'));
      return join(cache, '_npx', name);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
