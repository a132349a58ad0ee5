import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildPromptReport } from '../../src/agent/prompt/buildPromptReport.ts';
import { createTextCache } from '../../src/agent/prompt/createTextCache.ts';
import { createNestedRules } from '../../src/agent/prompt/rules/nestedRules.ts';
import { createSkillCatalog } from '../../src/agent/skills/createSkillCatalog.ts';
import type { ModelInfo } from '../../src/contracts/model.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createInternalEvents } from '../../src/plugins/operatorHooks/createInternalEvents.ts';
import { createPromptParts } from '../../src/runtime/createPromptSide.ts';
import { createSessionStore } from '../../src/sessions/sessionStore.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const skillCount = 40;
const nestedCount = 20;
const toolCount = 60;
const runs = 200;
const warmUpRuns = 20;

/** Building the prompt of a turn: 40 skills, rules files with 20 nested ones in use, and the report with 60 tools. */
export const bench: Bench = {
  name: 'prompt',
  needsEditor: false,
  async run() {
    const root = await mkdtemp(join(tmpdir(), 'pincer-bench-prompt-'));
    try {
      return await measure(root);
    } finally {
      await rm(root, { recursive: true });
    }
  },
};

async function measure(root: string): Promise<readonly Figure[]> {
  const attached = await fill(root);
  const fs = createNodeFileSystem();
  const texts = createTextCache({ fs, platform: process.platform });
  const report = (): void => undefined;
  const folder = join(root, 'w');
  const layout = { roots: [folder], platform: process.platform };
  const events = createInternalEvents({ clock: systemClock, report });
  const build = createPromptParts({
    host: { clock: systemClock, platform: process.platform },
    events,
    texts,
    nested: createNestedRules({ texts, layout: () => layout, isTrusted: () => true, newMark: () => 'mark' }),
    skills: createSkillCatalog({
      fs,
      platform: process.platform,
      state: () => ({
        layout,
        isTrusted: true,
        home: join(root, 'home'),
        userHome: root,
        configured: [],
        plugins: [],
        isEnabled: true,
      }),
    }),
    report,
    state: () => ({ folders: [folder], isTrusted: true, instructions: 'Be kind.' }),
    agentOf: () => ({ id: 'main', name: 'main', instructions: '', folder: undefined }),
  });
  const session = createSessionStore({
    fs,
    clock: systemClock,
    log: createInMemoryLog(),
    folder: join(root, 'state'),
    channel: 'cli',
  }).create([folder]);
  const buildOnce = async (): Promise<number> => {
    const start = performance.now();
    const parts = await build(session, { attached });
    buildPromptReport({ runId: 'r', sessionId: 's', model, at: 0, parts, tools, messages: [] });
    return performance.now() - start;
  };
  const cold = await buildOnce();
  const samples: number[] = [];
  for (let at = 0; at < warmUpRuns + runs; at += 1) {
    const took = await buildOnce();
    if (at >= warmUpRuns) samples.push(took);
  }
  await utimes(join(folder, 'AGENTS.md'), new Date(), new Date(Date.now() + 1_000));
  return [
    { name: 'prompt, the first one', value: cold, unit: 'ms' },
    medianFigure('prompt, nothing changed', 'ms', samples, { below: 10 }),
    { name: 'prompt, one file changed', value: await buildOnce(), unit: 'ms' },
  ];
}

const model: ModelInfo = {
  provider: 'bench',
  model: 'bench',
  name: 'Bench',
  contextWindow: 200_000,
  maxOutputTokens: 8_000,
  toolCalling: true,
};

const tools = Array.from({ length: toolCount }, (_, at) => ({
  name: `tool_${at}`,
  description: 'Does one of the many things that tools do, and says what it did.',
  parameters: { type: 'object', properties: { path: { type: 'string', description: 'A file.' } } },
  owner: { kind: 'core' as const },
}));

/** Gives the files that the user attaches: one in each folder with rules. */
async function fill(root: string): Promise<readonly string[]> {
  const write = async (path: string, text: string): Promise<string> => {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  const rules = '- Use tabs, and run the tests before you say that something is done.\n'.repeat(30);
  for (const name of ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md', '.gitignore'])
    await write(`w/${name}`, `# ${name}\n${name === '.gitignore' ? 'node_modules\n' : rules}`);
  for (let at = 0; at < skillCount; at += 1)
    await write(
      `w/.pincer/skills/skill-${at}/SKILL.md`,
      `---\nname: skill-${at}\ndescription: What skill ${at} is for, in one sentence.\n---\n${rules}`,
    );
  const attached: string[] = [];
  for (let at = 0; at < nestedCount; at += 1) {
    await write(`w/packages/p${at}/AGENTS.md`, `# Package ${at}\n${rules}`);
    attached.push(await write(`w/packages/p${at}/src/index.ts`, 'export {};\n'));
  }
  return attached;
}
