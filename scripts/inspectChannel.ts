import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeFileSystem } from '../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../src/host/node/systemClock.ts';
import { inspectPlugins } from '../src/plugins/inspect/inspectPlugins.ts';

/** Loads the plugin of a folder as a host does, alone, and prints as JSON which channels it has, or why it has none. */
const [folder = '.'] = process.argv.slice(2);
const workDir = await mkdtemp(join(tmpdir(), 'pincer-channel-'));
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
  const channels = plugins.flatMap(({ status, registrations }) =>
    status === 'loaded' ? (registrations.channel ?? []) : [],
  );
  const why = diagnostics.find(({ level }) => level === 'error')?.message ?? 'it registers no channel';
  process.stdout.write(`\n${JSON.stringify(channels.length > 0 ? { channels } : { why })}\n`);
} finally {
  await rm(workDir, { recursive: true, force: true });
}
// A channel may have left timers or sockets behind.
process.exit(0);
