import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../host/memory/manualClock.ts';
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
  it('waits a second for a start, then goes on with the next', async () => {
    const synced = runner.sync([
      source(
        service('a', never),
        service('b', () => seen.push('b runs')),
      ),
    ]);
    await turn();
    expect(seen).toEqual([]);
    clock.advance(1_000);
    await synced;
    expect(seen).toEqual(['b runs']);
    expect(reported).toEqual([]);
  });

  it('reports a start after 30 seconds, and stops it all the same', async () => {
    const synced = runner.sync([source(service('a', never))]);
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
