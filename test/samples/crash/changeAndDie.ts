import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../../src/host/createInMemorySecrets.ts';
import { createNodeHost } from '../../../src/host/node/createNodeHost.ts';
import type { FileSystem } from '../../../src/host/ports.ts';
import { createReplayModel } from '../../../src/models/replay/createReplayModel.ts';
import { createRuntime } from '../../../src/runtime/createRuntime.ts';
import { createDiskFiles } from '../../../src/tools/createDiskFiles.ts';
import { toolCallOf } from '../../builders/callContexts.ts';
import { createCrashingDisk } from './crashingDisk.ts';
import { after, before, openCrashWorld } from './crashSetup.ts';

/**
 * A process that changes the files of a workspace and kills itself at the `killAt`th point that it reaches, without a chance to
 * clean up. It prints the points, so that the last line says where it died.
 */
const [root = '', what = '', killAt = ''] = process.argv.slice(2);

let reached = 0;
function reach(point: string): void {
  if (!point.includes(join(root, 'workspace')) && !point.includes('checkpoints') && !point.startsWith('the '))
    return;
  reached += 1;
  process.stdout.write(`${point.replaceAll(root, '')}\n`);
  if (reached === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

/** Straight through the files that the tools are given. */
async function changeSeveral(fs: FileSystem): Promise<void> {
  const { files } = openCrashWorld(root, fs);
  const workspace = join(root, 'workspace');
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      path: join(workspace, name),
      root: workspace,
      before: before[name] ?? null,
      after: after[name] ?? null,
    }));
  const call = toolCallOf({ toolCallId: 'c1', sessionKey: 'agent:main:s1', runId: 'r1' });
  await files.apply(changes, call);
}

/** A whole turn: the model asks for an edit, the question is shown, a person allows it, the tool writes. */
async function editInTurn(fs: FileSystem): Promise<void> {
  const node = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  const host = { ...node, fs };
  const runtime = await createRuntime({
    ...{ host, home: join(root, 'home'), stateFolder: join(root, 'state'), dist: join(root, 'dist') },
    ...{ surface: 'cli', folders: [join(root, 'workspace')], isTrusted: true, approve: 'ask', canAsk: true },
    ...{ reservedCommands: [], files: createDiskFiles(fs), fileLink: (path) => path },
  });
  runtime.approvals.onDidChange(() => {
    const [waiting] = runtime.approvals.pending();
    if (waiting === undefined) return;
    if (!runtime.approvals.isShownWhole(waiting.id, 'chat')) {
      // That is a change of its own, at which it is answered.
      runtime.approvals.noteShownWhole(waiting.id, 'diff');
      return;
    }
    reach('the question is shown');
    runtime.approvals.resolve(waiting.id, 'allow-once', 'chat');
    reach('the answer is given');
  });
  const edits = [{ oldText: 'before', newText: 'after' }];
  const script = [{ toolCalls: [{ name: 'edit', arguments: { path: 'a.md', edits } }] }, { text: 'Done.' }];
  const run = await runtime.turns.start({
    session: runtime.conversations.create(),
    prompt: 'Change it.',
    attachments: [],
    model: createReplayModel({
      script: script.map((line) => JSON.stringify(line)).join('\n'),
      name: 'crash.jsonl',
      clock: host.clock,
    }),
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  await run.outcome;
  reach('the turn is over');
  await runtime.stop('shutdown');
  if ((await readFile(join(root, 'workspace/a.md'), 'utf8')) !== after['a.md'])
    throw new Error('the edit was not made');
}

const { fs } = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
const disk = createCrashingDisk(fs, reach);
const works: Readonly<Record<string, (fs: FileSystem) => Promise<void>>> = {
  changeSeveral,
  editInTurn,
  recover: async (fs) => {
    await openCrashWorld(root, fs).checkpoints.recover();
  },
};
await works[what]?.(disk);
reach('the end');
