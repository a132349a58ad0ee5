import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeFileSystem } from '../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../src/host/node/systemClock.ts';
import { inspectPlugins } from '../src/plugins/inspect/inspectPlugins.ts';

/** Loads the plugin of a folder as a host does, alone, and prints as JSON what it registers, or why it does not load. */
const [folder = '.'] = process.argv.slice(2);
const workDir = await mkdtemp(join(tmpdir(), 'pincer-package-'));
try {
  const { plugins, diagnostics } = await inspectPlugins(
    {
      fs: createNodeFileSystem(),
      clock: systemClock,
      log: { write: () => undefined },
      workDir,
      coreToolNames: [],
      reservedCommands: [],
    },
    { path: folder, allowConversation: true },
  );
  const loaded = plugins.filter(({ status }) => status === 'loaded');
  const kinds = loaded.flatMap(({ registrations }) => Object.entries(registrations));
  const registers = Object.fromEntries(kinds.filter(([, names]) => names.length > 0));
  const why = diagnostics.find(({ level }) => level === 'error')?.message ?? 'it registers nothing';
  const isUsed = Object.keys(registers).length > 0;
  process.stdout.write(`\n${JSON.stringify(isUsed ? { registers } : { why })}\n`);
} finally {
  await rm(workDir, { recursive: true, force: true });
}
// A plugin may have left timers or sockets behind.
process.exit(0);
