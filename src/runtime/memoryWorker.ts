// The memory's thread: its own end of the machine, the engine, and messages. A bundle of its own (docs/architecture.md).
import { homedir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createNodeHttpClient } from '../host/node/nodeHttpClient.ts';
import { createNodeProcesses } from '../host/node/nodeProcesses.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { workerChannel } from '../host/node/workerChannel.ts';
import { createMemoryEngine } from '../memory/engine/createMemoryEngine.ts';
import { serveMemory } from '../memory/worker/protocol.ts';

const processes = createNodeProcesses();

serveMemory(workerChannel(), ({ place, instance, endedInstances }, window) =>
  createMemoryEngine({
    fs: createNodeFileSystem(),
    http: createNodeHttpClient(),
    clock: systemClock,
    platform: process.platform,
    userHome: homedir(),
    startTimeOf: (pid) => processes.startTimeOf(pid),
    ownPid: processes.ownPid,
    place,
    instance,
    endedInstances,
    ...window,
    yieldToEventLoop: setImmediate,
  }),
);
