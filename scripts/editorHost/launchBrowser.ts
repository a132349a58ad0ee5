import { statfs } from 'node:fs/promises';

import { chromium, type BrowserContext } from 'playwright-core';

import type { Browser } from './provision.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page is drawn in tiles, and each costs with each frame: one for the whole window, not thirty.
  '--default-tile-width=1408',
  '--default-tile-height=912',
];

/**
 * V8's options for windows that live for minutes: little pays off for what optimising it costs (a function begins with the calls named
 * here, ten times V8's own), and the heap, in megabytes, needs no collecting. Without any optimiser the work takes longer than that saves.
 */
const forShortLives = [
  '--initial-heap-size=512',
  '--min-semi-space-size=64',
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-turbofan=30000',
];

/** How long a window may take to get into a state, on a machine that does other work too. Milliseconds. */
export const patience = 120_000;

export interface LaunchOptions {
  /** The browser's profile: two launches on one folder share what the workbench keeps, such as trusted folders. */
  readonly profileDir: string;
  /** Where a trace is while it is made; else in a folder of temporary files that stays behind. */
  readonly tracesDir?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Its times count: V8 optimises as in the browser that people have. */
  readonly isTimed?: boolean;
}

/** A headless browser with one window, for a workbench of this machine only. */
export async function launchBrowser(browser: Browser, options: LaunchOptions): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(options.profileDir, {
    timeout: patience,
    // Every frame goes through shared memory; through a folder on disk instead it is an eighth of all the work.
    ...((await hasSharedMemory()) ? { ignoreDefaultArgs: ['--disable-dev-shm-usage'] } : {}),
    executablePath: browser.executable,
    ...(options.tracesDir === undefined ? {} : { tracesDir: options.tracesDir }),
    env: { ...definedOnly(process.env), ...browser.env },
    args: options.isTimed === true ? flags : [...flags, `--js-flags=${forShortLives.join(' ')}`],
    headless: true,
    viewport: options.viewport ?? { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // The workbench's clocks and texts must not depend on the machine.
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patience);
  await context.addInitScript(stopAnimations);
  return context;
}

/**
 * For each page. The processor draws every frame here, and what spins or shimmers on in spite of `reducedMotion` is a quarter of the
 * browser's work.
 */
const stopAnimations = {
  content: `document.addEventListener('DOMContentLoaded', () => {
    const style = new CSSStyleSheet();
    style.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
  });`,
};

/** Containers have 64 MB of shared memory by default, with which a browser crashes. */
async function hasSharedMemory(): Promise<boolean> {
  const found = await statfs('/dev/shm').catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize > 1024 ** 3;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
