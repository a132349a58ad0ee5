import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll } from 'vitest';

import { testResultsDir } from '../../scripts/projectRoot.ts';
import type { ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { atPartWidth, inTheme, type SidePart } from '../e2e/driver/looks.ts';
import type { Workbench } from '../e2e/driver/openWorkbench.ts';
import { homeWithModel, it } from '../e2e/withWorkbench.ts';

/** What one flow took of a user whose model answers at once: no time for reading or thinking is in it. */
interface FlowResult {
  readonly flow: string;
  /** Presses of the mouse. */
  readonly clicks: number;
  /** Presses of keys; text that is typed in one go counts none. */
  readonly keys: number;
  readonly seconds: number;
}

export interface FlowOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** More of `config.jsonc`; `no model` is a user who has none. */
  readonly config?: Readonly<Record<string, unknown>> | 'no model';
  /** Why no window that was used before will do. */
  readonly fresh?: string;
  /** Where the conversation is. Default: in the chat panel. */
  readonly part?: SidePart;
}

/** What a flow's body is given: a window, the model's server, and where the count begins. */
export interface Flow {
  readonly bench: Workbench;
  readonly server: ScriptedModelServer;
  /** What came before is preparation. A flow without it counts from its first line. */
  begin(): Promise<void>;
}

const results: FlowResult[] = [];

/** Drives one flow, counts what it takes, and keeps pictures of its end: in the light and the dark theme, wide and narrow. */
export function flow(name: string, options: FlowOptions, body: (flow: Flow) => Promise<void>): void {
  const {
    files = { 'README.md': '# Boat\n\nShe leaks.\n' },
    config = {},
    fresh,
    part = '.part.auxiliarybar',
  } = options;
  it(name, async ({ server, withWorkbench }) => {
    const home = config === 'no model' ? {} : homeWithModel(server.baseUrl, config);
    const id = `flow-${name.replaceAll(/\W+/gu, '-')}`;
    const window = { workspace: { files }, trust: 'trusted', home } as const;
    await withWorkbench(id, fresh === undefined ? window : { ...window, fresh }, async (bench) => {
      let start = performance.now();
      const begin = async (): Promise<void> => {
        await startCount(bench.page);
        start = performance.now();
      };
      await begin();
      await body({ bench, server, begin });
      const seconds = Math.round((performance.now() - start) / 10) / 100;
      results.push({ flow: name, ...(await readCount(bench.page)), seconds });
      await takePictures(bench, part, `${id}-light`);
      await inTheme(bench, 'Dark Modern', () => takePictures(bench, part, `${id}-dark`));
    });
  });
}

/** How wide the chat is in pictures: as VS Code opens it, and as somebody has it who reads long answers. Pixels. */
const chatWidths = [300, 600];

async function takePictures(bench: Workbench, part: SidePart, name: string): Promise<void> {
  for (const width of chatWidths)
    await atPartWidth(bench.page, part, width, async () => {
      await bench.screenshot(`${name}-${String(width)}`);
    });
}

/** Call once in a file of flows: writes test-results/flows.json and prints it as a table. */
export function reportFlows(): void {
  afterAll(async () => {
    await mkdir(testResultsDir, { recursive: true });
    await writeFile(join(testResultsDir, 'flows.json'), `${JSON.stringify(results, undefined, 2)}\n`);
    console.table(results);
  });
}

/** The page's own global: it is another realm, and this project has no types of a browser. */
interface CountingPage {
  pincerFlow?: { clicks: number; keys: number };
  addEventListener(type: string, listener: () => void, capture: boolean): void;
}

/** Listens in the page itself and in the webviews that it shows, so that it counts whatever presses, and once for each. */
async function startCount(page: Page): Promise<void> {
  for (const frame of page.frames()) await startCountIn(frame);
}

async function startCountIn(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const host = globalThis as unknown as CountingPage;
    const before = host.pincerFlow;
    const count = Object.assign(before ?? { clicks: 0, keys: 0 }, { clicks: 0, keys: 0 });
    if (before !== undefined) return;
    host.pincerFlow = count;
    host.addEventListener('pointerdown', () => (count.clicks += 1), true);
    host.addEventListener('keydown', () => (count.keys += 1), true);
  });
}

async function readCount(page: Page): Promise<{ clicks: number; keys: number }> {
  const counts = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => (globalThis as unknown as CountingPage).pincerFlow)),
  );
  if (counts[0] === undefined) throw new Error('The window was loaded anew in the middle of a flow.');
  const sum = (of: 'clicks' | 'keys'): number => counts.reduce((all, count) => all + (count?.[of] ?? 0), 0);
  return { clicks: sum('clicks'), keys: sum('keys') };
}
