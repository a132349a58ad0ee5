import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../../test/builders/manualClock.ts';
import type { PluginService, PluginServiceContext } from '../../sdk/types.ts';
import { createServiceRunner, type ServiceRunner, type ServiceSource } from './createServiceRunner.ts';

let clock: ManualClock;
let reported: string[];
let seen: string[];
let runner: ServiceRunner;

beforeEach(() => {
  clock = createManualClock();
  reported = [];
  seen = [];
  runner = createServiceRunner(clock, ({ message }) => void reported.push(message));
});

const source = (...services: PluginService[]): ServiceSource => ({
  pluginId: 'p',
  services,
  context: {} as PluginServiceContext,
});
const service = (id: string, start: () => unknown): PluginService => ({
  id,
  async start() {
    await start();
  },
  stop: () => void seen.push(`${id} stopped`),
});
const never = () => new Promise<never>(() => undefined);
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('createServiceRunner', () => {
  const b = service('b', () => seen.push('b runs'));

  it('starts one when the one before it has started, and lets nobody wait longer than a second', async () => {
    let ready = (): void => undefined;
    const a = service('a', () => new Promise<void>((resolve) => (ready = resolve)));
    const synced = runner.sync([source(a, b)]);
    await turn();
    clock.advance(1_000);
    await synced;
    await turn();
    expect(seen).toEqual([]);
    ready();
    await turn();
    expect(seen).toEqual(['b runs']);
    expect(reported).toEqual([]);
  });

  it('goes on with the next one after 30 seconds, and stops in reverse', async () => {
    const synced = runner.sync([source(service('a', never), b)]);
    await turn();
    clock.advance(1_000);
    await synced;
    clock.advance(29_000);
    await turn();
    await runner.sync([]);
    expect(seen).toEqual(['b runs', 'b stopped', 'a stopped']);
  });

  it('waits no longer for a start once it is stopped, and never starts what is gone before its turn', async () => {
    const a = service('a', never);
    const c = service('c', () => seen.push('c runs'));
    const synced = runner.sync([source(a, c, b)]);
    await turn();
    clock.advance(1_000);
    await synced;
    await runner.sync([source(b)]);
    await turn();
    expect(seen).toEqual(['a stopped', 'b runs']);
  });

  it('reports a start after 30 seconds, and stops it all the same', async () => {
    const synced = runner.sync([source(service('a', never))]);
    await turn();
    clock.advance(1_000);
    await synced;
    clock.advance(29_000);
    await turn();
    expect(reported).toEqual(['service "a" of plugin p failed to start: timed out after 30000ms']);
    await runner.sync([]);
    expect(seen).toEqual(['a stopped']);
  });

  it('says nothing of a start that never ended once it was stopped', async () => {
    const synced = runner.sync([source(service('a', never))]);
    await turn();
    clock.advance(1_000);
    await synced;
    await runner.sync([]);
    clock.advance(30_000);
    await turn();
    expect(seen).toEqual(['a stopped']);
    expect(reported).toEqual([]);
  });

  it('has nothing to stop where the start failed', async () => {
    const failing = service('a', () => Promise.reject(new Error('busy')));
    await runner.sync([source(failing)]);
    await runner.sync([]);
    expect(seen).toEqual([]);
    expect(reported).toEqual(['service "a" of plugin p failed to start: busy']);
  });
});
