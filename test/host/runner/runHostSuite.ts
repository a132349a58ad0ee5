import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../../scripts/projectRoot.ts';
import { buildSuite } from './buildSuite.ts';
import type { HostResults } from './hostResults.ts';
import { runInDesktop } from './runInDesktop.ts';
import { runInEditorHost } from './runInEditorHost.ts';

/** Where the host suite runs: the editor host, or the desktop VS Code of that version. */
export type HostChoice =
  { readonly kind: 'editor-host' } | { readonly kind: 'desktop'; readonly which: string };

/** PINCER_TEST_VSCODE asks for a desktop VS Code; systems without the editor host use the newest one. */
export function chooseHost(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): HostChoice {
  const asked = env['PINCER_TEST_VSCODE'];
  if (asked !== undefined && asked !== '') return { kind: 'desktop', which: asked };
  return platform === 'linux' ? { kind: 'editor-host' } : { kind: 'desktop', which: 'stable' };
}

/** The user's config: a model whose name sorts before “Auto”. */
const config = {
  models: {
    providers: {
      local: {
        api: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:9/v1',
        models: [{ id: 'aardvark', name: 'Aardvark' }],
      },
    },
  },
};

/**
 * Bundles the host suite, runs it on a copy of examples/workspace and gives its results.
 * @throws Error when the host ended without leaving results.
 */
export async function runHostSuite(choice: HostChoice, extensionDir = projectRoot): Promise<HostResults> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-suite-')));
  try {
    const run = {
      extensionDir,
      suite: await buildSuite(),
      workspace: join(folder, 'workspace'),
      home: join(folder, 'home'),
      results: join(folder, 'results.json'),
    };
    await mkdir(run.home);
    await writeFile(join(run.home, 'config.jsonc'), JSON.stringify(config));
    await cp(join(projectRoot, 'examples', 'workspace'), run.workspace, { recursive: true });
    await (choice.kind === 'desktop' ? runInDesktop(run, choice.which) : runInEditorHost(run));
    return await readResults(run.results);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readResults(file: string): Promise<HostResults> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error('VS Code ended without running the host suite: see its output above.', { cause });
  });
  return JSON.parse(text) as HostResults;
}
