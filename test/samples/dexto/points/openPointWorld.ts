import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentEvent } from '../../../../src/contracts/agentEvent.ts';
import type { Model, ModelRequest } from '../../../../src/contracts/model.ts';
import { systemClock } from '../../../../src/host/node/systemClock.ts';
import { createReplayModel } from '../../../../src/models/replay/createReplayModel.ts';
import { openTestRuntime, type TestRuntime } from '../../../builders/openTestRuntime.ts';
import type { PointPlaces, PointSample, PointWorld, SayOptions } from './pointSample.ts';

/** Copies a fixture, where there is one, to a temporary folder and starts the runtime on it; `close` leaves nothing. */
export async function openPointWorld(
  sample: Omit<PointSample, 'rule' | 'check'>,
  fixture?: string,
): Promise<PointWorld & { close(): Promise<void> }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-point-')));
  const workspace = join(root, 'workspace');
  const places: PointPlaces = { root, workspace, agentDir: join(workspace, '.pincer') };
  await mkdir(places.agentDir, { recursive: true });
  if (fixture !== undefined) await cp(fixture, places.agentDir, { recursive: true });
  await sample.prepare?.(places);
  const start = (): Promise<TestRuntime> =>
    openTestRuntime({
      root,
      files: { 'notes.md': 'High water is at six.\n' },
      ...(sample.config === undefined ? {} : { config: sample.config }),
      ...(sample.openclaw === undefined ? {} : { plugins: sample.openclaw }),
      ...(sample.isRecorded === undefined ? {} : { isRecorded: sample.isRecorded }),
      ...(sample.speed === undefined ? {} : { speed: sample.speed }),
      ...(sample.answer === undefined ? {} : { answer: sample.answer }),
      adjustHost: (host) => ({ ...host, env: { ...host.env, ...sample.env } }),
    });
  let test = await start();
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (!isStopped) await test[Symbol.asyncDispose]();
    isStopped = true;
  };
  return {
    ...places,
    get runtime() {
      return test.runtime;
    },
    get session() {
      return test.session;
    },
    get log() {
      return test.log;
    },
    get marks() {
      return test.marks;
    },
    say: (prompt, script = [{ text: 'Hi.' }], options = {}) => say(test, prompt, script, options),
    async save(path, text) {
      const file = join(workspace, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      const following = test.runtime.workspace.followSaves(() => Promise.resolve([file]));
      await test.runtime.workspace.filesChanged();
      following.dispose();
    },
    logged: () => test.log.lines.map(({ level, message }) => `${level} ${message}`).join('\n'),
    async agree() {
      for (const { id, needsConsent } of test.runtime.plugins.plugins())
        if (needsConsent !== undefined) await test.runtime.plugins.setEnabled(id, true);
    },
    plugin(name) {
      const all = test.runtime.plugins.plugins();
      const record = all.find((each) => each.id === `dexto:${name}`);
      if (record === undefined) throw new Error(`no plugin ${name}: ${all.map(({ id }) => id).join(', ')}`);
      return record;
    },
    found: (code) => test.runtime.workspace.diagnostics().filter((each) => each.code === code),
    async stored() {
      await test.runtime.turns.traces.flush();
      return await textsIn(join(root, 'state'));
    },
    async trace() {
      const trace = await test.runtime.turns.traces.last(test.session.key);
      if (trace === undefined) throw new Error('there was no turn');
      return trace;
    },
    stop,
    async restart() {
      await stop();
      test = await start();
      isStopped = false;
    },
    async close() {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

const say = async (
  test: TestRuntime,
  prompt: string,
  script: readonly object[],
  options: SayOptions,
): ReturnType<PointWorld['say']> => {
  const asked: ModelRequest[] = [];
  const text = script.map((turn) => JSON.stringify(turn)).join('\n');
  const replay = createReplayModel({ script: text, name: 'test.jsonl', clock: systemClock });
  const model: Model = {
    ...replay,
    stream(request) {
      asked.push({ ...request, messages: [...request.messages] });
      return replay.stream(request);
    },
  };
  const turn = await test.say(prompt, [], { ...options, model });
  const sent = JSON.stringify(asked.map(({ messages }) => messages));
  return { ...turn, asked, sent, results: turn.events.flatMap(resultOf) };
};

function resultOf(event: AgentEvent): readonly string[] {
  if (event.type !== 'tool_ended') return [];
  return [event.result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')];
}

async function textsIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.jsonl?$/u.test(entry.name));
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  );
  return texts.join('\n');
}
