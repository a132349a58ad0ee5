import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Model, ModelRequest } from '../../../src/contracts/model.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createReplayModel } from '../../../src/models/replay/createReplayModel.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { textOf, type HookSample, type HookWorld } from './hookSample.ts';

/** A runtime with the plugins of `fixture`, the folder of a sample; closed by disposing it. */
export async function openHookWorld(
  sample: HookSample,
  fixture: string,
): Promise<HookWorld & AsyncDisposable> {
  const test = await openTestRuntime({
    files: sample.files ?? { 'a.md': 'text of a' },
    plugins: await readPlugins(fixture),
    bundled: await readPlugins(join(fixture, 'bundled')),
    global: await readPlugins(join(fixture, 'global')),
    withoutRealBundled: true,
    config: configOf(sample),
    ...(sample.answer === undefined ? {} : { answer: sample.answer }),
    ...(sample.speed === undefined ? {} : { speed: sample.speed }),
  });
  const { runtime, session, workspace, log, marks } = test;
  return {
    runtime,
    session,
    workspace,
    log,
    marks,
    sayTo: test.say,
    async say(prompt, ...answers) {
      const asked: ModelRequest[] = [];
      const turn = await test.say(prompt, [], { model: recording(replayOf(answers), asked) });
      const { events } = turn;
      return {
        ...turn,
        asked,
        results: events.flatMap((event) => (event.type === 'tool_ended' ? [textOf(event.result)] : [])),
        questions: events.flatMap((event) => (event.type === 'approval_requested' ? [event.request] : [])),
      };
    },
    found: (code, pluginId) =>
      runtime.workspace
        .diagnostics()
        .filter((each) => each.code === code && (pluginId ?? each.pluginId) === each.pluginId),
    transcript: () => session.messages().map((message) => `${message.role}: ${textOf(message)}`),
    stored: () => readAll(join(workspace, '..', 'state')),
    async traced() {
      const lines = (await runtime.turns.traces.last(session.key))?.lines ?? [];
      return lines.flatMap((line) =>
        line.kind === 'hook' ? [`${line.pluginId} ${line.hook} ${line.decision?.kind ?? line.outcome}`] : [],
      );
    },
    async fileText(path) {
      const file = join(workspace, path);
      return existsSync(file) ? await readFile(file, 'utf8') : undefined;
    },
    async writePlugin(id, code) {
      const file = join(workspace, '.pincer/plugins', id, 'index.js');
      await writeFile(file, code);
      return file;
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

function configOf({ config = {}, mayRead = [] }: HookSample): object {
  const entries = new Map(Object.entries(config.plugins?.entries ?? {}));
  for (const id of mayRead) entries.set(id, { ...entries.get(id), hooks: { allowConversationAccess: true } });
  return { ...config, plugins: { ...config.plugins, entries: Object.fromEntries(entries) } };
}

/** The plugins of one folder: the text of each by its id. */
async function readPlugins(folder: string): Promise<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  const texts = names.map(async (name) => [
    basename(name, '.js'),
    await readFile(join(folder, name), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

async function readAll(folder: string): Promise<string> {
  const entries = existsSync(folder) ? await readdir(folder, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => /\.jsonl?$/u.test(entry.name));
  const texts = files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8'));
  return (await Promise.all(texts)).join('');
}

function replayOf(answers: readonly object[]): Model {
  const script = answers.map((answer) => JSON.stringify(answer)).join('\n');
  return createReplayModel({ script, name: 'test.jsonl', clock: systemClock });
}

function recording(model: Model, asked: ModelRequest[]): Model {
  return {
    info: model.info,
    stream(request) {
      asked.push({ ...request, messages: [...request.messages] });
      return model.stream(request);
    },
  };
}
