import { homedir } from 'node:os';
import type { Host, Log, Secrets } from '../ports.ts';
import { listenForBrowser } from './listenForBrowser.ts';
import { createNodeFileSystem } from './nodeFileSystem.ts';
import { createNodeHttpClient } from './nodeHttpClient.ts';
import { createNodeNetwork } from './nodeNetwork.ts';
import { createNodeProcesses } from './nodeProcesses.ts';
import { createNodeWorkers } from './nodeWorkers.ts';
import { systemClock } from './systemClock.ts';

/** The real machine. Where secrets and log lines go differs between editor and CLI, so both are passed in. */
export function createNodeHost(parts: { readonly secrets: Secrets; readonly log: Log }): Host {
  return {
    fs: createNodeFileSystem(),
    http: createNodeHttpClient(),
    listenForBrowser,
    network: createNodeNetwork(),
    processes: createNodeProcesses(),
    workers: createNodeWorkers(),
    clock: systemClock,
    secrets: parts.secrets,
    log: parts.log,
    platform: process.platform,
    userHome: homedir(),
    env: process.env,
  };
}
