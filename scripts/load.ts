import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { LoadDelays, LoadStep } from '../test/bench/loadClients.ts';
import { openBenchRuntime, runBenchTurn } from '../test/bench/openBenchRuntime.ts';

const clients = 200;
const runs = 50;
const requests = 10_000;
/** How far apart the turns begin. Milliseconds. */
const apartMs = 40;
/** What none of the judged figures may be above; `blocked` counts from the idle figure. Milliseconds, bytes. */
const most = { p99: 50, blocked: 20, grown: 10_000_000 };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * `load`: 200 clients of the built gateway follow 50 turns, then 10,000 requests; the clients live in a thread of their own. Prints
 * the figures, and gives 1 where one is above what docs/testing.md says.
 */
export async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pincer-load-'));
  const thread = new Worker(new URL('../test/bench/loadClients.ts', import.meta.url));
  const answer = async <T>(step?: LoadStep): Promise<T> => {
    const answered = once(thread, 'message');
    if (step !== undefined) thread.postMessage(step);
    return (await answered)[0] as T;
  };
  const { baseUrl } = await answer<{ readonly baseUrl: string }>();
  const runtime = await openBenchRuntime(folder, baseUrl);
  try {
    const idle = await blockedIn(() => wait(3_000));
    const starting = await blockedIn(() => runtime.gateway.start());
    const status = runtime.gateway.status();
    if (status.state !== 'running') throw new Error(`The gateway does not run: ${status.state}`);
    const token = await runtime.gateway.token();
    await answer({ do: 'connect', port: status.port, token, clients });

    // What the first turn loads is no work of the gateway's.
    await runBenchTurn(runtime, 'Say much', () => undefined);
    let delays: LoadDelays | undefined;
    const worked = { runs: -ownCpu(), requests: 0 };
    const following = await blockedIn(async () => {
      const measured = answer<LoadDelays>({ do: 'run', runs });
      await Promise.all(
        Array.from({ length: runs }, async (_, at) => {
          // As people begin them: not in one moment.
          await wait(at * apartMs);
          await runBenchTurn(runtime, 'Say much', () => undefined);
        }),
      );
      delays = await measured;
    });

    worked.runs += ownCpu();
    await answer({ do: 'ask', requests: requests / 2 });
    const before = heap();
    worked.requests -= ownCpu();
    const asked = await blockedIn(() => answer({ do: 'ask', requests: requests / 2 }));
    worked.requests += ownCpu();
    const grown = heap() - before;

    const { p50 = 0, p99 = 0, events = 0 } = delays ?? {};
    console.log(
      [
        `${String(clients)} clients, ${String(runs)} runs, ${String(events)} events: delay p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        `extension host blocked at most: idle ${told(idle)}, start ${told(starting)}, requests ${told(asked)}; not judged: runs ${told(following)}`,
        `extension host worked: runs ${(worked.runs / runs).toFixed(1)} ms a run, requests ${(worked.requests / (requests / 2)).toFixed(3)} ms a request`,
        `heap after ${String(requests / 2)} more requests: ${(grown / 1e6).toFixed(2)} MB`,
      ].join('\n'),
    );
    // What blocks the host during the runs is mostly the turns' own work, not the gateway's.
    const isFine =
      p99 <= most.p99 &&
      starting.wall - idle.wall <= most.blocked &&
      asked.wall - idle.wall <= most.blocked &&
      grown <= most.grown;
    return isFine ? 0 : 1;
  } finally {
    await answer({ do: 'close' });
    await runtime.stop('shutdown');
    // Until here it keeps this process: the runtime's own timers do not.
    await thread.terminate();
    await rm(folder, { recursive: true });
  }
}

function told({ wall, cpu }: Blocked): string {
  return `${wall.toFixed(1)} ms (${cpu.toFixed(1)} of CPU)`;
}

interface Blocked {
  /** By the clock on the wall, which other programs of the machine make longer. */
  readonly wall: number;
  /** By this thread's own work. */
  readonly cpu: number;
}

/** The longest time that the loop of this thread stood still meanwhile. Milliseconds. */
async function blockedIn(work: () => Promise<unknown>): Promise<Blocked> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let cpu = 0;
  let last = ownCpu();
  const ticks = setInterval(() => {
    const now = ownCpu();
    cpu = Math.max(cpu, now - last);
    last = now;
  }, 1);
  delay.enable();
  await work();
  delay.disable();
  clearInterval(ticks);
  return { wall: delay.max / 1e6, cpu };
}

/** What this thread has worked. Milliseconds. */
function ownCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
